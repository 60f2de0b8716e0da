#include "studies/report/page.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "documents/text/sha256.hpp"
#include "studies/report/page_data.hpp"
#include "studies/report/page_files.hpp"
#include "studies/report/shown_text.hpp"

namespace busline::report {
namespace {

unsigned hex_digit(char c) {
  return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
}

// RFC 4648, 4, of bytes in hexadecimal.
std::string base64(std::string_view hex) {
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  // Three digits of 4 bits are two of 6 bits.
  for (std::size_t i = 0; i < hex.size(); i += 3) {
    unsigned bits = 0;
    for (std::size_t k = 0; k < 3; ++k) bits = bits << 4U | (i + k < hex.size() ? hex_digit(hex[i + k]) : 0);
    out += kAlphabet[bits >> 6U];
    if (i + 1 < hex.size()) out += kAlphabet[bits & 63U];
  }
  while (out.size() % 4 != 0) out += '=';
  return out;
}

// As a source of a policy (Content Security Policy Level 3, 2.3.1).
std::string digest_source(std::string_view text) {
  Sha256 digest;
  digest.update(text);
  return fmt::format("'sha256-{}'", base64(digest.hex()));
}

std::string policy() {
  return fmt::format(
      "default-src 'none'; script-src {} {}; style-src {} {}; img-src data:; base-uri 'none'; "
      "form-action 'none'",
      digest_source(kChartScript), digest_source(kPageScript), digest_source(kChartStyle),
      digest_source(kPageStyle));
}

std::string element(std::string_view name, std::string_view content) {
  return fmt::format("<{0}>{1}</{0}>", name, content);
}

std::string figure_html(const Figure& figure, std::size_t section, std::size_t number) {
  const auto id = fmt::format("s{}f{}", section, number);
  auto html = fmt::format(
      "<section class=\"figure\" id=\"{0}\" aria-labelledby=\"{0}t\">\n<h3 id=\"{0}t\">{1}</h3>\n", id,
      html_text(figure.title));
  if (!figure.caption.empty())
    html += fmt::format("<p class=\"caption\">{}</p>\n", html_text(figure.caption));
  html += fmt::format("<div class=\"drawing\" data-section=\"{}\" data-figure=\"{}\"></div>\n</section>\n",
                      section, number);
  return html;
}

std::string section_html(const Section& section, std::size_t number) {
  auto html = fmt::format(
      "<section class=\"document\" id=\"s{0}\" aria-labelledby=\"s{0}t\">\n<p class=\"kind\">{1}</p>\n"
      "<h2 id=\"s{0}t\">{2}</h2>\n<p class=\"source\">{3}</p>\n",
      number, html_text(section.kind), html_text(section.title), html_text(section.source));
  if (!section.summary.empty()) {
    html += "<ul class=\"summary\">\n";
    for (const auto& sentence : section.summary) html += element("li", html_text(sentence)) + "\n";
    html += "</ul>\n";
  }
  if (!section.facts.empty()) {
    html += "<dl class=\"facts\">\n";
    for (const auto& [name, value] : section.facts)
      html +=
          fmt::format("<div>{}{}</div>\n", element("dt", html_text(name)), element("dd", html_text(value)));
    html += "</dl>\n";
  }
  for (std::size_t i = 0; i < section.figures.size(); ++i) html += figure_html(section.figures[i], number, i);
  return html + "</section>\n";
}

std::string contents_html(const Report& report) {
  if (report.sections.size() < 2) return "";
  std::string html = "<nav aria-label=\"Contents\">\n<ol>\n";
  for (std::size_t i = 0; i < report.sections.size(); ++i)
    html += fmt::format("<li><a href=\"#s{}\">{}</a> <span class=\"kind\">{}</span></li>\n", i,
                        html_text(report.sections[i].title), html_text(report.sections[i].kind));
  return html + "</ol>\n</nav>\n";
}

}  // namespace

std::string html_page(const Report& report) {
  std::string html = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  html += fmt::format("<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n", policy());
  html +=
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n";
  // Browsers ask for an icon where none is named.
  html += "<link rel=\"icon\" href=\"data:,\">\n";
  auto title = report.title;
  if (report.sections.size() == 1) title += fmt::format(": {}", report.sections.front().title);
  html += fmt::format("<title>{}</title>\n", html_text(title));
  for (const auto style : {kChartStyle, kPageStyle})
    html.append("<style>").append(style).append("</style>\n");
  html += fmt::format(
      "</head>\n<body>\n<header>\n<h1>{}</h1>\n<button type=\"button\" id=\"theme\" hidden>Dark</button>\n"
      "</header>\n",
      html_text(report.title));
  html += "<noscript><p class=\"note\">The figures need JavaScript; the text does not.</p></noscript>\n";
  html += contents_html(report);
  html += "<main>\n";
  for (std::size_t i = 0; i < report.sections.size(); ++i) html += section_html(report.sections[i], i);
  html += fmt::format("</main>\n<footer>Made by {}.</footer>\n", html_text(report.program));
  html.append("<script type=\"application/json\" id=\"data\">")
      .append(page_data(report))
      .append("</script>\n");
  for (const auto script : {kChartScript, kPageScript})
    html.append("<script>").append(script).append("</script>\n");
  return html + "</body>\n</html>\n";
}

}  // namespace busline::report
