// Where gfortran puts data: sizes of types and components, as C has them, and which components
// flang keeps in another form.
//
// Allocatable and pointer components, polymorphic ones and strings of deferred length have forms of
// their own in each compiler. In a type that both use, such a component is a number of 8-byte words
// that nobody but gfortran's procedures looks into.
#ifndef CUFC_FOREIGN_LAYOUT_H
#define CUFC_FOREIGN_LAYOUT_H

#include "foreign/model.h"
#include <optional>
#include <vector>

namespace cufc::foreign {

// gfortran's array descriptor since version 8: base_addr, offset, a dtype of 16 bytes, span, and
// lower bound, upper bound and stride for each dimension (libgfortran.h).
inline constexpr long long descriptorBytes(int rank) { return 40 + 24LL * rank; }

struct Extent {
  long long bytes = 0, alignment = 1;
};

// What a register holds of a value that a function passes: eight bytes, or on aarch64 also a number
// of 4 or 16 bytes.
enum class Part { Integer, Double, Single, Quad };

inline constexpr long long bytesOf(Part part) {
  return part == Part::Single ? 4 : part == Part::Quad ? 16 : 8;
}

class Layout {
public:
  explicit Layout(const Module &module) : module(module) {}

  // Nothing for what flang has no equal of: kinds, type parameters, coarrays.
  std::optional<Extent> ofType(int type, int depth = 0) const;
  std::optional<Extent> ofComponent(const Component &component, int depth = 0) const;
  // Of a scalar.
  std::optional<Extent> ofScalar(const TypeSpec &type, int depth = 0) const;

  // Whether only gfortran's procedures know what is in it; then its size in words.
  bool isOpaque(const Component &component) const;
  // Whether a type has memory that an assignment would have to copy.
  bool ownsMemory(int type, int depth = 0) const;

  // The registers that hold a value of the type when a function returns it or takes it by VALUE.
  // Empty if it lies in memory: more than 16 bytes, or an 80-bit real; on aarch64, more than four
  // reals of one kind or other 16 bytes. Nothing if that is not known.
  std::optional<std::vector<Part>> registersOf(int type) const;

private:
  std::optional<long long> elements(const ArraySpec &array) const;
  bool classify(int type, long long offset, std::vector<Part> &registers, bool &memory,
                int depth) const;
  bool addKinds(int type, std::vector<int> &kinds, int depth) const;
  const Module &module;
};

} // namespace cufc::foreign
#endif // CUFC_FOREIGN_LAYOUT_H
