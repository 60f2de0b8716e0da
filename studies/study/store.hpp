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

/// What a store records about its study.
struct StoredStudy {
  std::string name, document, folder;
  std::string axes;  ///< the axes and how they are combined, as JSON: the same text, the same points
  std::vector<std::string> labels, pointers;  ///< of the axes
  std::uint64_t points = 0;                   ///< that there are, done or not
  bool operator==(const StoredStudy&) const = default;
};
/// For a study with `points` points.
StoredStudy stored(const Study& study, std::uint64_t points);

/// Whether the file is an SQLite file, of a study or not.
bool is_store(const std::string& path);

/// Unless stated otherwise, errors of all members are of kind unreadable with SQLite's message. For one
/// thread at a time.
class Store {
 public:
  enum class Mode : std::uint8_t {
    create,  ///< a new file, or an existing one of Busline
    extend,  ///< an existing one, to write to
    read,    ///< one that is there
  };
  /// ":memory:" is not a file. A file of an earlier version is read as it is, and upgraded before writing.
  /// Errors: bad_input if the file is something else or of a later version.
  static Expected<Store> open(const std::string& path, Mode mode);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  const std::string& path() const;
  /// Nothing in a new file.
  Expected<std::optional<StoredStudy>> study() const;
  /// Makes it the store of `study`. If it belonged to another study, its points are removed; their outcomes
  /// stay and can be found again by id.
  Expected<void> begin(const StoredStudy& study);

  /// Adds all of these or, after an Error, none. Replaces existing points.
  Expected<void> put(std::span<const PointOutcome> outcomes);
  /// By id, how every simulation that is stored ended.
  Expected<std::unordered_map<std::string, Outcome::Status>> known() const;
  /// Nothing if there is no such simulation.
  Expected<std::optional<Outcome>> outcome(const std::string& id) const;
  /// Calls `row` for each point that is stored, by number. An Error of `row` ends it.
  Expected<void> each(const std::function<Expected<void>(const PointOutcome&)>& row) const;
  /// Adds the points and outcomes from a store of the same study; those in both stay as they are.
  Expected<void> merge(const Store& other);

 private:
  struct State;
  explicit Store(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace busline
