// Integer expressions of device code as polynomials over what is not known when compiling:
// threadidx%x and its like, dummies, what is read from memory. "(blockidx%x-1)*blockdim%x +
// threadidx%x" has the terms -blockdim%x, blockidx%x*blockdim%x and threadidx%x.
#ifndef CUFC_CHECKS_HAZARDS_POLYNOMIAL_H
#define CUFC_CHECKS_HAZARDS_POLYNOMIAL_H

#include <map>
#include <optional>
#include <vector>

namespace cufc::hazards {

// What a value differs over.
struct Dependence {
  bool thread = false; // the threads of a block
  bool block = false;  // the blocks of a grid
  bool loaded =
      false; // it was read from memory, or is not known otherwise; also one thread's times
  bool any() const { return thread || block; }
  Dependence &operator|=(const Dependence &other) {
    thread |= other.thread;
    block |= other.block;
    loaded |= other.loaded;
    return *this;
  }
  bool operator==(const Dependence &other) const {
    return thread == other.thread && block == other.block && loaded == other.loaded;
  }
};

using Atom = int;                   // a number in the table of ThreadValues
using Monomial = std::vector<Atom>; // sorted; a product, 1 if empty

class Polynomial {
public:
  Polynomial() = default;
  static Polynomial constant(long long value);
  static Polynomial atom(Atom atom);

  Polynomial operator+(const Polynomial &other) const;
  Polynomial operator-(const Polynomial &other) const { return *this + other.times(-1); }
  Polynomial operator*(const Polynomial &other) const;
  Polynomial times(long long factor) const;
  bool operator==(const Polynomial &other) const { return terms == other.terms; }

  std::optional<long long> asConstant() const;
  bool mentions(Atom atom) const;
  bool mentionsProduct(Atom one, Atom other) const;
  // What the atom is multiplied by, where it occurs alone or as one factor of a product.
  Polynomial coefficient(Atom atom) const;

  std::map<Monomial, long long> terms; // none is 0
};

} // namespace cufc::hazards
#endif // CUFC_CHECKS_HAZARDS_POLYNOMIAL_H
