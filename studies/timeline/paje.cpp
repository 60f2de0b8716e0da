// A Paje trace, which ViTE and pajeng show: a container for each node and, in it, for each strand; the states
// of strands, messages as links, levels as variables. By time. Source: "Paje trace file format", Schnorr.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "studies/timeline/format.hpp"
#include "studies/timeline/one_line.hpp"
#include "workloads/files/text_lines.hpp"

namespace busline::timeline {
namespace {

constexpr std::size_t kSecondDigits = 12;  // digits of a picosecond in the unit of the format

// An event of the format: its name, and what its lines have after its number.
struct Definition {
  std::string_view name;
  std::string_view fields;
};
enum Event {
  container_type,
  state_type,
  link_type,
  variable_type,
  event_type,
  value,
  create,
  destroy,
  set_state,
  start_link,
  end_link,
  set_variable,
  new_event
};
constexpr std::array<Definition, 13> kDefinitions{{
    {"PajeDefineContainerType", "Alias string,Type string,Name string"},
    {"PajeDefineStateType", "Alias string,Type string,Name string"},
    {"PajeDefineLinkType",
     "Alias string,Type string,StartContainerType string,EndContainerType string,Name string"},
    {"PajeDefineVariableType", "Alias string,Type string,Name string,Color color"},
    {"PajeDefineEventType", "Alias string,Type string,Name string"},
    {"PajeDefineEntityValue", "Alias string,Type string,Name string,Color color"},
    {"PajeCreateContainer", "Time date,Alias string,Type string,Container string,Name string"},
    {"PajeDestroyContainer", "Time date,Type string,Name string"},
    {"PajeSetState", "Time date,Type string,Container string,Value string"},
    {"PajeStartLink", "Time date,Type string,Container string,Value string,StartContainer string,Key string"},
    {"PajeEndLink", "Time date,Type string,Container string,Value string,EndContainer string,Key string"},
    {"PajeSetVariable", "Time date,Type string,Container string,Value double"},
    {"PajeNewEvent", "Time date,Type string,Container string,Value string"},
}};

// Red, green and blue, 0 to 1; by State.
constexpr std::array<std::string_view, kStates> kColours{
    "0.2 0.4 0.8", "0.9 0.0 0.4", "0.4 0.8 0.0", "0.9 0.1 0.1", "0.9 0.0 0.7",
    "0.7 0.1 0.1", "0.6 0.3 0.1", "1.0 0.6 0.1", "1.0 1.0 0.2", "0.8 0.9 1.0"};

class Lines {
 public:
  Lines(const Timeline& t, TextLines& out)
      : timeline_(t), out_(out), states_(t.tracks.size(), State::ended) {}

  void head(std::int64_t begin) {
    for (std::size_t i = 0; i < kDefinitions.size(); ++i) {
      out_.line(fmt::format("%EventDef {} {}", kDefinitions[i].name, i));
      std::string fields(kDefinitions[i].fields);
      for (std::size_t comma = 0; (comma = fields.find(',', comma)) != fields.npos; comma += 3)
        fields.replace(comma, 1, "\n% ");
      out_.line(fmt::format("% {}\n%EndEventDef", fields));
    }
    out_.line(fmt::format("{} M 0 \"machine\"\n{} N M \"node\"\n{} R N \"rank\"", +container_type,
                          +container_type, +container_type));
    out_.line(fmt::format("{} S R \"state\"\n{} L M R R \"message\"\n{} E R \"event\"", +state_type,
                          +link_type, +event_type));
    for (std::size_t s = 0; s < kStates; ++s)
      out_.line(fmt::format("{} S{} S \"{}\" \"{}\"", +value, s, kStateNames[s], kColours[s]));
    for (std::size_t i = 0; i < timeline_.levels.size(); ++i)
      out_.line(fmt::format("{} V{} {} \"{}\" \"0.3 0.3 0.3\"", +variable_type, i,
                            timeline_.levels[i].node == kNone ? 'M' : 'N',
                            one_line(timeline_.levels[i].name, '"')));
    timed(create, begin, "m M 0 machine");
    for (std::size_t n = 0; n < timeline_.nodes.size(); ++n)
      timed(create, begin, fmt::format("n{} N m \"node {}\"", n, timeline_.nodes[n].number));
    for (std::size_t i = 0; i < timeline_.tracks.size(); ++i)
      timed(create, begin,
            fmt::format("r{} R n{} \"{}\"", i, timeline_.tracks[i].node,
                        timeline_.name_of(timeline_.tracks[i])));
  }

  void write(const Record& r) {
    switch (r.kind) {
      case Kind::state:
        // Pieces of one state follow one another where a message came in between.
        if (std::exchange(states_[r.track], r.state) == r.state) return;
        return timed(set_state, r.at, fmt::format("S r{} S{}", r.track, static_cast<unsigned>(r.state)));
      case Kind::event:
        return timed(new_event, r.at, fmt::format("E r{} \"{}\"", r.track, label(r)));
      case Kind::message:
        return timed(start_link, r.physical_send,
                     fmt::format("L m \"{} B\" r{} {}", r.value, r.track, r.message));
      case Kind::arrival:
        return timed(end_link, r.physical_receive,
                     fmt::format("L m \"{} B\" r{} {}", r.value, r.peer, r.message));
      case Kind::level:
        return timed(set_variable, r.at, fmt::format("V{} {} {}", r.name, container(r.name), r.value));
      default:
        return;
    }
  }

  void end(std::int64_t at) {
    for (std::size_t i = 0; i < timeline_.tracks.size(); ++i) timed(destroy, at, fmt::format("R r{}", i));
    for (std::size_t n = 0; n < timeline_.nodes.size(); ++n) timed(destroy, at, fmt::format("N n{}", n));
    timed(destroy, at, "M m");
  }

 private:
  void timed(Event event, std::int64_t at, std::string_view rest) {
    out_.number(event);
    out_.put(' ');
    out_.decimal(at, kSecondDigits);
    out_.put(' ');
    out_.line(rest);
  }
  std::string label(const Record& r) const {
    for (const auto& e : timeline_.events)
      if (e.type == r.name && e.value == r.value) return one_line(e.text, '"');
    return fmt::format("{}: {}", r.name, r.value);
  }
  std::string container(std::uint32_t level) const {
    const auto node = timeline_.levels[level].node;
    return node == kNone ? "m" : fmt::format("n{}", node);
  }

  const Timeline& timeline_;
  TextLines& out_;
  std::vector<State> states_;
};

}  // namespace

Expected<bool> write_paje(const Writing& w) {
  auto file = OutputFile::create(w.path);
  if (!file) return tl::unexpected(std::move(file.error()));
  TextLines out(*file);
  Lines lines(w.timeline, out);
  lines.head(w.begin);
  auto complete = write_records(w, out, [&](const Record& r) { lines.write(r); });
  lines.end(w.end);
  return commit(*file, out, std::move(complete));
}

}  // namespace busline::timeline
