#include "studies/study/team_letters.hpp"

#include "sim/base/field_bytes.hpp"

namespace busline {

template <class A>
void pass_fields(A& a, Outcome& o) {
  a(o.status, o.reason, o.program, o.wall_s);
  for (const auto& column : kFigureColumns) a(o.*column.figure);
}
template <class A>
void pass_fields(A& a, FinishedPoint& f) {
  a(f.point.point, f.point.id, f.point.outcome, f.simulated);
}
template <class A>
void pass_fields(A& a, std::pair<std::string, Outcome::Status>& p) {
  a(p.first, p.second);
}
template <class A>
void pass_fields(A& a, TeamLetter& l) {
  a(l.kind);
  switch (l.kind) {
    case LetterKind::absent:
      return a(l.reason);
    case LetterKind::done:
      return a(l.finished);
    case LetterKind::known:
      return a(l.known);
    case LetterKind::points:
      return a(l.points);
    case LetterKind::ready:
    case LetterKind::wants:
    case LetterKind::dismiss:
      break;
  }
}

std::string to_bytes(TeamLetter letter) {
  FieldWriter writer;
  writer(letter);
  return std::move(writer.bytes);
}

std::string bytes_of(LetterKind kind) {
  TeamLetter letter;
  letter.kind = kind;
  return to_bytes(std::move(letter));
}

TeamLetter letter_from(std::string_view bytes) {
  FieldReader reader(bytes);
  TeamLetter letter;
  reader(letter);
  if (reader.good()) return letter;
  TeamLetter cut;
  cut.kind = LetterKind::absent;
  cut.reason = "its message was truncated";
  return cut;
}

}  // namespace busline
