#include "measuring/linktest/access_pattern.hpp"

#include <doctest/doctest.h>

#include "sim/base/random.hpp"
#include "workloads/linktest/schedule.hpp"

using namespace busline;
using namespace busline::linktest;

namespace {

enum class Form { partners, steps_from_1, steps_from_0 };

// As a program writes the pattern that keeps a list in one of the three forms.
AccessEntries entries_of(const linktest::Schedule& s, Form form) {
  const auto n = s.ranks();
  AccessEntries a{n, n - 1, std::vector<std::uint32_t>(std::size_t{n} * (n - 1))};
  for (std::uint32_t rank = 0; rank < n; ++rank) {
    auto* const row = a.values.data() + std::size_t{rank} * (n - 1);
    if (form == Form::partners) std::fill(row, row + n - 1, rank);
    for (std::uint32_t step = 0; step < s.steps(); ++step)
      if (const auto t = s.turn(rank, step)) {
        if (form == Form::partners)
          row[step] = t->partner;
        else
          row[t->partner < rank ? t->partner : t->partner - 1] = form == Form::steps_from_1 ? step + 1 : step;
      }
  }
  return a;
}

// Every meeting of the schedule is found again, and no other.
void check_meetings(const linktest::Schedule& s, const AccessEntries& access, const AccessReading& reading) {
  for (std::uint32_t rank = 0; rank < s.ranks(); ++rank) {
    std::uint32_t met = 0;
    for (std::uint32_t i = 0; i < access.entries; ++i) {
      const auto m = reading.meeting(access, rank, i);
      if (!m) continue;
      ++met;
      const auto turn = s.turn(rank, m->step - 1);
      REQUIRE(turn);
      CHECK(turn->partner == m->partner);
    }
    std::uint32_t expected = 0;
    for (std::uint32_t step = 0; step < s.steps(); ++step) expected += s.turn(rank, step) ? 1U : 0U;
    CHECK(met == expected);
  }
}

}  // namespace

TEST_CASE("the numbers show whether they are partners or steps, for every even number of ranks") {
  for (std::uint32_t ranks = 2; ranks <= 32; ranks += 2) {
    CAPTURE(ranks);
    const linktest::Schedule s(shuffled_order(ranks, ranks));
    const auto partners = entries_of(s, Form::partners);
    const auto reading = reading_of(partners, false);
    CHECK(reading.pattern == AccessPattern::partner_of_step);
    check_meetings(s, partners, reading);
    for (const auto form : {Form::steps_from_1, Form::steps_from_0}) {
      const auto steps = entries_of(s, form);
      const auto by_partner = reading_of(steps, false);
      CHECK(by_partner.pattern == AccessPattern::step_of_partner);
      CHECK(by_partner.first_step == (form == Form::steps_from_1 ? 1 : 0));
      check_meetings(s, steps, by_partner);
    }
  }
}

TEST_CASE("with an odd number of ranks the steps of each partner are understood") {
  for (std::uint32_t ranks = 3; ranks <= 33; ranks += 2) {
    CAPTURE(ranks);
    const linktest::Schedule s(shuffled_order(ranks, ranks));
    const auto steps = entries_of(s, Form::steps_from_1);
    const auto reading = reading_of(steps, false);
    CHECK(reading.pattern == AccessPattern::step_of_partner);
    check_meetings(s, steps, reading);
  }
}

TEST_CASE("in a bisection a rank is its own partner where it pauses, or the other entries are unused") {
  for (std::uint32_t ranks = 2; ranks <= 33; ++ranks) {
    CAPTURE(ranks);
    const linktest::Schedule s(shuffled_order(ranks, ranks), Scope::bisection);
    auto access = entries_of(s, Form::partners);
    CHECK(reading_of(access, true).pattern == AccessPattern::partner_of_step);
    check_meetings(s, access, reading_of(access, true));

    for (std::uint32_t rank = 0; rank < ranks; ++rank)
      for (std::uint32_t i = s.steps(); i < access.entries; ++i)
        access.values[std::size_t{rank} * access.entries + i] = 0;
    CHECK(reading_of(access, true).pattern == AccessPattern::partner_of_step);
    check_meetings(s, access, reading_of(access, true));
    if (ranks > 3) CHECK(reading_of(access, false).pattern == AccessPattern::unmapped);
  }
}

TEST_CASE("numbers that fit no reading are unmapped") {
  const linktest::Schedule s(identity_order(8));
  for (const auto form : {Form::partners, Form::steps_from_1, Form::steps_from_0}) {
    const auto good = entries_of(s, form);
    Random random(1);
    for (std::size_t i = 0; i < good.values.size(); ++i)
      for (const auto value : {random.below(8), 9U, 0xffffffffU}) {
        auto bad = good;
        if (bad.values[i] == value) continue;
        bad.values[i] = value;
        const auto pattern = reading_of(bad, false).pattern;
        CHECK(pattern == AccessPattern::unmapped);
      }
  }
  CHECK(reading_of({1, 0, {}}, false).pattern == AccessPattern::unmapped);
  CHECK(reading_of({2, 1, {0, 1}}, false).pattern == AccessPattern::unmapped);  // both pause
}
