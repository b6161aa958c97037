// CSHIFT, EOSHIFT, PACK, UNPACK, SPREAD, RESHAPE, TRANSPOSE and TRANSFER where the compiler does
// not make loops of them. Elements are moved as bytes, so every type is allowed.
#include "arrays.h"

namespace cufc_device {
namespace {

char *firstByte(const Array &array) { return static_cast<char *>(array.base_addr); }

// The element `number`, counted from zero, of an array of rank one.
const char *elementOf(const Array &vector, Index number) {
  return firstByte(vector) + number * vector.dim[0].sm;
}

// The shift or boundary for a position: a scalar, or an array without dimension `dim`.
const char *elementWithout(const Array &array, const Position &position, int dim) {
  Position other;
  for (int i = 0; i < array.rank; ++i)
    other.at[i] = position.at[i < dim ? i : i + 1];
  return address(array, other);
}

int64_t shiftAt(const Array &shift, const Position &position, int dim) {
  return integerAt(elementWithout(shift, position, dim), shift.elem_len);
}

// Elements of shifted arrays that come from outside: blanks for characters, else zeros.
void fill(char *place, const Array &result, const Array *boundary, const Position &position,
          int dim) {
  if (boundary && boundary->base_addr) {
    copyBytes(place, elementWithout(*boundary, position, dim), result.elem_len);
    return;
  }
  for (size_t i = 0; i < result.elem_len; ++i)
    place[i] = result.type == CFI_type_char ? ' ' : 0;
}

// Calls `store` with the place of each element of the result, and its position.
template <typename Store>
void forEach(const Array &result, Store store) {
  Position position;
  char *place = firstByte(result);
  for (Index left = elements(result); left > 0; --left, place += result.elem_len) {
    store(place, position);
    position.advance(result);
  }
}

template <typename Shift>
void rotate(Array &result, const Array &source, int dim, Shift shift) {
  allocateLike(result, source);
  forEach(result, [&](char *place, const Position &position) {
    Index extent = source.dim[dim].extent;
    Index number = (position.at[dim] + shift(position)) % extent;
    Position from = position;
    from.at[dim] = number < 0 ? number + extent : number;
    copyBytes(place, address(source, from), result.elem_len);
  });
}

template <typename Shift>
void shiftOff(Array &result, const Array &source, int dim, const Array *boundary, Shift shift) {
  allocateLike(result, source);
  forEach(result, [&](char *place, const Position &position) {
    Position from = position;
    Index number = from.at[dim] += shift(position);
    if (number < 0 || number >= source.dim[dim].extent)
      fill(place, result, boundary, position, dim);
    else
      copyBytes(place, address(source, from), result.elem_len);
  });
}

void transferTo(Array &result, const Array &source, const Array &mold, int rank, Index count) {
  Index extents[] = {count};
  allocate(result, rank, extents, mold.type, mold.elem_len);
  Index left = static_cast<Index>(mold.elem_len) * count;
  char *to = firstByte(result);
  Position position;
  do {
    Index part = left < static_cast<Index>(source.elem_len) ? left : source.elem_len;
    if (part > 0)
      copyBytes(to, address(source, position), static_cast<size_t>(part));
    to += part, left -= part;
  } while (position.advance(source));
}

} // namespace

CUFC_ENTRY void _FortranACshift(Array &result, const Array &source, const Array &shift, int dim,
                                const char *, int) {
  rotate(result, source, dim - 1,
         [&](const Position &position) { return shiftAt(shift, position, dim - 1); });
}

CUFC_ENTRY void _FortranACshiftVector(Array &result, const Array &source, int64_t shift,
                                      const char *, int) {
  rotate(result, source, 0, [=](const Position &) { return shift; });
}

CUFC_ENTRY void _FortranAEoshift(Array &result, const Array &source, const Array &shift,
                                 const Array *boundary, int dim, const char *, int) {
  shiftOff(result, source, dim - 1, boundary,
           [&](const Position &position) { return shiftAt(shift, position, dim - 1); });
}

CUFC_ENTRY void _FortranAEoshiftVector(Array &result, const Array &source, int64_t shift,
                                       const Array *boundary, const char *, int) {
  shiftOff(result, source, 0, boundary, [=](const Position &) { return shift; });
}

CUFC_ENTRY void _FortranASpread(Array &result, const Array &source, int dim, int64_t copies,
                                const char *, int) {
  Index extents[CFI_MAX_RANK];
  for (int i = 0; i <= source.rank; ++i)
    extents[i] = i == dim - 1 ? copies : source.dim[i < dim - 1 ? i : i - 1].extent;
  allocate(result, source.rank + 1, extents, source.type, source.elem_len);
  forEach(result, [&](char *place, const Position &position) {
    copyBytes(place, elementWithout(source, position, dim - 1), result.elem_len);
  });
}

CUFC_ENTRY void _FortranAPack(Array &result, const Array &source, const Array &mask,
                              const Array *vector, const char *, int) {
  Index total = elements(source), chosen = 0;
  Position position;
  for (Index left = total; left > 0; --left) {
    chosen += isTrue(&mask, position);
    position.advance(source);
  }
  bool pads = vector && vector->base_addr;
  Index extent = pads ? vector->dim[0].extent : chosen;
  allocate(result, 1, &extent, source.type, source.elem_len);
  char *place = firstByte(result);
  position = {};
  for (Index left = total; left > 0; --left) {
    if (isTrue(&mask, position)) {
      copyBytes(place, address(source, position), result.elem_len);
      place += result.elem_len;
    }
    position.advance(source);
  }
  for (Index i = chosen; i < extent; ++i, place += result.elem_len)
    copyBytes(place, elementOf(*vector, i), result.elem_len);
}

CUFC_ENTRY void _FortranAUnpack(Array &result, const Array &vector, const Array &mask,
                                const Array &field, const char *, int) {
  Index extents[CFI_MAX_RANK];
  for (int i = 0; i < mask.rank; ++i)
    extents[i] = mask.dim[i].extent;
  allocate(result, mask.rank, extents, vector.type, vector.elem_len);
  Index next = 0;
  forEach(result, [&](char *place, const Position &position) {
    bool taken = isTrue(&mask, position);
    copyBytes(place, taken ? elementOf(vector, next) : address(field, position), result.elem_len);
    next += taken;
  });
}

// Elements in array element order of the source, then of PAD, again and again; the result's
// subscripts vary in the order that ORDER gives (F2018, 16.9.163).
CUFC_ENTRY void _FortranAReshape(Array &result, const Array &source, const Array &shape,
                                 const Array *pad, const Array *order, const char *, int) {
  int rank = static_cast<int>(shape.dim[0].extent), dims[CFI_MAX_RANK];
  Index extents[CFI_MAX_RANK];
  for (int i = 0; i < rank; ++i) {
    extents[i] = integerAt(elementOf(shape, i), shape.elem_len);
    dims[i] = order && order->base_addr
                  ? static_cast<int>(integerAt(elementOf(*order, i), order->elem_len)) - 1
                  : i;
  }
  allocate(result, rank, extents, source.type, source.elem_len);
  Position from, padding, to;
  Index given = elements(source);
  for (Index left = elements(result); left > 0; --left) {
    bool fromSource = given-- > 0;
    if (!fromSource && (!pad || !pad->base_addr || elements(*pad) == 0))
      return;
    copyBytes(address(result, to), fromSource ? address(source, from) : address(*pad, padding),
              result.elem_len);
    if (fromSource)
      from.advance(source);
    else
      padding.advance(*pad);
    for (int i = 0; i < rank && ++to.at[dims[i]] >= result.dim[dims[i]].extent; ++i)
      to.at[dims[i]] = 0;
  }
}

CUFC_ENTRY void _FortranATranspose(Array &result, const Array &matrix, const char *, int) {
  Index extents[] = {matrix.dim[1].extent, matrix.dim[0].extent};
  allocate(result, 2, extents, matrix.type, matrix.elem_len);
  forEach(result, [&](char *place, const Position &position) {
    Position from;
    from.at[0] = position.at[1], from.at[1] = position.at[0];
    copyBytes(place, address(matrix, from), result.elem_len);
  });
}

CUFC_ENTRY void _FortranATransfer(Array &result, const Array &source, const Array &mold,
                                  const char *, int) {
  Index bytes = elements(source) * static_cast<Index>(source.elem_len);
  Index unit = static_cast<Index>(mold.elem_len);
  if (mold.rank == 0)
    transferTo(result, source, mold, 0, 1);
  else
    transferTo(result, source, mold, 1, unit > 0 ? (bytes + unit - 1) / unit : 0);
}

CUFC_ENTRY void _FortranATransferSize(Array &result, const Array &source, const Array &mold,
                                      const char *, int, int64_t size) {
  transferTo(result, source, mold, 1, size);
}

} // namespace cufc_device
