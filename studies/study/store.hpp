// The file that a study's results are in: SQLite, so that it can be asked by other programs, and so that
// whatever ends this one leaves a whole file (docs/how-to/studies.md has the tables).
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/base/error.hpp"
#include "studies/study/outcome.hpp"
#include "studies/study/study.hpp"

namespace busline {

/// What a store knows of its study.
struct StoredStudy {
  std::string name, document, folder;
  std::string axes;  ///< the axes and how they are combined, as JSON: the same text, the same points
  std::vector<std::string> labels, pointers;  ///< of the axes
  std::uint64_t points = 0;                   ///< that there are, done or not
  bool operator==(const StoredStudy&) const = default;
};
/// For a study with `points` points.
StoredStudy stored(const Study& study, std::uint64_t points);

/// Whether there is an SQLite file, of a study or another one.
bool is_store(const std::string& path);

/// Errors of all members are of kind unreadable, with what SQLite said, unless they say something else. One
/// thread at a time.
class Store {
 public:
  enum class Mode : std::uint8_t {
    create,  ///< a new file, or one of Busline's that is there
    extend,  ///< one that is there, to be written to
    read,    ///< one that is there
  };
  /// ":memory:" is not a file. One of an earlier version is read as it is, and upgraded before it is written
  /// to. Errors: bad_input if the file is something else, or of a later version.
  static Expected<Store> open(const std::string& path, Mode mode);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  const std::string& path() const;
  /// Nothing in a new file.
  Expected<std::optional<StoredStudy>> study() const;
  /// Makes it the store of `study`. If it was another's, its points go; what was simulated for them stays and
  /// is found again by its id.
  Expected<void> begin(const StoredStudy& study);

  /// Adds all of these or, after an Error, none. A point that is there is replaced.
  Expected<void> put(std::span<const PointOutcome> outcomes);
  /// By id, how every simulation that is stored ended.
  Expected<std::unordered_map<std::string, Outcome::Status>> known() const;
  /// Nothing if there is no such simulation.
  Expected<std::optional<Outcome>> outcome(const std::string& id) const;
  /// Calls `row` for each point that is stored, by number. An Error of `row` ends it.
  Expected<void> each(const std::function<Expected<void>(const PointOutcome&)>& row) const;
  /// Takes over the points and outcomes of a store of the same study; what both have stays.
  Expected<void> merge(const Store& other);

 private:
  struct State;
  explicit Store(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace busline
