// Damaged copies of SKaMPI's files: parameter files, results and scripts.
#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "documents/fields/text_file.hpp"
#include "measuring/skampi/parameter_file.hpp"
#include "measuring/skampi/ski_interpreter.hpp"
#include "measuring/skampi/ski_suites.hpp"
#include "measuring/skampi/test_files.hpp"
#include "tests/damage/damage.hpp"

namespace {

using namespace busline;
using namespace busline::skampi;

const std::string kSkampiGolden = BUSLINE_SOURCE_DIR "/validation/golden/skampi/";

SkiMachine ski_machine(std::uint32_t ranks) {
  return {ranks, [] { return Expected<std::uint32_t>(3U); }};
}

Expected<std::vector<SkiMeasurement>> interpreted(std::string_view text, std::uint32_t ranks = 4) {
  const auto tokens = ski_tokens(text, "x.ski");
  if (!tokens) return tl::unexpected(tokens.error());
  const auto script = parse_ski(*tokens);
  if (!script) return tl::unexpected(script.error());
  Diagnostics diagnostics;
  return interpret_ski(*script, ski_machine(ranks), diagnostics);
}

}  // namespace

TEST_CASE("no damage to a parameter file crashes its reader") {
  const SystematicDamage systematic{std::string(kParameterFile), {}};
  const RandomDamage random{std::string(kParameterFile)};
  Diagnostics diagnostics;
  for (std::uint64_t n = 0; n < systematic.copies() + 500; ++n) {
    const auto copy = n < 500 ? random.copy(n) : systematic.copy(n - 500);
    CAPTURE(copy.what);
    for (const bool lenient : {false, true}) {
      const auto file = parse_parameter_file(copy.bytes, "x.skampi", {lenient}, diagnostics);
      if (!file) CHECK((file.error().line && !file.error().message.empty()));
    }
    diagnostics.clear();
  }
}

TEST_CASE("no damage to a result file crashes its reader") {
  std::vector<std::string> texts{written_file()};
  for (const auto* const name :
       {"shortcoll_np2.sko", "shortcoll_np4_truncated_disturbed.sko", "auto_np2.sko"})
    texts.push_back(*read_text_file(kSkampiGolden + name));
  std::size_t read = 0;
  const auto use = [&read](const DamagedCopy& copy) {
    CAPTURE(copy.what);
    Diagnostics diagnostics;
    const auto file = parse_results(copy.bytes, "x.out", diagnostics);
    if (!file) {
      CHECK_FALSE(file.error().message.empty());
      return;
    }
    if (++read % 16 == 0) check_is_document(*file);
  };
  for (const auto& text : texts) {
    const SystematicDamage systematic(text, {});
    for (std::uint64_t n = 0; n < systematic.copies(); ++n) use(systematic.copy(n));
    const RandomDamage random(text);
    for (std::uint64_t n = 0; n < 500; ++n) use(random.copy(n));
  }
  CHECK(read > 1000);
}

TEST_CASE("no damage to a script crashes its reader or keeps it busy") {
  for (const auto* const name : {"short_coll.ski", "auto.ski"}) {
    const auto text = *read_text_file(kSkampiGolden + name);
    const SystematicDamage systematic(text, {});
    const RandomDamage random(text);
    for (std::uint64_t n = 0; n < systematic.copies() + 300; ++n) {
      const auto copy = n < 300 ? random.copy(n) : systematic.copy(n - 300);
      CAPTURE(copy.what);
      const auto all = interpreted(copy.bytes);
      if (all)
        (void)group_into_suites(*all);
      else
        CHECK_FALSE(all.error().message.empty());
    }
  }
}
