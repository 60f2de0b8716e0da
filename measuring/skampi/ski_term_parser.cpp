#include "measuring/skampi/ski_term_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace busline::skampi {
namespace {

// From the loosest to the tightest.
constexpr std::array<std::array<std::string_view, 7>, 5> kOperators{
    {{"or"}, {"and"}, {"==", "!=", "<>", "<", ">", "<=", ">="}, {"+", "-"}, {"*", "/", "%"}}};

class TermParser {
 public:
  explicit TermParser(SkiCursor& at) : at_(at) {}

  Expected<SkiTerm> term() {
    const SkiCursor::Level level(at_);
    if (level.too_deep()) return at_.too_deep();
    return infix(0);
  }

 private:
  // False: the tree is too deep.
  static bool add_part(SkiTerm& to, SkiTerm&& part) {
    to.depth = std::max(to.depth, part.depth + 1);
    to.parts.push_back(std::move(part));
    return to.depth <= kDeepestSyntax;
  }

  Expected<SkiTerm> infix(std::size_t priority) {
    if (priority == kOperators.size()) return prefix();
    auto left = infix(priority + 1);
    while (left && is_operator(priority)) {
      SkiTerm both;
      both.kind = SkiTerm::Kind::infix;
      both.text = at_.now().text;
      both.place = at_.now().place;
      at_.go_on();
      auto right = infix(priority + 1);
      if (!right) return right;
      if (!add_part(both, *std::move(left)) || !add_part(both, *std::move(right))) return at_.too_deep();
      left = std::move(both);
    }
    return left;
  }

  bool is_operator(std::size_t priority) const {
    for (const auto o : kOperators[priority])
      if (!o.empty() && at_.now().is(o)) return true;
    return false;
  }

  Expected<SkiTerm> prefix() {
    if (!at_.now().is("-") && !at_.now().is("+") && !at_.now().is("not")) return value();
    const SkiCursor::Level level(at_);
    if (level.too_deep()) return at_.too_deep();
    SkiTerm t;
    t.kind = SkiTerm::Kind::prefix;
    t.text = at_.now().text;
    t.place = at_.now().place;
    at_.go_on();
    auto operand = prefix();
    if (!operand) return operand;
    if (!add_part(t, *std::move(operand))) return at_.too_deep();
    return t;
  }

  Expected<SkiTerm> value() {
    SkiTerm t;
    t.place = at_.now().place;
    t.text = at_.now().text;
    switch (at_.now().kind) {
      case SkiToken::Kind::whole:
        t.whole = at_.now().whole;
        at_.go_on();
        return t;
      case SkiToken::Kind::real:
        t.kind = SkiTerm::Kind::real;
        t.real = at_.now().real;
        at_.go_on();
        return t;
      case SkiToken::Kind::text:
        t.kind = SkiTerm::Kind::text;
        at_.go_on();
        return t;
      case SkiToken::Kind::name:
        if (is_ski_keyword(at_.now())) break;
        t.kind = SkiTerm::Kind::name;
        at_.go_on();
        if (!at_.take("(")) return t;
        t.kind = SkiTerm::Kind::call;
        return list(std::move(t), ")");
      default:
        break;
    }
    if (at_.take("(")) {
      auto inner = term();
      if (!inner) return inner;
      if (auto ok = at_.require(")", "after the expression"); !ok)
        return tl::unexpected(std::move(ok.error()));
      return inner;
    }
    if (at_.take("{")) {
      t.kind = SkiTerm::Kind::list;
      return list(std::move(t), "}");
    }
    return at_.wrong("a value");
  }

  Expected<SkiTerm> list(SkiTerm t, std::string_view end) {
    if (at_.take(end)) return t;
    for (;;) {
      auto part = term();
      if (!part) return part;
      if (!add_part(t, *std::move(part))) return at_.too_deep();
      if (at_.take(end)) return t;
      if (!at_.take(",")) return at_.wrong(fmt::format("',' or '{}'", end));
    }
  }

  SkiCursor& at_;
};

}  // namespace

Expected<SkiTerm> parse_ski_term(SkiCursor& at) {
  return TermParser(at).term();
}

}  // namespace busline::skampi
