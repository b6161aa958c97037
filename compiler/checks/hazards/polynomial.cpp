// See polynomial.h. Overflow wraps: such an index is nobody's.
#include "checks/hazards/polynomial.h"
#include <algorithm>

namespace cufc::hazards {
namespace {

long long wrapped(unsigned long long value) { return static_cast<long long>(value); }

void add(std::map<Monomial, long long> &terms, const Monomial &monomial, long long factor) {
  long long &term = terms[monomial];
  term = wrapped(static_cast<unsigned long long>(term) + static_cast<unsigned long long>(factor));
  if (term == 0)
    terms.erase(monomial);
}

long long product(long long one, long long other) {
  return wrapped(static_cast<unsigned long long>(one) * static_cast<unsigned long long>(other));
}

} // namespace

Polynomial Polynomial::constant(long long value) {
  Polynomial result;
  add(result.terms, {}, value);
  return result;
}

Polynomial Polynomial::atom(Atom atom) {
  Polynomial result;
  result.terms[{atom}] = 1;
  return result;
}

Polynomial Polynomial::operator+(const Polynomial &other) const {
  Polynomial result = *this;
  for (const auto &[monomial, factor] : other.terms)
    add(result.terms, monomial, factor);
  return result;
}

Polynomial Polynomial::operator*(const Polynomial &other) const {
  Polynomial result;
  for (const auto &[left, leftFactor] : terms)
    for (const auto &[right, rightFactor] : other.terms) {
      Monomial monomial = left;
      monomial.insert(monomial.end(), right.begin(), right.end());
      std::sort(monomial.begin(), monomial.end());
      add(result.terms, monomial, product(leftFactor, rightFactor));
    }
  return result;
}

Polynomial Polynomial::times(long long factor) const {
  Polynomial result;
  for (const auto &[monomial, old] : terms)
    add(result.terms, monomial, product(old, factor));
  return result;
}

std::optional<long long> Polynomial::asConstant() const {
  if (terms.empty())
    return 0;
  if (terms.size() == 1 && terms.begin()->first.empty())
    return terms.begin()->second;
  return std::nullopt;
}

bool Polynomial::mentions(Atom atom) const {
  return std::any_of(terms.begin(), terms.end(), [&](const auto &term) {
    return std::find(term.first.begin(), term.first.end(), atom) != term.first.end();
  });
}

bool Polynomial::mentionsProduct(Atom one, Atom other) const {
  return std::any_of(terms.begin(), terms.end(), [&](const auto &term) {
    const Monomial &monomial = term.first;
    auto count = [&](Atom atom) { return std::count(monomial.begin(), monomial.end(), atom); };
    return one == other ? count(one) > 1 : count(one) > 0 && count(other) > 0;
  });
}

Polynomial Polynomial::coefficient(Atom atom) const {
  Polynomial result;
  for (const auto &[monomial, factor] : terms) {
    auto found = std::find(monomial.begin(), monomial.end(), atom);
    if (found == monomial.end())
      continue;
    Monomial rest = monomial;
    rest.erase(rest.begin() + (found - monomial.begin()));
    add(result.terms, rest, factor);
  }
  return result;
}

} // namespace cufc::hazards
