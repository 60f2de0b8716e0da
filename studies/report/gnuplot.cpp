#include "studies/report/gnuplot.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <system_error>
#include <variant>

#include "studies/report/figure_csv.hpp"
#include "studies/report/gnuplot_axes.hpp"
#include "studies/report/gnuplot_figure.hpp"

namespace busline::report {
namespace {

// "2-1-where-the-time-went"
std::string file_name(std::size_t section, std::size_t figure, const std::string& title) {
  std::string words;
  for (const char c : title) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    const bool capital = c >= 'A' && c <= 'Z';
    if (letter || capital)
      words += capital ? static_cast<char>(c - 'A' + 'a') : c;
    else if (!words.empty() && words.back() != '-')
      words += '-';
    if (words.size() >= 40) break;
  }
  while (!words.empty() && words.back() == '-') words.pop_back();
  return fmt::format("{}-{}{}{}", section + 1, figure + 1, words.empty() ? "" : "-", words);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> gnuplot_files(const Report& report) {
  std::vector<std::pair<std::string, std::string>> all;
  for (std::size_t i = 0; i < report.sections.size(); ++i)
    for (std::size_t k = 0; k < report.sections[i].figures.size(); ++k) {
      const auto& figure = report.sections[i].figures[k];
      const auto name = file_name(i, k, figure.title);
      auto files = gnuplot_figure(figure, name);
      all.emplace_back(fmt::format("{}.csv", name), std::move(files.csv));
      if (const auto* points = std::get_if<Points>(&figure.content))
        all.emplace_back(fmt::format("{}-all.csv", name), points_csv(*points));
      if (files.plot.empty()) continue;
      all.emplace_back(
          fmt::format("{}.gp", name),
          fmt::format("# gnuplot {0}.gp draws {0}.svg\nset terminal svg size 640,420 dynamic noenhanced\n"
                      "set output {1}\nset datafile separator comma\nset datafile columnheaders\n"
                      "set grid\nset key outside below\nset colorsequence podo\nset title {2}\n{3}",
                      name, gnuplot_text(fmt::format("{}.svg", name)), gnuplot_text(figure.title),
                      files.plot));
    }
  return all;
}

Expected<void> make_folder(const std::string& path) {
  std::error_code failed;
  std::filesystem::create_directories(path, failed);
  if (!failed) return {};
  return refuse_file(Error::Kind::unreadable, path, fmt::format("cannot be made: {}", failed.message()));
}

}  // namespace busline::report
