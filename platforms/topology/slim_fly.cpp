// Slim flies: the graphs of McKay, Miller and Siran (1998), by the construction of Hafner ("Geometric
// realisation of the graphs of McKay-Miller-Siran", 2004) given by Besta and Hoefler ("Slim Fly: A Cost
// Effective Low-Diameter Network Topology", 2014). Two subgraphs of q^2 switches (x, y) over a finite field
// of q = 4w + delta elements.
#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "platforms/topology/families.hpp"

namespace busline {
namespace {

constexpr std::uint32_t kLargestOrder = 509;  // 518 162 switches

// A finite field of q = p^n elements. Element e has the digits of e in base p as coefficients of a
// polynomial; powers of the polynomial x, modulo a primitive one, are all elements but 0.
class FiniteField {
 public:
  static std::optional<FiniteField> of(std::uint32_t q) {
    FiniteField f;
    f.p_ = 2;
    while (q % f.p_ != 0) ++f.p_;
    auto rest = q;
    while (rest % f.p_ == 0) rest /= f.p_;
    if (rest != 1) return std::nullopt;  // not a power of a prime
    f.q_ = q;
    // The first polynomial x^n = t that is primitive; of degree 1, the first primitive root t.
    for (std::uint32_t t = 1; t < q; ++t)
      if (f.try_powers(t)) return f;
    return std::nullopt;
  }
  std::uint32_t add(std::uint32_t a, std::uint32_t b) const { return combine(a, b, 1); }
  std::uint32_t subtract(std::uint32_t a, std::uint32_t b) const { return combine(a, b, p_ - 1); }
  std::uint32_t multiply(std::uint32_t a, std::uint32_t b) const {
    if (a == 0 || b == 0) return 0;
    return powers_[(logarithms_[a] + logarithms_[b]) % (q_ - 1)];
  }
  /// Powers of the primitive element.
  std::uint32_t power(std::uint32_t exponent) const { return powers_[exponent % (q_ - 1)]; }

 private:
  // a + factor * b, digit by digit.
  std::uint32_t combine(std::uint32_t a, std::uint32_t b, std::uint32_t factor) const {
    std::uint32_t sum = 0;
    for (std::uint32_t place = 1; place < q_; place *= p_, a /= p_, b /= p_)
      sum += (a % p_ + factor * (b % p_)) % p_ * place;
    return sum;
  }
  bool try_powers(std::uint32_t t) {
    powers_.assign(1, 1);
    logarithms_.assign(q_, q_);
    logarithms_[1] = 0;
    while (powers_.size() < q_ - 1) {
      // Times x: all digits move up by one place; the one that drops out counts that many times t.
      const auto last = powers_.back();
      const auto next = q_ == p_ ? last * t % p_ : combine(last % (q_ / p_) * p_, t, last / (q_ / p_));
      if (next == 0 || logarithms_[next] != q_) return false;
      logarithms_[next] = static_cast<std::uint32_t>(powers_.size());
      powers_.push_back(next);
    }
    return true;
  }

  std::uint32_t p_ = 0, q_ = 0;
  std::vector<std::uint32_t> powers_, logarithms_;
};

// X and X': the differences that are joined in each subgraph.
struct Generators {
  std::vector<bool> even, odd;
};
Generators generators(const FiniteField& field, std::uint32_t q) {
  Generators g{std::vector<bool>(q), std::vector<bool>(q)};
  const auto w = (q + 1) / 4;
  if (q % 4 ==
      3) {  // q = 4w - 1: even powers up to 2w - 2, odd ones from 2w - 1 to 4w - 3; X' is one further
    for (std::uint32_t e = 0; e <= 2 * w - 2; e += 2)
      g.even[field.power(e)] = g.odd[field.power(e + 1)] = true;
    for (std::uint32_t e = 2 * w - 1; e <= 4 * w - 3; e += 2)
      g.even[field.power(e)] = g.odd[field.power(e + 1)] = true;
  } else {  // q = 4w + 1 or 4w: even powers, odd powers
    for (std::uint32_t e = 0; e + 1 < q; e += 2) g.even[field.power(e)] = true;
    for (std::uint32_t e = 1; e < q; e += 2) g.odd[field.power(e)] = true;
  }
  return g;
}

}  // namespace

Expected<void> build(BuildingSite& site, const SlimFly& fly) {
  const auto q = fly.q;
  const auto field = q >= 3 && q <= kLargestOrder ? FiniteField::of(q) : std::nullopt;
  if (!field)
    return refuse_parameter(
        "/q",
        fmt::format("expected a power of a prime from 3 to {}, such as 5, 7, 8, 9, 11, 13, 17; found {}",
                    kLargestOrder, q));
  const auto delta = q % 4 == 3 ? -1 : static_cast<int>(q % 4);
  const double switches = 2.0 * q * q;
  if (auto good = check_size({switches, switches * fly.hosts, switches * (3 * int(q) - delta) / 4}); !good)
    return good;

  const auto differences = generators(*field, q);
  site.add_switches_with_hosts(2 * q * q, fly.hosts);
  for (std::uint32_t x = 0; x < q; ++x)
    for (std::uint32_t a = 0; a < q; ++a)
      for (std::uint32_t b = a + 1; b < q; ++b) {
        const auto difference = field->subtract(b, a);
        if (differences.even[difference]) site.builder.add_links(x * q + a, x * q + b, site.link);
        if (differences.odd[difference])
          site.builder.add_links(q * q + x * q + a, q * q + x * q + b, site.link);
      }
  // (0, x, y) and (1, m, c) where y = m x + c.
  for (std::uint32_t x = 0; x < q; ++x)
    for (std::uint32_t m = 0; m < q; ++m)
      for (std::uint32_t c = 0; c < q; ++c)
        site.builder.add_links(x * q + field->add(field->multiply(m, x), c), q * q + m * q + c, site.link);
  site.builder.set_shape(GroupShape{q});
  return {};
}

}  // namespace busline
