#include "workloads/dim/dim_header.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "workloads/files/header_line.hpp"

namespace busline::dim {
namespace {

class HeaderReader : HeaderLine {
 public:
  HeaderReader(std::string_view line, const std::string& path) : HeaderLine(line, path) {}

  Expected<Header> read() {
    Header h;
    if (!take(kMagic)) return refuse("not a Dimemas trace: the file does not begin with \"#DIMEMAS:\"");
    if (!take(":") || !name())
      return refuse("expected the trace's name and a colon, as in #DIMEMAS:\"name\":1,");
    const auto table = number();
    if (!table || *table > 1) return refuse("expected 1 or 0: whether an offset table follows the records");
    h.has_offset_table = *table == 1;
    // The offset itself is not needed: the table is recognised by its lines.
    if (take(",") && !number()) {
      if (line_.substr(at_, 1) == "X")
        return refuse("the offset table's position was never filled in",
                      "the translator that wrote this trace did not finish; run prv2dim again");
      return refuse("expected the byte offset of the offset table, a whole number");
    }
    if (!take(":")) return refuse("expected a colon and the number of tasks");
    if (auto problem = tasks(h)) return tl::unexpected(*std::move(problem));
    if (!take(",")) return refuse("expected a comma and the number of communicators");
    const auto communicators = number();
    if (!communicators) return refuse("expected the number of communicators, a whole number");
    h.communicators = *communicators;
    if (take(",")) {
      if (auto problem = accelerators()) return tl::unexpected(*std::move(problem));
    }
    if (take(",")) {
      const auto tasks = number();
      if (!tasks) return refuse("expected the number of OpenMP tasks, a whole number");
      h.openmp_tasks = *tasks;
      if (take("(") && !skip_list()) return refuse("expected the list of OpenMP tasks, as in (0,1)");
    }
    while (take(" ") || take("\r")) {  // prv2dim pads the line with blanks
    }
    if (at_ != line_.size()) return refuse("expected the end of the line");
    return h;
  }

 private:
  // A name in quotes may hold colons.
  bool name() {
    const auto end = line_.substr(at_, 1) == "\"" ? line_.find("\":", at_ + 1) : line_.find(':', at_);
    if (end == std::string_view::npos) return false;
    at_ = line_.find(':', end) + 1;
    return true;
  }

  std::optional<Error> tasks(Header& h) {
    const auto count_at = at_;
    const auto tasks = number();
    if (!tasks || *tasks == 0) return refuse("expected the number of tasks, 1 or more").value();
    if (!take("(")) return refuse("expected the number of threads of each task, as in 2(1,1)").value();
    do {
      const auto threads = number();
      if (!threads || *threads > 0xffff'ffff) return refuse("expected a number of threads").value();
      h.threads.push_back(static_cast<std::uint32_t>(*threads));
    } while (take(","));
    if (!take(")")) return refuse("expected a comma or the ) that ends the list of threads").value();
    // Ranks have 32 bits, and the highest numbers are reserved (kAnySource).
    if (h.threads.size() != *tasks || *tasks > 0x7fff'ffff) {
      at_ = count_at;
      return refuse(fmt::format("{} tasks, but the list of threads has {} entries", *tasks, h.threads.size()))
          .value();
    }
    return std::nullopt;
  }

  std::optional<Error> accelerators() {
    const auto tasks = number();
    if (!tasks) return refuse("expected the number of accelerator tasks, a whole number").value();
    if (*tasks > 0) {
      Error e = refuse(fmt::format("{} accelerator tasks; accelerators are not simulated", *tasks),
                       "translate the trace without CUDA and OpenCL records")
                    .value();
      e.kind = Error::Kind::unsupported;
      return e;
    }
    if (take("(") && !skip_list())
      return refuse("expected the list of accelerator tasks, as in (0,1)").value();
    return std::nullopt;
  }

  bool skip_list() {
    const auto end = line_.find(')', at_);
    if (end == std::string_view::npos) return false;
    at_ = end + 1;
    return true;
  }
};

}  // namespace

Expected<Header> read_header(std::string_view line, const std::string& path) {
  return HeaderReader(line, path).read();
}

}  // namespace busline::dim
