#include "workloads/goal/text_reader.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/base/text_parts.hpp"

namespace busline::goal {
namespace {

constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Words, numbers and signs of the text. The end of a line is a word of its own, "\n"; that of the text is
/// empty.
class GoalWords {
 public:
  explicit GoalWords(std::string_view text) : text_(text) { next(); }

  std::string_view word() const { return word_; }
  std::uint64_t line() const { return word_ == "\n" ? line_ - 1 : line_; }
  bool is_end() const { return word_.empty(); }
  bool open_comment() const { return open_comment_; }

  /// Takes the word if it is this one.
  bool take(std::string_view wanted) {
    if (word_ != wanted) return false;
    next();
    return true;
  }
  std::string_view take() {
    const auto word = word_;
    next();
    return word;
  }
  void skip_lines() {
    while (word_ == "\n") next();
  }

 private:
  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }

  void skip_blanks() {
    for (;;) {
      const auto c = at(at_);
      if (at_ < text_.size() && (c == ' ' || c == '\t' || (c == '\r' && at(at_ + 1) == '\n'))) {
        ++at_;
      } else if (c == '/' && at(at_ + 1) == '/') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '/' && at(at_ + 1) == '*') {
        const auto end = text_.find("*/", at_ + 2);
        open_comment_ = end == text_.npos;
        const auto stop = open_comment_ ? text_.size() : end + 2;
        line_ +=
            static_cast<std::uint64_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                  text_.begin() + static_cast<std::ptrdiff_t>(stop), '\n'));
        at_ = stop;
      } else {
        return;
      }
    }
  }

  void next() {
    skip_blanks();
    const auto begin = at_;
    if (at_ >= text_.size()) {
      word_ = {};
      return;
    }
    const auto c = text_[at_];
    ++at_;
    if (is_letter(c))
      while (is_letter(at(at_)) || is_digit(at(at_)) || at(at_) == '_') ++at_;
    else if (is_digit(c) || (c == '-' && is_digit(at(at_))))
      while (is_digit(at(at_))) ++at_;
    else if (c == '\n')
      ++line_;
    word_ = text_.substr(begin, at_ - begin);
  }

  std::string_view text_, word_;
  std::size_t at_ = 0;
  std::uint64_t line_ = 1;
  bool open_comment_ = false;
};

/// The word as a message shows it.
std::string shown(std::string_view word) {
  if (word.empty()) return "the end of the file";
  if (word == "\n") return "the end of the line";
  return fmt::format("'{}'", word.substr(0, 40));
}

/// The blocks of the ranks. A member function that returns false has set error().
class GoalTextReader {
 public:
  GoalTextReader(std::string_view text, const std::string& path) : words_(text), path_(path) {}

  bool read_head() {
    words_.skip_lines();
    if (!expect("num_ranks") || !number(ranks_, 1, kMostNodes, "a number of ranks")) return false;
    return true;
  }
  std::uint32_t ranks() const { return static_cast<std::uint32_t>(ranks_); }

  bool read_rank(std::uint32_t rank) {
    graph_.clear();
    lines_.clear();
    labels_.clear();
    words_.skip_lines();
    const auto found = fmt::format("block of rank {} of {}: ", rank, ranks_);
    if (words_.is_end()) return fail(found + "missing", words_.line());
    std::uint64_t named = 0;
    if (!expect("rank") || !number(named, rank, rank, "the ranks in ascending order,")) return false;
    words_.skip_lines();
    if (!expect("{")) return false;
    for (;;) {
      words_.skip_lines();
      if (words_.take("}")) break;
      if (words_.is_end())
        return fail(
            words_.open_comment() ? "a comment has no end, expected */" : found + "has no end, expected }",
            words_.line());
      if (!read_line()) return false;
    }
    graph_.arrange();
    return true;
  }
  bool read_end() {
    words_.skip_lines();
    return words_.is_end() || fail(fmt::format("expected the end of the file after {} ranks, found {}",
                                               ranks_, shown(words_.word())),
                                   words_.line());
  }

  const RankGraph& graph() const { return graph_; }
  GoalPlaces places(std::uint32_t rank) const { return {path_, rank, &lines_}; }
  Error& error() { return error_; }

 private:
  bool fail(std::string message, std::uint64_t line) {
    error_.path = path_;
    error_.line = line;
    error_.message = std::move(message);
    return false;
  }
  bool unexpected(std::string_view wanted) {
    return fail(fmt::format("expected {}, found {}", wanted, shown(words_.word())), words_.line());
  }
  bool expect(std::string_view word) { return words_.take(word) || unexpected(fmt::format("'{}'", word)); }

  bool number(std::uint64_t& value, std::uint64_t least, std::uint64_t most, std::string_view what) {
    const auto read = whole_number<std::uint64_t>(words_.word());
    if (!read || *read < least || *read > most)
      return unexpected(fmt::format("{} a whole number from {} to {}", what, least, most));
    value = *read;
    words_.take();
    return true;
  }
  /// A number, or -1 for any.
  bool number_or_any(std::uint32_t& value, bool may_be_any, std::string_view what) {
    if (may_be_any && words_.take("-1")) {
      value = kAny;
      return true;
    }
    std::uint64_t read = 0;
    if (!number(read, 0, kAny - 1, what)) return false;
    value = static_cast<std::uint32_t>(read);
    return true;
  }

  bool read_line() {
    const auto line = words_.line();
    const auto first = words_.word();
    if (first.empty() || !is_letter(first[0])) return unexpected("an operation, a label or }");
    if (first == "send" || first == "recv" || first == "calc") return read_operation();
    words_.take();
    if (words_.take(":")) {
      if (graph_.nodes.size() >= kMostNodes) return fail("too many operations of one rank", line);
      if (!labels_.emplace(first, graph_.size()).second)
        return fail(fmt::format("label {} is used twice", first.substr(0, 40)), line);
      return read_operation();
    }
    const bool on_start = words_.word() == "irequires";
    if (!on_start && words_.word() != "requires") return unexpected("':', 'requires' or 'irequires'");
    words_.take();
    const auto second = words_.word();
    if (second.empty() || !is_letter(second[0])) return unexpected("a label");
    words_.take();
    const auto node = labels_.find(first), on = labels_.find(second);
    if (node == labels_.end() || on == labels_.end())
      return fail(fmt::format("label {} does not stand before an operation above",
                              (node == labels_.end() ? first : second).substr(0, 40)),
                  line);
    graph_.depend(node->second, {on->second, on_start});
    return end_line();
  }

  bool end_line() { return words_.word() == "}" || words_.is_end() || expect("\n"); }

  bool read_operation() {
    GoalNode n;
    const auto line = words_.line();
    if (words_.take("calc")) {
      if (!number(n.amount, 0, ~std::uint64_t{0}, "a length,")) return false;
    } else {
      const bool sends = words_.word() == "send";
      if (!sends && words_.word() != "recv") return unexpected("'send', 'recv' or 'calc'");
      words_.take();
      n.kind = sends ? NodeKind::send : NodeKind::receive;
      if (!number(n.amount, 0, ~std::uint64_t{0}, "a size,") || !expect("b") ||
          !expect(sends ? "to" : "from") || !number_or_any(n.peer, !sends, "a rank,"))
        return false;
      if (words_.take("tag") && !number_or_any(n.tag, !sends, "a tag,")) return false;
    }
    std::uint64_t cpu = 0, nic = 0;
    if (words_.take("cpu") && !number(cpu, 0, 255, "a cpu,")) return false;
    if (words_.take("nic") && !number(nic, 0, 255, "a nic,")) return false;
    n.cpu = static_cast<std::uint8_t>(cpu);
    n.nic = static_cast<std::uint8_t>(nic);
    if (graph_.nodes.size() >= kMostNodes) return fail("too many operations of one rank", line);
    graph_.nodes.push_back(n);
    lines_.push_back(line);
    return end_line();
  }

  GoalWords words_;
  const std::string& path_;
  std::uint64_t ranks_ = 0;
  RankGraph graph_;
  std::vector<std::uint64_t> lines_;
  std::unordered_map<std::string_view, std::uint32_t> labels_;
  Error error_;
};

}  // namespace

Expected<void> read_text(std::string_view text, const std::string& path,
                         const std::function<void(std::uint32_t ranks)>& begin,
                         const std::function<Expected<void>(const RankGraph&, const GoalPlaces&)>& take) {
  GoalTextReader reader(text, path);
  if (!reader.read_head()) return tl::unexpected(std::move(reader.error()));
  // No rank is believed without its block, which takes "rank N {" and a bracket.
  constexpr std::size_t kLeastBlock = 8;
  if (reader.ranks() > text.size() / kLeastBlock)
    return tl::unexpected(
        file_error(Error::Kind::bad_input, path,
                   fmt::format("says that it has {} ranks, for which it is too short", reader.ranks())));
  begin(reader.ranks());
  for (std::uint32_t rank = 0; rank < reader.ranks(); ++rank) {
    if (!reader.read_rank(rank)) return tl::unexpected(std::move(reader.error()));
    if (auto taken = take(reader.graph(), reader.places(rank)); !taken) return taken;
  }
  if (!reader.read_end()) return tl::unexpected(std::move(reader.error()));
  return {};
}

}  // namespace busline::goal
