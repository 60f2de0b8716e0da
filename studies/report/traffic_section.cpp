#include "studies/report/traffic_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "documents/text/readable.hpp"
#include "sim/base/quantity.hpp"
#include "studies/report/members.hpp"

namespace busline::report {
namespace {

constexpr std::uint64_t kMostFields = 256;

// Sums over blocks of ranks, where there are more ranks than fields.
Figure matrix(const Traffic& t) {
  const auto block = (t.ranks + kMostFields - 1) / kMostFields;
  const auto width = (t.ranks + block - 1) / block;
  Matrix m{"sender", "receiver", {"bytes", Unit::bytes, true}, {}, {}, false};
  for (std::uint64_t i = 0; i < width; ++i) m.names.push_back(fmt::format("{}", i * block));
  m.values.resize(width * width);
  for (const auto& p : t.pairs) {
    auto& v = m.values[p.source / block * width + p.destination / block];
    v = v.value_or(0) + static_cast<double>(p.bytes);
  }
  return {"Communication between ranks",
          block > 1
              ? fmt::format("Dark is much. Each field shows the sum of {0} x {0} pairs of ranks.", block)
              : std::string("Dark is much."),
          std::move(m)};
}

Figure sizes(const Traffic& t) {
  Table table;
  table.columns = {
      {"bytes from", Unit::bytes}, {"messages"}, {"bytes", Unit::bytes}, {"of all bytes", Unit::share}};
  for (const auto& s : t.sizes)
    table.rows.push_back({static_cast<double>(s.from_bytes), static_cast<double>(s.messages),
                          static_cast<double>(s.bytes),
                          t.bytes == 0 ? 0 : static_cast<double>(s.bytes) / static_cast<double>(t.bytes)});
  return {"Sizes of messages", "", std::move(table)};
}

Figure functions(const Traffic& t) {
  Table table;
  table.columns = {{"call"}, {"calls"}, {"time in it, all ranks", Unit::time}, {"bytes", Unit::bytes}};
  for (const auto& f : t.functions)
    table.rows.push_back({f.name, static_cast<double>(f.calls), static_cast<double>(f.run_ns) * 1e3,
                          static_cast<double>(f.bytes)});
  return {"Calls", "In the traced run.", std::move(table)};
}

std::vector<std::string> traffic_sentences(const Traffic& t) {
  std::vector<std::string> text{fmt::format("{} ranks sent {} messages of {} together.", readable(t.ranks),
                                            readable(t.messages), readable(Bytes{t.bytes}))};
  if (!t.sizes.empty() && t.bytes > 0) {
    const auto most = std::max_element(t.sizes.begin(), t.sizes.end(),
                                       [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
    // Classes go from a power of two to the next one.
    text.push_back(fmt::format("Most bytes, {}, are in messages of {} to {}.",
                               percent(static_cast<double>(most->bytes) / static_cast<double>(t.bytes)),
                               to_text(Bytes{most->from_bytes}), to_text(Bytes{2 * most->from_bytes})));
  }
  if (!t.pairs.empty() && t.ranks > 1) {
    const auto most = std::max_element(t.pairs.begin(), t.pairs.end(),
                                       [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
    std::set<std::pair<std::uint32_t, std::uint32_t>> distinct;
    for (const auto& p : t.pairs) distinct.emplace(p.source, p.destination);
    const auto possible = static_cast<double>(t.ranks) * static_cast<double>(t.ranks - 1);
    text.push_back(
        fmt::format("{} of all ordered pairs of ranks communicate; most is sent from {} to {}: {}.",
                    percent(static_cast<double>(distinct.size()) / possible), most->source, most->destination,
                    readable(Bytes{most->bytes})));
  }
  return text;
}

}  // namespace

Expected<Traffic> read_traffic(const Document& document) {
  const Cursor top(document);
  Members m(top);
  Traffic t;
  m.text("trace", t.trace);
  m.whole("rank_count", t.ranks);
  m.whole("calls", t.calls);
  m.whole("messages", t.messages);
  m.whole("bytes", t.bytes);
  m.list("functions", [&](Members& f) {
    auto& function = t.functions.emplace_back();
    f.text("name", function.name);
    f.whole("calls", function.calls);
    f.whole("run_ns", function.run_ns);
    f.whole("bytes", function.bytes);
  });
  m.list("message_sizes", [&](Members& s) {
    auto& size = t.sizes.emplace_back();
    s.whole("from_bytes", size.from_bytes);
    s.whole("messages", size.messages);
    s.whole("bytes", size.bytes);
  });
  m.object_if_there("job", [&](Members& job) {
    job.list("pairs", [&](Members& p) {
      auto& pair = t.pairs.emplace_back();
      p.whole("source", pair.source);
      p.whole("destination", pair.destination);
      p.whole("messages", pair.messages);
      p.whole("bytes", pair.bytes);
    });
  });
  if (m.error()) return tl::unexpected(*m.error());
  for (std::size_t i = 0; i < t.pairs.size(); ++i)
    if (t.pairs[i].source >= t.ranks || t.pairs[i].destination >= t.ranks)
      return tl::unexpected(top.error_within(fmt::format("/job/pairs/{}", i),
                                             fmt::format("names a rank that is not among the {}", t.ranks)));
  return t;
}

Section traffic_section(const Traffic& t, const std::string& source) {
  Section s{"traffic", t.trace, source, traffic_sentences(t)};
  s.facts = {{"ranks", readable(t.ranks)},
             {"calls", readable(t.calls)},
             {"messages", readable(t.messages)},
             {"bytes", readable(Bytes{t.bytes})}};
  if (!t.pairs.empty()) s.figures.push_back(matrix(t));
  if (!t.sizes.empty()) s.figures.push_back(sizes(t));
  if (!t.functions.empty()) s.figures.push_back(functions(t));
  return s;
}

}  // namespace busline::report
