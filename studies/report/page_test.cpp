// Whatever a document is called, a page is a page, and the same one each time.
#include "studies/report/page.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "documents/text/sha256.hpp"
#include "models/why/critical_path.hpp"
#include "studies/report/gnuplot.hpp"
#include "studies/report/page_data.hpp"
#include "studies/report/page_files.hpp"
#include "studies/report/shown_text.hpp"
#include "studies/study/outcome.hpp"
#include "studies/timeline/timeline.hpp"

using namespace busline;
using namespace busline::report;

namespace {

constexpr std::string_view kHostile =
    "</script><script>alert('1')</script>\"&\x1b[31m\xe2\x80\xaegnp.exe\xff <!--";

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

// The name in every place that takes one.
Report report_of(std::string_view name) {
  const std::string text(name);
  Chart chart{{text, Unit::bytes, true}, {text, Unit::time}, {}, true};
  chart.curves = {{text, Chart::Style::line, {{1, 2, 1.5, 2.5, text}, {2, 4, {}, {}, ""}}}};
  Bars bars{{text, Unit::time}, {text}, {{text, {1e6}}}};
  Matrix matrix{text, text, {text, Unit::bandwidth}, {text, text}, {1.0, {}, 2.0, 3.0}};
  Table table{{{text}, {text, Unit::share}}, {{text, 0.5}, {Table::Cell(), 1.0}}};
  Points points{{{{text}, {{text, 1.0}, {text, {}}}}},
                {{{text, Unit::time}}},
                {{0, {0}, {1e9}}, {1, {1}, {{}}}},
                Points::Combined::product};
  Lanes lanes{0, 10, {text}, {{text, {{0, 10, 0}}}}, {{0, 0, 1, 2, 8}}};
  Section s{text, text, text, {text}, {{text, text}}, {}};
  s.figures = {{text, text, chart}, {text, text, bars},   {text, text, matrix},
               {text, text, table}, {text, text, points}, {text, text, lanes}};
  return {text, text, {s}};
}

}  // namespace

TEST_CASE("invisible characters in a text are made visible") {
  CHECK(shown_text("rank 0") == "rank 0");
  CHECK(shown_text("a\x1b[0m\n") == "a\\x1b[0m\\n");
  CHECK(shown_text("\xe2\x80\xae"
                   "abc"
                   "\xe2\x81\xa6") == "\\u202eabc\\u2066");
  CHECK(shown_text("\xd8\x9c"
                   "a\xef\xbb\xbf") == "\\u061ca\\ufeff");
  CHECK(shown_text("J\xc3\xbclich \xe2\x82\xac") == "J\xc3\xbclich \xe2\x82\xac");
  CHECK(shown_text("\xff\xfe") == "\\xff\\xfe");
  CHECK(html_text("<b> & \"c\" 'd'") == "&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
}

TEST_CASE("no name can end the data or begin an element") {
  const auto plain = html_page(report_of("name")), page = html_page(report_of(kHostile));
  for (const std::string_view tag : {"<script", "</script", "<li", "<section", "<!--"})
    CHECK_MESSAGE(count(page, tag) == count(plain, tag), tag);
  CHECK(count(page, "<script") == 3);
  CHECK(page.find('\x1b') == page.npos);
  CHECK(page.find("\xe2\x80\xae") == page.npos);
  CHECK(page.find("&lt;/script&gt;&lt;script&gt;alert(&#39;1&#39;)") != page.npos);
  const auto data = page_data(report_of(kHostile));
  CHECK(data.find('<') == data.npos);
  CHECK(data.find("\\u003c/script>") != data.npos);
  for (const char c : data) CHECK_MESSAGE((c >= ' ' && c < '\x7f'), int{c});
}

TEST_CASE("a page allows its own scripts and styles by their digests, and nothing else") {
  const auto page = html_page(report_of("name"));
  const auto from = page.find("Content-Security-Policy");
  const auto policy = page.substr(from, page.find('\n', from) - from);
  CHECK(policy.find("default-src 'none'") != policy.npos);
  CHECK(policy.find("unsafe") == policy.npos);
  CHECK(policy.find("http:") == policy.npos);
  CHECK(count(policy, "'sha256-") == 4);
  // The digest of the style in base64: SHA-256 of uPlot 1.6.32's style sheet, by openssl.
  CHECK(policy.find("32MMao1vjur/JktQ9zzlsRT2Rv/ZoLt08EmwoAE1+gQ=") != policy.npos);
  CHECK(count(page, std::string("<script>").append(kPageScript).append("</script>")) == 1);
  CHECK(kPageScript.find("</script") == kPageScript.npos);
  CHECK(kChartScript.find("</script") == kChartScript.npos);
}

TEST_CASE("every state of a timeline and every part of a critical path has its colour on all pages") {
  const auto known = [](std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    return kPageScript.find("\"" + name + "\": \"") != kPageScript.npos;
  };
  for (const auto name : timeline::kStateNames) CHECK_MESSAGE(known(std::string(name)), name);
  for (const auto& part : kPathParts) CHECK_MESSAGE(known(std::string(part.name)), part.name);
  for (std::size_t i = 0; i < kPathCauses; ++i) {
    const auto name = name_of(static_cast<PathCause>(i));
    CHECK_MESSAGE(known(std::string(name)), name);
  }
  CHECK_FALSE(known("no state"));
}

TEST_CASE("the same report gives the same page") {
  CHECK(html_page(report_of("name")) == html_page(report_of("name")));
}

TEST_CASE("a timeline's data are whole steps from its start") {
  Report r{"r", "p", {{"timeline", "t", "f", {}, {}, {}}}};
  r.sections[0].figures = {
      {"t", "", Lanes{1000, 1600, {"compute"}, {{"rank 0", {{1100, 1600, 0}}}}, {{0, 0, 1100, 1200, 8}}}}};
  CHECK(
      page_data(r) ==
      R"([[{"type":"lanes","from":1000,"step":1,"length":600,"kinds":["compute"],"lanes":)"
      R"([{"name":"rank 0","from":[100],"to":[600],"kinds":[0]}],"arrows":[[0,0,100,200,8]],"title":"t"}]])");
}

TEST_CASE("numbers that no drawing could show are left out of the data") {
  Report r{"r", "p", {{"run", "t", "f", {}, {}, {}}}};
  Table table{{{"a"}}, {{1.0 / 3}, {1e300 * 1e300}, {2.0}, {-0.0}}};
  r.sections[0].figures = {{"t", "", table}};
  CHECK(page_data(r).find("\"rows\":[[0.3333333],[null],[2],[0]]") != std::string::npos);
}

TEST_CASE("gnuplot draws points as points, and shares in per cent") {
  Report r{"r", "p", {{"run", "t", "f", {}, {}, {}}}};
  const Chart chart{
      {"use", Unit::share}, {"n"}, {{"a", Chart::Style::points, {{0.5, 3, {}, {}, ""}}}}, false};
  r.sections[0].figures = {{"t", "", chart}};
  std::string script;
  for (const auto& [name, text] : gnuplot_files(r))
    if (name.ends_with(".gp")) script = text;
  CHECK(script.find("set xlabel 'use [%]'\n") != script.npos);
  CHECK(script.find(" with points linecolor 1 title 'a'") != script.npos);
}

TEST_CASE("gnuplot gets texts in quotes that it does not look into, and names of files that are names") {
  const auto files = gnuplot_files(report_of("it's `rm -rf ~` \"@x\"\n../../up"));
  std::size_t scripts = 0;
  for (const auto& [name, text] : files) {
    CHECK(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-.") == name.npos);
    CHECK(name.find("..") == name.npos);
    if (!name.ends_with(".gp")) continue;
    ++scripts;
    CHECK(text.find("'it''s `rm -rf ~` \"@x\"\\n../../up'") != text.npos);
  }
  CHECK(scripts == 5);  // a table needs none
  CHECK(files[0].first == "1-1-it-s-rm-rf-x-up.csv");
  CHECK(files[0].second.starts_with("curve,name,"));
}
