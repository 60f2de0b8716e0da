// The handles of one rank as its trace numbers them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "measuring/tracer/handle_map.hpp"
#include "measuring/tracer/mpi.hpp"

namespace busline::tracer {

class Handles {
 public:
  /// To be made when MPI runs: asks for the sizes of datatypes.
  Handles();

  /// The map of a kind of handle that the table of the format names: "comm", "dtype", "req", ...
  HandleMap& of(std::string_view kind) {
    if (kind == "comm") return communicators_;
    if (kind == "req") return requests_;
    if (kind == "dtype") return datatypes_;
    if (kind == "group") return groups_;
    if (kind == "op") return operations_;
    if (kind == "ioreq") return file_requests_;
    if (kind == "errh") return error_handlers_;
    if (kind == "file") return files_;
    return kind == "info" ? infos_ : windows_;
  }
  std::int32_t datatype(MPI_Datatype type) {
    const auto [number, is_new] = datatypes_.number(bits_of(type));
    if (is_new) keep_size(type, number);
    return number;
  }
  /// In bytes, by number.
  const std::vector<std::int32_t>& type_sizes() const { return type_sizes_; }

 private:
  void keep_size(MPI_Datatype type, std::int32_t number);

  // The numbers with which those begin that are not predefined.
  HandleMap communicators_{4}, datatypes_{28}, groups_{3}, operations_{15}, requests_{2}, file_requests_{2},
      error_handlers_{2}, files_{1}, infos_{1}, windows_{1};
  std::vector<std::int32_t> type_sizes_;
};

}  // namespace busline::tracer
