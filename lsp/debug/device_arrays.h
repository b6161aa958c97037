// Arrays of GPU code whose bounds cuda-gdb cannot read. It subscripts their elements in their order
// in memory, from 1 on; the bounds are in a variable of the compiler's beside each
// (compiler/codegen/gpu/gpu_arrays.h).
#ifndef CUFLS_DEBUG_DEVICE_ARRAYS_H
#define CUFLS_DEBUG_DEVICE_ARRAYS_H

#include "debug/gdb_text.h"
#include <functional>

namespace cufc::debug {

struct ArrayShape {
  std::vector<Bounds> dimensions;
  std::vector<int64_t> distances; // of neighbours, in elements
};

std::string shapeVariable(std::string_view array);

// From gdb's text of that variable, as "(140720308486144, 8, 0, 1, 3, 8)". Nothing before the
// array's declaration is reached, and for distances that are no multiples of an element.
std::optional<ArrayShape> shapeFrom(std::string_view words);

// An array with or without subscripts in an expression.
struct ArrayUse {
  size_t start = 0, end = 0; // in the expression
  std::string name;
  std::vector<std::string> subscripts;
};

// Those of which `shapeOf` knows the shape, from left to right; not those among the subscripts of
// others, in texts, and behind %.
using ShapeOf = std::function<std::optional<ArrayShape>(const std::string &name)>;
std::vector<ArrayUse> arrayUses(std::string_view expression, const ShapeOf &shapeOf);

// gdb's subscript for an element: an expression. Empty if the number of subscripts is another.
std::string placeInMemory(const ArrayShape &shape, const std::vector<std::string> &subscripts);

// What a subscript chooses of a dimension: ":", "2:" and "2:5" of numbers. Nothing for others,
// among them single elements.
std::optional<Bounds> rangeOf(std::string_view subscript, const Bounds &dimension);

// The expression with such subscripts for single elements; all else stays.
std::string withPlaces(std::string_view expression, const ShapeOf &shapeOf);

// "(3,-1:1)" as gdb writes it behind the type of an element.
std::string shownBounds(const ArrayShape &shape);

} // namespace cufc::debug
#endif // CUFLS_DEBUG_DEVICE_ARRAYS_H
