#include "measuring/linktest/read_linktest.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "measuring/linktest/layout.hpp"
#include "measuring/linktest/payload_cursor.hpp"
#include "measuring/linktest/payload_readers.hpp"
#include "sim/base/text_parts.hpp"

namespace busline::linktest {
namespace {

using sion::ByteOrder;

Version read_version(PayloadCursor& cursor) {
  const auto major = cursor.read<std::uint32_t>(), minor = cursor.read<std::uint32_t>();
  return {major, minor, cursor.read<std::uint32_t>()};
}

// A stream of 1.0 begins with the host's name. Nothing but its length gives it away.
bool has_length_of_version1_0(const sion::Container& container) {
  const auto size = container.stream(0).size(), ranks = std::uint64_t{container.ranks()};
  return size == version1::stream_bytes(0, ranks, 0, false) ||
         size == version1::stream_bytes(0, ranks, 0, true);
}

// Reports impossible times, and a summary that does not match the times.
void check_times(const LinkTestResult& result, const std::string& path, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < result.iterations.size(); ++i) {
    const auto& iteration = result.iterations[i];
    std::uint64_t strange = 0;
    std::uint32_t from = 0, to = 0;
    auto least = HUGE_VAL, most = 0.0;
    for (std::uint32_t a = 0; a < iteration.seconds.ranks(); ++a)
      for (std::uint32_t b = 0; b < iteration.seconds.ranks(); ++b) {
        if (iteration.step(a, b) == 0) continue;
        const auto t = iteration.seconds(a, b);
        if (!std::isfinite(t) || t <= 0) {
          if (strange++ == 0) from = a, to = b;
          continue;
        }
        least = std::min(least, t);
        most = std::max(most, t);
      }
    const auto warn = [&](const char* code, std::string message) {
      diagnostics.push_back({Diagnostic::Severity::warning, code, std::move(message), path});
    };
    if (strange > 0)
      warn("strange-time", fmt::format("{} {} not greater than 0; the first is from rank {} to rank {}",
                                       counted(strange, "time"), strange == 1 ? "is" : "are", from, to));
    else if (most > 0 && (iteration.summary.min != least || iteration.summary.max != most))
      warn("summary", fmt::format("declares times of {:.9g} to {:.9g} s, but they are {:.9g} to {:.9g} s",
                                  iteration.summary.min, iteration.summary.max, least, most));
  }
}

}  // namespace

Expected<LinkTestResult> read_linktest(const std::string& path, Diagnostics& diagnostics) {
  const auto container = sion::Container::open(path);
  if (!container) return tl::unexpected(container.error());
  return read_linktest(*container, diagnostics);
}

Expected<LinkTestResult> read_linktest(const sion::Container& container, Diagnostics& diagnostics) {
  Encoding encoding{container.data_order(), true};
  PayloadCursor cursor(container, 0, encoding.order);
  if (cursor.sees(kNewTag)) {
    cursor.move_to(kNewTag.size());
    const auto v = read_version(cursor);
    auto e = cursor.wrong(
        0, "tag",
        fmt::format("is LinkTest {}.{}.{}, expected {} or older", v.major, v.minor, v.patch, "2.1.16"),
        "the layout of newer files is not published; use LinkTest's own tools to read them");
    e.kind = Error::Kind::unsupported;
    return tl::unexpected(std::move(e));
  }
  encoding.tagged = cursor.sees(kTag);
  std::uint32_t major = 1;
  if (encoding.tagged) {
    cursor.move_to(kTag.size());
    major = cursor.read<std::uint32_t>();
    // A program that does not convert its numbers may have declared their order wrongly.
    if (const auto turned = __builtin_bswap32(major); cursor.ok() && (turned == 1 || turned == 2)) {
      major = turned;
      encoding.order = opposite(encoding.order);
      diagnostics.push_back({Diagnostic::Severity::warning, "byte-order",
                             "the data is not in the byte order that the container declares: read as it is",
                             container.path()});
    }
    if (major != 1 && major != 2)
      return tl::unexpected(
          cursor.wrong(kTag.size(), "version", fmt::format("is {}, expected 1 or 2", major)));
  } else if (!has_length_of_version1_0(container)) {
    return tl::unexpected(cursor.wrong(0, "tag", fmt::format("is not '{}'", kTag),
                                       "the container does not hold a LinkTest result"));
  }
  auto result = major == 1 ? read_version1(container, encoding, diagnostics)
                           : read_version2(container, encoding, diagnostics);
  if (result) check_times(*result, container.path(), diagnostics);
  return result;
}

std::string add_retests(Iteration& to, std::uint32_t ranks, const std::vector<double>& first,
                        const std::vector<double>& second, const std::vector<std::uint64_t>& initiators,
                        const std::vector<std::uint64_t>& responders) {
  std::size_t unknown = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const auto a = initiators[i], b = responders[i];
    if (a == b) continue;
    if (a < ranks && b < ranks)
      to.retests.push_back(
          {static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), first[i], second[i]});
    else
      ++unknown;
  }
  if (unknown == 0) return "";
  return fmt::format("{} of {} retests name ranks that do not exist: left out", unknown, first.size());
}

}  // namespace busline::linktest
