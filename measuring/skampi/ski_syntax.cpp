#include "measuring/skampi/ski_syntax.hpp"

#include <fmt/format.h>

#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>

#include "documents/fields/printable.hpp"
#include "measuring/skampi/ski_cursor.hpp"
#include "measuring/skampi/ski_term_parser.hpp"

namespace busline::skampi {
namespace {

using StatementKind = SkiStatement::Kind;
using TokenKind = SkiToken::Kind;

class Parser {
 public:
  explicit Parser(std::span<const SkiToken> tokens) : at_(tokens) {}

  Expected<std::vector<SkiStatement>> script() {
    std::vector<SkiStatement> all;
    while (at_.now().kind != TokenKind::end) {
      auto s = at_.now().is("begin") ? measurement() : simple_statement();
      if (!s) return tl::unexpected(std::move(s.error()));
      all.push_back(*std::move(s));
    }
    return all;
  }

 private:
  Expected<SkiStatement> measurement() {
    SkiStatement s;
    s.kind = StatementKind::measurement;
    s.place = at_.now().place;
    at_.go_on();
    if (auto ok = at_.require("measurement", "after begin"); !ok)
      return tl::unexpected(std::move(ok.error()));
    if (at_.now().kind != TokenKind::text) return at_.wrong("the name of the measurement in quotes");
    s.name = at_.now().text;
    at_.go_on();
    if (auto ok = block(s.body, {"end"}, s.place, "begin measurement"); !ok)
      return tl::unexpected(std::move(ok.error()));
    at_.go_on();
    if (auto ok = at_.require("measurement", "after end"); !ok) return tl::unexpected(std::move(ok.error()));
    return s;
  }

  // Statements up to one of the words, which is left.
  Expected<void> block(std::vector<SkiStatement>& to, std::initializer_list<std::string_view> ends,
                       const SkiPlace& begin, std::string_view construct) {
    const SkiCursor::Level level(at_);
    if (level.too_deep()) return at_.too_deep();
    for (;;) {
      for (const auto end : ends)
        if (at_.now().is(end)) return {};
      if (at_.now().kind == TokenKind::end)
        return tl::unexpected(begin.error(
            fmt::format("'{}' of this '{}' is missing: the script ends", *(ends.end() - 1), construct)));
      auto s = statement();
      if (!s) return tl::unexpected(std::move(s.error()));
      to.push_back(*std::move(s));
    }
  }

  Expected<SkiStatement> statement() {
    const auto& t = at_.now();
    if (t.is("for") || t.is("autorefine")) return loop();
    if (t.is("if")) return branch();
    SkiStatement s;
    s.place = t.place;
    if (t.is("measure")) {
      s.kind = StatementKind::measure;
      at_.go_on();
      auto communicator = parse_ski_term(at_);
      if (!communicator) return tl::unexpected(std::move(communicator.error()));
      if (auto ok = at_.require(":", "after the communicator"); !ok)
        return tl::unexpected(std::move(ok.error()));
      auto operation = parse_ski_term(at_);
      if (!operation) return tl::unexpected(std::move(operation.error()));
      if (operation->kind != SkiTerm::Kind::call)
        return tl::unexpected(
            s.place.error("expected an operation with arguments after 'measure', such as Barrier()"));
      s.terms = {*std::move(communicator), *std::move(operation)};
      return s;
    }
    if (t.is("print") || t.is("print_all") || t.is("flush")) {
      s.kind = StatementKind::print;
      const bool has_terms = !t.is("flush");
      at_.go_on();
      do {
        if (!has_terms) break;
        auto printed = parse_ski_term(at_);
        if (!printed) return tl::unexpected(std::move(printed.error()));
        s.terms.push_back(*std::move(printed));
      } while (at_.take(","));
      return s;
    }
    return simple_statement();
  }

  Expected<SkiStatement> simple_statement() {
    const auto& t = at_.now();
    if (t.kind != TokenKind::name || is_ski_keyword(t))
      return at_.wrong("a statement", t.is("for") || t.is("if") || t.is("measure") || t.is("autorefine")
                                          ? "it belongs between 'begin measurement' and 'end measurement'"
                                          : "");
    SkiStatement s;
    s.place = t.place;
    if (at_.after().is("=")) {
      s.kind = StatementKind::assign;
      s.name = t.text;
      at_.go_on();
      at_.go_on();
    } else if (!at_.after().is("(")) {
      at_.go_on();
      return at_.wrong(fmt::format("'=' or '(' after {}", printable(t.text)));
    }
    auto value = parse_ski_term(at_);
    if (!value) return tl::unexpected(std::move(value.error()));
    s.terms.push_back(*std::move(value));
    return s;
  }

  Expected<SkiStatement> loop() {
    SkiStatement s;
    s.place = at_.now().place;
    s.refines = at_.now().is("autorefine");
    at_.go_on();
    if (at_.now().kind != TokenKind::name || is_ski_keyword(at_.now())) return at_.wrong("the loop variable");
    s.name = at_.now().text;
    at_.go_on();
    auto ok = at_.now().is("in") && !s.refines ? list_head(s) : range_head(s);
    if (ok) ok = at_.require("do", "before the body of the loop");
    if (ok) ok = block(s.body, {"od"}, s.place, s.refines ? "autorefine" : "for");
    if (!ok) return tl::unexpected(std::move(ok.error()));
    at_.go_on();
    return s;
  }

  Expected<void> list_head(SkiStatement& s) {
    s.kind = StatementKind::list_loop;
    at_.go_on();
    if (!at_.take("[")) {
      // An iterator: range(a, b), squares(a, b).
      return add_term(s.terms);
    }
    while (!at_.now().is("]")) {
      if (auto ok = add_term(s.terms); !ok) return ok;
      if (!at_.take(",") && !at_.now().is("]")) return at_.wrong("',' or ']'");
    }
    at_.go_on();
    return {};
  }

  Expected<void> range_head(SkiStatement& s) {
    s.kind = StatementKind::range_loop;
    auto ok = at_.require("=", "or 'in' after the loop variable");
    if (ok) ok = add_term(s.terms);
    if (ok) ok = at_.require("to", "after the first value of the loop");
    if (!ok) return ok;
    s.is_open = at_.take("...");
    if (s.is_open)
      s.terms.emplace_back();
    else if (ok = add_term(s.terms); !ok)
      return ok;
    if (!at_.take("step")) return {};
    s.multiplies = at_.take("*");
    if (ok = add_term(s.terms); !ok || !at_.take("multipleof")) return ok;
    return add_term(s.multiple_of);
  }

  Expected<SkiStatement> branch() {
    SkiStatement s;
    s.kind = StatementKind::branch;
    s.place = at_.now().place;
    at_.go_on();
    auto ok = add_term(s.terms);
    if (ok) ok = at_.require("then", "after the condition");
    if (ok) ok = block(s.body, {"else", "fi"}, s.place, "if");
    if (ok && at_.take("else")) ok = block(s.otherwise, {"fi"}, s.place, "if");
    if (!ok) return tl::unexpected(std::move(ok.error()));
    at_.go_on();
    return s;
  }

  Expected<void> add_term(std::vector<SkiTerm>& to) {
    auto t = parse_ski_term(at_);
    if (!t) return tl::unexpected(std::move(t.error()));
    to.push_back(*std::move(t));
    return {};
  }

  SkiCursor at_;
};

}  // namespace

Expected<std::vector<SkiStatement>> parse_ski(const std::vector<SkiToken>& tokens) {
  return Parser(tokens).script();
}

}  // namespace busline::skampi
