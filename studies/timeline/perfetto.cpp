// The JSON that Perfetto, speedscope and other viewers read: "Trace Event Format", the part of it that
// Perfetto documents: B, E, i, s, f, C and M. Nodes are its processes, ranks its threads.
//
// Slices are pairs of B and E, never X with a duration: viewers add the two as doubles, and the sum can lie
// behind the start of the next slice. A B and an E that are one instant are the same digits here.
#include <fmt/format.h>

#include <map>
#include <utility>

#include "documents/text/json_text.hpp"
#include "studies/timeline/format.hpp"
#include "workloads/files/text_lines.hpp"

namespace busline::timeline {
namespace {

constexpr std::size_t kMicrosecondDigits = 6;  // digits of a picosecond in the unit of the format

// Process and thread 0 are reserved for a system's idle task.
class Events {
 public:
  Events(const Timeline& t, TextLines& out) : timeline_(t), out_(out) {
    for (const auto& name : t.calls) calls_.push_back(json_text(name));
    for (const auto& l : t.levels) levels_.push_back(json_text(l.name));
    for (const auto& e : t.events) labels_.emplace(std::pair(e.type, e.value), json_text(e.text));
  }

  void names() {
    out_.put(fmt::format(
        R"({{"displayTimeUnit":"ns","otherData":{{"producer":"busline","title":{}}},"traceEvents":[)",
        json_text(timeline_.title)));
    out_.put('\n');
    for (std::uint32_t n = 0; n < timeline_.nodes.size(); ++n)
      name_of_process(n, fmt::format("node {}", timeline_.nodes[n].number));
    name_of_process(network(), "machine");
    for (std::uint32_t i = 0; i < timeline_.tracks.size(); ++i) {
      const auto& t = timeline_.tracks[i];
      const auto place = fmt::format(R"("pid":{},"tid":{})", t.node + 1, i + 1);
      next();
      out_.put(fmt::format(R"({{"ph":"M","name":"thread_name",{},"args":{{"name":"{}"}}}})", place,
                           timeline_.name_of(t)));
      next();
      out_.put(
          fmt::format(R"({{"ph":"M","name":"thread_sort_index",{},"args":{{"sort_index":{}}}}})", place, i));
      places_.push_back(fmt::format(",{},\"ts\":", place));
    }
  }

  void write(const Record& r) {
    switch (r.kind) {
      case Kind::state:
        if (r.state == State::ended) return;
        slice('B', r.track, r.at);
        out_.put(R"(,"cat":"state","name":")");
        out_.put(name_of(r.state));
        out_.put("\"}");
        slice('E', r.track, r.until);
        out_.put('}');
        return;
      case Kind::enter:
        slice('B', r.track, r.at);
        out_.put(R"(,"cat":"call","name":)");
        out_.put(calls_[r.name]);
        out_.put('}');
        return;
      case Kind::leave:
        slice('E', r.track, r.at);
        out_.put('}');
        return;
      case Kind::event:
        slice('i', r.track, r.at);
        return user_event(r);
      case Kind::send:
        return arrow(r);
      case Kind::message:
        // No call sends a part of a collective's algorithm, nor answers a get.
        if (r.flags != 0) arrow(r);
        slice('f', r.peer, r.until);
        return message(r);
      case Kind::level:
        return level(r);
      default:
        return;
    }
  }

  void end() { out_.put("\n]}\n"); }

 private:
  std::uint32_t network() const { return static_cast<std::uint32_t>(timeline_.nodes.size()); }
  void next() {
    if (first_)
      first_ = false;
    else
      out_.put(','), out_.end_line();
  }
  void name_of_process(std::uint32_t n, const std::string& name) {
    next();
    out_.put(
        fmt::format(R"({{"ph":"M","name":"process_name","pid":{},"args":{{"name":"{}"}}}})", n + 1, name));
  }
  void slice(char phase, std::uint32_t track, std::int64_t at) {
    next();
    out_.put(R"({"ph":")");
    out_.put(phase);
    out_.put('"');
    out_.put(places_[track]);
    out_.decimal(at, kMicrosecondDigits);
  }
  void user_event(const Record& r) {
    const auto label = labels_.find({r.name, r.value});
    out_.put(R"(,"s":"t","cat":"event","name":)");
    out_.put(label == labels_.end() ? fmt::format("\"event {}\"", r.name) : label->second);
    out_.put(fmt::format(R"(,"args":{{"type":{},"value":{}}}}})", r.name, r.value));
  }
  void arrow(const Record& r) {
    slice('s', r.track, r.at);
    out_.put(R"(,"cat":"message","name":"message","id":)");
    out_.number(r.message);
    out_.put('}');
  }
  void message(const Record& r) {
    out_.put(R"(,"bp":"e","cat":"message","name":"message","id":)");
    out_.number(r.message);
    out_.put(fmt::format(R"(,"args":{{"from":{},"bytes":{},)", timeline_.tracks[r.track].rank, r.value));
    if ((r.flags & Record::part) == 0) out_.put(fmt::format(R"("tag":{},)", r.tag));
    out_.put(R"("begins":)");
    out_.decimal(r.physical_send, kMicrosecondDigits);
    out_.put(R"(,"arrives":)");
    out_.decimal(r.physical_receive, kMicrosecondDigits);
    out_.put("}}");
  }
  void level(const Record& r) {
    const auto& l = timeline_.levels[r.name];
    next();
    out_.put(fmt::format(R"({{"ph":"C","pid":{},"name":{},"ts":)", (l.node == kNone ? network() : l.node) + 1,
                         levels_[r.name]));
    out_.decimal(r.at, kMicrosecondDigits);
    out_.put(R"(,"args":{"number":)");
    out_.number(r.value);
    out_.put("}}");
  }

  const Timeline& timeline_;
  TextLines& out_;
  std::vector<std::string> calls_, levels_;  // as JSON
  std::map<std::pair<std::uint32_t, std::int64_t>, std::string> labels_;
  std::vector<std::string> places_;  // by track
  bool first_ = true;
};

}  // namespace

Expected<bool> write_perfetto(const Writing& w) {
  auto file = OutputFile::create(w.path);
  if (!file) return tl::unexpected(std::move(file.error()));
  TextLines out(*file);
  Events events(w.timeline, out);
  events.names();
  auto complete = write_records(w, out, [&](const Record& r) { events.write(r); });
  events.end();
  return commit(*file, out, std::move(complete));
}

}  // namespace busline::timeline
