#include "validation/measure/skampi/ski_syntax.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>

#include "platforms/document/printable.hpp"

namespace busline::skampi {
namespace {

using StatementKind = SkiStatement::Kind;
using TokenKind = SkiToken::Kind;

// From the loosest to the tightest.
constexpr std::array<std::array<std::string_view, 7>, 5> kOperators{
    {{"or"}, {"and"}, {"==", "!=", "<>", "<", ">", "<=", ">="}, {"+", "-"}, {"*", "/", "%"}}};
constexpr std::array<std::string_view, 22> kKeywords{
    "begin", "end", "measurement", "to",         "step",    "print", "print_all", "flush",
    "for",   "do",  "od",          "in",         "if",      "then",  "else",      "fi",
    "and",   "or",  "multipleof",  "autorefine", "measure", "not"};

bool is_keyword(const SkiToken& t) {
  for (const auto word : kKeywords)
    if (t.kind == TokenKind::name && t.text == word) return true;
  return false;
}

std::string told(const SkiToken& t) {
  switch (t.kind) {
    case TokenKind::end:
      return "the script ends";
    case TokenKind::whole:
      return fmt::format("found {}", t.whole);
    case TokenKind::real:
      return fmt::format("found {}", t.real);
    default:
      return fmt::format("found '{}'", printable(t.text));
  }
}

class Parser {
 public:
  explicit Parser(std::span<const SkiToken> tokens) : tokens_(tokens) {}

  Expected<std::vector<SkiStatement>> script() {
    std::vector<SkiStatement> all;
    while (now().kind != TokenKind::end) {
      auto s = now().is("begin") ? measurement() : simple_statement();
      if (!s) return tl::unexpected(std::move(s.error()));
      all.push_back(*std::move(s));
    }
    return all;
  }

 private:
  // Counts how deep things are within one another.
  class Level {
   public:
    explicit Level(std::size_t& depth) : depth_(++depth) {}
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { --depth_; }
    bool too_deep() const { return depth_ > kDeepestSyntax; }

   private:
    std::size_t& depth_;
  };

  const SkiToken& now() const { return tokens_[at_]; }
  const SkiToken& after() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  void go_on() { at_ = std::min(at_ + 1, tokens_.size() - 1); }
  bool take(std::string_view word) {
    if (!now().is(word)) return false;
    go_on();
    return true;
  }
  tl::unexpected<Error> wrong(std::string_view expected, std::string hint = "") const {
    return tl::unexpected(
        now().place.error(fmt::format("expected {}, {}", expected, told(now())), std::move(hint)));
  }
  Expected<void> require(std::string_view word, std::string_view what) {
    if (take(word)) return {};
    return wrong(fmt::format("'{}' {}", word, what));
  }
  tl::unexpected<Error> too_deep() const {
    return tl::unexpected(
        now().place.error(fmt::format("more than {} things are within one another here", kDeepestSyntax)));
  }

  Expected<SkiStatement> measurement() {
    SkiStatement s;
    s.kind = StatementKind::measurement;
    s.place = now().place;
    go_on();
    if (auto ok = require("measurement", "behind begin"); !ok) return tl::unexpected(std::move(ok.error()));
    if (now().kind != TokenKind::text) return wrong("the name of the measurement in quotes");
    s.name = now().text;
    go_on();
    if (auto ok = block(s.body, {"end"}, s.place, "begin measurement"); !ok)
      return tl::unexpected(std::move(ok.error()));
    go_on();
    if (auto ok = require("measurement", "behind end"); !ok) return tl::unexpected(std::move(ok.error()));
    return s;
  }

  // Statements up to one of the words, which is left.
  Expected<void> block(std::vector<SkiStatement>& to, std::initializer_list<std::string_view> ends,
                       const SkiPlace& begin, std::string_view construct) {
    const Level level(depth_);
    if (level.too_deep()) return too_deep();
    for (;;) {
      for (const auto end : ends)
        if (now().is(end)) return {};
      if (now().kind == TokenKind::end)
        return tl::unexpected(begin.error(
            fmt::format("'{}' of this '{}' is missing: the script ends", *(ends.end() - 1), construct)));
      auto s = statement();
      if (!s) return tl::unexpected(std::move(s.error()));
      to.push_back(*std::move(s));
    }
  }

  Expected<SkiStatement> statement() {
    const auto& t = now();
    if (t.is("for") || t.is("autorefine")) return loop();
    if (t.is("if")) return branch();
    SkiStatement s;
    s.place = t.place;
    if (t.is("measure")) {
      s.kind = StatementKind::measure;
      go_on();
      auto communicator = term();
      if (!communicator) return tl::unexpected(std::move(communicator.error()));
      if (auto ok = require(":", "behind the communicator"); !ok)
        return tl::unexpected(std::move(ok.error()));
      auto operation = term();
      if (!operation) return tl::unexpected(std::move(operation.error()));
      if (operation->kind != SkiTerm::Kind::call)
        return tl::unexpected(
            s.place.error("expected an operation with arguments behind 'measure', such as Barrier()"));
      s.terms = {*std::move(communicator), *std::move(operation)};
      return s;
    }
    if (t.is("print") || t.is("print_all") || t.is("flush")) {
      s.kind = StatementKind::print;
      const bool has_terms = !t.is("flush");
      go_on();
      do {
        if (!has_terms) break;
        auto printed = term();
        if (!printed) return tl::unexpected(std::move(printed.error()));
        s.terms.push_back(*std::move(printed));
      } while (take(","));
      return s;
    }
    return simple_statement();
  }

  Expected<SkiStatement> simple_statement() {
    const auto& t = now();
    if (t.kind != TokenKind::name || is_keyword(t))
      return wrong("a statement", t.is("for") || t.is("if") || t.is("measure") || t.is("autorefine")
                                      ? "it belongs between 'begin measurement' and 'end measurement'"
                                      : "");
    SkiStatement s;
    s.place = t.place;
    if (after().is("=")) {
      s.kind = StatementKind::assign;
      s.name = t.text;
      go_on();
      go_on();
    } else if (!after().is("(")) {
      go_on();
      return wrong(fmt::format("'=' or '(' behind {}", printable(t.text)));
    }
    auto value = term();
    if (!value) return tl::unexpected(std::move(value.error()));
    s.terms.push_back(*std::move(value));
    return s;
  }

  Expected<SkiStatement> loop() {
    SkiStatement s;
    s.place = now().place;
    s.refines = now().is("autorefine");
    go_on();
    if (now().kind != TokenKind::name || is_keyword(now())) return wrong("the variable of the loop");
    s.name = now().text;
    go_on();
    auto ok = now().is("in") && !s.refines ? list_head(s) : range_head(s);
    if (ok) ok = require("do", "before what the loop repeats");
    if (ok) ok = block(s.body, {"od"}, s.place, s.refines ? "autorefine" : "for");
    if (!ok) return tl::unexpected(std::move(ok.error()));
    go_on();
    return s;
  }

  Expected<void> list_head(SkiStatement& s) {
    s.kind = StatementKind::list_loop;
    go_on();
    if (!take("[")) {
      // An iterator: range(a, b), squares(a, b).
      return add_term(s.terms);
    }
    while (!now().is("]")) {
      if (auto ok = add_term(s.terms); !ok) return ok;
      if (!take(",") && !now().is("]")) return wrong("',' or ']'");
    }
    go_on();
    return {};
  }

  Expected<void> range_head(SkiStatement& s) {
    s.kind = StatementKind::range_loop;
    auto ok = require("=", "or 'in' behind the variable of the loop");
    if (ok) ok = add_term(s.terms);
    if (ok) ok = require("to", "behind the first value of the loop");
    if (!ok) return ok;
    s.is_open = take("...");
    if (s.is_open)
      s.terms.emplace_back();
    else if (ok = add_term(s.terms); !ok)
      return ok;
    if (!take("step")) return {};
    s.multiplies = take("*");
    if (ok = add_term(s.terms); !ok || !take("multipleof")) return ok;
    return add_term(s.multiple_of);
  }

  Expected<SkiStatement> branch() {
    SkiStatement s;
    s.kind = StatementKind::branch;
    s.place = now().place;
    go_on();
    auto ok = add_term(s.terms);
    if (ok) ok = require("then", "behind the condition");
    if (ok) ok = block(s.body, {"else", "fi"}, s.place, "if");
    if (ok && take("else")) ok = block(s.otherwise, {"fi"}, s.place, "if");
    if (!ok) return tl::unexpected(std::move(ok.error()));
    go_on();
    return s;
  }

  Expected<void> add_term(std::vector<SkiTerm>& to) {
    auto t = term();
    if (!t) return tl::unexpected(std::move(t.error()));
    to.push_back(*std::move(t));
    return {};
  }

  // False: the tree is too deep.
  static bool add_part(SkiTerm& to, SkiTerm&& part) {
    to.depth = std::max(to.depth, part.depth + 1);
    to.parts.push_back(std::move(part));
    return to.depth <= kDeepestSyntax;
  }

  Expected<SkiTerm> term() {
    const Level level(depth_);
    if (level.too_deep()) return too_deep();
    return infix(0);
  }

  Expected<SkiTerm> infix(std::size_t priority) {
    if (priority == kOperators.size()) return prefix();
    auto left = infix(priority + 1);
    while (left && is_operator(priority)) {
      SkiTerm both;
      both.kind = SkiTerm::Kind::infix;
      both.text = now().text;
      both.place = now().place;
      go_on();
      auto right = infix(priority + 1);
      if (!right) return right;
      if (!add_part(both, *std::move(left)) || !add_part(both, *std::move(right))) return too_deep();
      left = std::move(both);
    }
    return left;
  }

  bool is_operator(std::size_t priority) const {
    for (const auto o : kOperators[priority])
      if (!o.empty() && now().is(o)) return true;
    return false;
  }

  Expected<SkiTerm> prefix() {
    if (!now().is("-") && !now().is("+") && !now().is("not")) return value();
    const Level level(depth_);
    if (level.too_deep()) return too_deep();
    SkiTerm t;
    t.kind = SkiTerm::Kind::prefix;
    t.text = now().text;
    t.place = now().place;
    go_on();
    auto operand = prefix();
    if (!operand) return operand;
    if (!add_part(t, *std::move(operand))) return too_deep();
    return t;
  }

  Expected<SkiTerm> value() {
    SkiTerm t;
    t.place = now().place;
    t.text = now().text;
    switch (now().kind) {
      case TokenKind::whole:
        t.whole = now().whole;
        go_on();
        return t;
      case TokenKind::real:
        t.kind = SkiTerm::Kind::real;
        t.real = now().real;
        go_on();
        return t;
      case TokenKind::text:
        t.kind = SkiTerm::Kind::text;
        go_on();
        return t;
      case TokenKind::name:
        if (is_keyword(now())) break;
        t.kind = SkiTerm::Kind::name;
        go_on();
        if (!take("(")) return t;
        t.kind = SkiTerm::Kind::call;
        return list(std::move(t), ")");
      default:
        break;
    }
    if (take("(")) {
      auto inner = term();
      if (!inner) return inner;
      if (auto ok = require(")", "behind the term"); !ok) return tl::unexpected(std::move(ok.error()));
      return inner;
    }
    if (take("{")) {
      t.kind = SkiTerm::Kind::list;
      return list(std::move(t), "}");
    }
    return wrong("a value");
  }

  Expected<SkiTerm> list(SkiTerm t, std::string_view end) {
    if (take(end)) return t;
    for (;;) {
      auto part = term();
      if (!part) return part;
      if (!add_part(t, *std::move(part))) return too_deep();
      if (take(end)) return t;
      if (!take(",")) return wrong(fmt::format("',' or '{}'", end));
    }
  }

  std::span<const SkiToken> tokens_;
  std::size_t at_ = 0, depth_ = 0;
};

}  // namespace

Expected<std::vector<SkiStatement>> parse_ski(const std::vector<SkiToken>& tokens) {
  return Parser(tokens).script();
}

}  // namespace busline::skampi
