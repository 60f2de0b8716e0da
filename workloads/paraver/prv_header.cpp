#include "workloads/paraver/prv_header.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "workloads/files/header_line.hpp"

namespace busline::paraver {
namespace {

class PrvHeaderReader : HeaderLine {
 public:
  PrvHeaderReader(std::string_view line, const std::string& path, std::uint64_t most_threads)
      : HeaderLine(line, path), most_threads_(most_threads) {}

  Expected<Header> read() {
    Header h;
    if (!take(kMagic)) return refuse("not a Paraver trace: the file does not begin with \"#Paraver \"");
    if (!date(h.date)) return refuse("expected a date in parentheses, as in (09/10/2019 at 16:10)");
    if (!take(":")) return refuse("expected a colon and the trace's end");
    const auto end = number();
    if (!end)
      return refuse("expected the trace's end, a whole number of nanoseconds (12345_ns) or microseconds");
    if (take("_ns")) h.unit = 1000;
    const auto most = static_cast<std::uint64_t>(kMostPicoseconds / h.unit);
    if (*end > most) return refuse(fmt::format("the trace's end is {}, expected at most {}", *end, most));
    h.end = static_cast<std::int64_t>(*end);
    if (!take(":") || !nodes(h.nodes))
      return refuse("expected a colon and the nodes with their CPUs, as in 2(4,4)");
    if (!take(":")) return refuse("expected a colon and the number of applications");
    const auto applications = number();
    if (!applications || *applications == 0) return refuse("expected the number of applications, 1 or more");
    while (take(":") || take(",")) {
      if (auto problem = application(h)) return tl::unexpected(*std::move(problem));
    }
    while (take(" ") || take("\r")) {
    }
    if (at_ != line_.size())
      return refuse("expected an application, as in 2(1:1,1:1),3, or the end of the line");
    if (h.applications.size() != *applications)
      return refuse(fmt::format("the header says {} applications, but describes {}", *applications,
                                h.applications.size()));
    return h;
  }

 private:
  static constexpr std::int64_t kMostPicoseconds = std::int64_t{1} << 62;  // half of what a clock holds

  // It holds a colon.
  bool date(std::string& text) {
    const auto close = line_.find(')', at_);
    if (!take("(") || close == std::string_view::npos) return false;
    text = line_.substr(at_, close - at_);
    at_ = close + 1;
    return true;
  }

  bool nodes(std::string& text) {
    const auto begin = at_;
    if (!number()) return false;
    if (take("(")) {
      const auto close = line_.find(')', at_);
      if (close == std::string_view::npos) return false;
      at_ = close + 1;
    }
    text = line_.substr(begin, at_ - begin);
    return true;
  }

  // Mergers separate applications by a comma too: a number before a parenthesis is that of an application's
  // tasks.
  std::optional<Error> application(Header& h) {
    const auto count_at = at_;
    const auto tasks = number();
    if (!tasks || *tasks == 0) return refuse("expected the number of tasks, 1 or more").value();
    if (!take("(")) return refuse("expected the threads and the node of each task, as in 2(1:1,1:1)").value();
    Application a;
    do {
      const auto threads = number();
      if (!threads || *threads == 0) return refuse("expected a task's number of threads, 1 or more").value();
      if (!take(":") || !number())
        return refuse("expected a colon and the number of the task's node").value();
      if (*threads > most_threads_ || h.threads + *threads > most_threads_) {
        auto e = refuse(fmt::format("more than {} threads, too many for a file of its size", most_threads_))
                     .value();
        e.kind = Error::Kind::unsupported;
        return e;
      }
      a.tasks.push_back({*threads, h.threads});
      h.threads += *threads;
    } while (take(","));
    if (!take(")")) return refuse("expected a comma or the ) that ends the list of tasks").value();
    // Ranks have 32 bits, and the highest numbers are reserved (kAnySource).
    if (a.tasks.size() != *tasks || *tasks > 0x7fff'ffff) {
      at_ = count_at;
      return refuse(fmt::format("{} tasks, but the list has {} entries", *tasks, a.tasks.size())).value();
    }
    h.applications.push_back(std::move(a));
    const auto after = at_;
    // The number of its communicators is not needed: their lines follow.
    if (take(",") && (!number() || line_.substr(at_, 1) == "(")) at_ = after;
    return std::nullopt;
  }

  std::uint64_t most_threads_;
};

}  // namespace

Expected<Header> read_header(std::string_view line, const std::string& path, std::uint64_t most_threads) {
  return PrvHeaderReader(line, path, most_threads).read();
}

}  // namespace busline::paraver
