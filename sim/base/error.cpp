#include "sim/base/error.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace busline {

namespace {

constexpr char kDelete = 0x7f;

// Text quoted from files and command lines must not move a terminal's cursor or change its colours: control
// characters, including those of ISO 6429 from U+0080 to U+009F, are written as \x1b. Line ends may be
// intended.
std::string visible(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto before = i > 0 ? text[i - 1] : '\0';
    const bool is_control = (byte < 0x20 && text[i] != '\n') || text[i] == kDelete ||
                            (before == '\xc2' && byte >= 0x80 && byte < 0xa0);
    if (is_control)
      out.append("\\x").append({kDigits[byte >> 4U], kDigits[byte & 15U]});
    else
      out += text[i];
  }
  return out;
}

}  // namespace

std::string to_string(const Error& e) {
  std::string s = e.path;
  if (e.offset) s.append(":+").append(std::to_string(*e.offset));
  if (e.line) s.append(":").append(std::to_string(*e.line));
  if (e.line && e.column) s.append(":").append(std::to_string(*e.column));
  if (!s.empty()) s += ": ";
  if (!e.where.empty()) s.append(e.where).append(": ");
  s += e.message;
  if (!e.hint.empty()) s.append("\n  ").append(e.hint);
  return visible(s);
}

Error option_error(std::string_view where, std::string message, std::string hint) {
  Error e;
  e.kind = Error::Kind::bad_option;
  e.where = where;
  e.message = std::move(message);
  e.hint = std::move(hint);
  return e;
}

Error file_error(Error::Kind kind, std::string path, std::string message, std::string hint) {
  Error e;
  e.kind = kind;
  e.path = std::move(path);
  e.message = std::move(message);
  e.hint = std::move(hint);
  return e;
}

tl::unexpected<Error> refuse_option(std::string_view where, std::string message, std::string hint) {
  return tl::unexpected(option_error(where, std::move(message), std::move(hint)));
}

tl::unexpected<Error> refuse_file(Error::Kind kind, std::string path, std::string message, std::string hint) {
  return tl::unexpected(file_error(kind, std::move(path), std::move(message), std::move(hint)));
}

void tell_once(Diagnostics& told, Diagnostics&& news) {
  for (auto& n : news)
    if (std::none_of(told.begin(), told.end(), [&](const Diagnostic& t) { return t.message == n.message; }))
      told.push_back(std::move(n));
}

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j < row.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      diagonal = above;
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_name(const std::vector<std::string>& names, std::string_view given) {
  std::string best;
  std::size_t best_cost = std::max<std::size_t>(2, given.size() / 3) + 1;
  for (const auto& n : names)
    if (const auto cost = edit_distance(n, given); cost < best_cost) {
      best_cost = cost;
      best = n;
    }
  return best;
}

}  // namespace busline
