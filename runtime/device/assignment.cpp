// Assignment of whole arrays where the compiler does not make loops of it, copies of arguments that
// must be contiguous, and array constructors whose size is not known.
//
// Types are those of Fortran 77 and derived types without allocatable components: bytes are copied.
#include "arrays.h"

namespace cufc_device {
namespace {

bool haveSameShape(const Array &a, const Array &b) {
  for (int i = 0; i < a.rank; ++i)
    if (a.dim[i].extent != b.dim[i].extent)
      return false;
  return true;
}

// Characters are cut off or padded with blanks.
void assignElement(char *to, size_t toBytes, const char *from, size_t fromBytes) {
  copyBytes(to, from, toBytes < fromBytes ? toBytes : fromBytes);
  for (size_t i = fromBytes; i < toBytes; ++i)
    to[i] = ' ';
}

// `from` may be a scalar.
void assignElements(const Array &to, const Array &from) {
  Position position;
  for (Index left = elements(to); left > 0; --left) {
    assignElement(address(to, position), to.elem_len, address(from, position), from.elem_len);
    position.advance(to);
  }
}

struct Copy {
  alignas(Array) char bytes[sizeof(Array) + CFI_MAX_RANK * sizeof(CFI_dim_t)];
  Array &array() { return *reinterpret_cast<Array *>(bytes); }
};

// The bytes from the first to the last element.
void extent(const Array &array, const char *&first, const char *&last) {
  first = last = static_cast<const char *>(array.base_addr);
  for (int i = 0; i < array.rank; ++i) {
    Index reach = (array.dim[i].extent - 1) * array.dim[i].sm;
    (reach < 0 ? first : last) += reach;
  }
  last += array.elem_len;
}

bool mayOverlap(const Array &a, const Array &b) {
  const char *aFirst, *aLast, *bFirst, *bLast;
  extent(a, aFirst, aLast);
  extent(b, bFirst, bLast);
  return aFirst < bLast && bFirst < aLast;
}

// The heap is for all threads; few bytes are faster on the stack.
void assignThroughCopy(const Array &to, const Array &from) {
  alignas(16) char few[256];
  Copy copy;
  size_t size = sizeof(Array) + from.rank * sizeof(CFI_dim_t);
  size_t bytes = static_cast<size_t>(elements(from)) * from.elem_len;
  if (bytes <= sizeof few) {
    copyBytes(copy.bytes, reinterpret_cast<const char *>(&from), size);
    copy.array().base_addr = few;
    Index stride = static_cast<Index>(from.elem_len);
    for (int i = 0; i < from.rank; ++i) {
      copy.array().dim[i].sm = stride;
      stride *= from.dim[i].extent;
    }
  } else {
    allocateLike(copy.array(), from);
  }
  assignElements(copy.array(), from);
  assignElements(to, copy.array());
  if (bytes > sizeof few)
    free(copy.array().base_addr);
}

void assign(Array &to, const Array &from) {
  if (to.attribute == CFI_attribute_allocatable &&
      (!to.base_addr || (from.rank > 0 && !haveSameShape(to, from)))) {
    void *old = to.base_addr;
    Array *target = &to;
    Index bounds[CFI_MAX_RANK];
    for (int i = 0; i < from.rank; ++i)
      bounds[i] = from.dim[i].lower_bound;
    Copy source; // `to` may be part of `from`
    size_t size = sizeof(Array) + from.rank * sizeof(CFI_dim_t);
    copyBytes(source.bytes, reinterpret_cast<const char *>(&from), size);
    Index extents[CFI_MAX_RANK];
    for (int i = 0; i < from.rank; ++i)
      extents[i] = from.dim[i].extent;
    allocate(*target, to.rank, extents, to.type, to.elem_len);
    for (int i = 0; i < from.rank; ++i)
      to.dim[i].lower_bound = bounds[i];
    assignElements(to, source.array());
    free(old);
    return;
  }
  if (elements(to) == 0 || !mayOverlap(to, from)) {
    assignElements(to, from);
    return;
  }
  assignThroughCopy(to, from);
}

// flang's vector has room for 80 bytes.
struct ConstructorVector {
  Array *to;
  Index used;     // elements
  Index capacity; // elements
  bool takesLength;
};

void reserve(ConstructorVector &vector, Index more) {
  Array &to = *vector.to;
  Index needed = vector.used + more;
  if (needed > vector.capacity) {
    Index room = vector.capacity * 2 > needed ? vector.capacity * 2 : needed;
    size_t unit = to.elem_len;
    char *memory = static_cast<char *>(allocateBytes(unit * static_cast<size_t>(room)));
    copyBytes(memory, static_cast<char *>(to.base_addr), unit * static_cast<size_t>(vector.used));
    free(to.base_addr);
    to.base_addr = memory;
    vector.capacity = room;
  }
  to.dim[0].lower_bound = 1;
  to.dim[0].sm = static_cast<Index>(to.elem_len);
  if (to.dim[0].extent < needed)
    to.dim[0].extent = needed;
}

char *nextPlace(ConstructorVector &vector) {
  return static_cast<char *>(vector.to->base_addr) +
         static_cast<size_t>(vector.used++) * vector.to->elem_len;
}

} // namespace

CUFC_ENTRY void _FortranAAssign(Array &to, const Array &from, const char *, int) {
  assign(to, from);
}

CUFC_ENTRY void _FortranAAssignTemporary(Array &to, const Array &from, const char *, int) {
  assign(to, from);
}

CUFC_ENTRY void _FortranAAssignExplicitLengthCharacter(Array &to, const Array &from, const char *,
                                                       int) {
  assign(to, from);
}

CUFC_ENTRY void _FortranACopyInAssign(Array &temporary, const Array &variable, const char *, int) {
  allocateLike(temporary, variable);
  assignElements(temporary, variable);
}

CUFC_ENTRY void _FortranACopyOutAssign(Array *variable, Array &temporary, const char *, int) {
  if (variable)
    assignElements(*variable, temporary);
  free(temporary.base_addr);
  temporary.base_addr = nullptr;
}

CUFC_ENTRY void _FortranAShallowCopy(Array &result, const Array &source, const char *, int) {
  allocateLike(result, source);
  assignElements(result, source);
}

CUFC_ENTRY void _FortranAShallowCopyDirect(const Array &result, const Array &source, const char *,
                                           int) {
  assignElements(result, source);
}

CUFC_ENTRY void _FortranAInitArrayConstructorVector(ConstructorVector &vector, Array &to,
                                                    bool takesLength, const char *, int) {
  vector = {&to, 0, 0, takesLength};
  if (to.base_addr)
    vector.capacity = to.dim[0].extent;
  else
    to.dim[0].extent = 0;
}

CUFC_ENTRY void _FortranAPushArrayConstructorValue(ConstructorVector &vector, const Array &from) {
  Array &to = *vector.to;
  if (vector.takesLength && vector.capacity == 0)
    to.elem_len = from.elem_len;
  Index count = elements(from);
  if (count == 0)
    return;
  reserve(vector, count);
  Position position;
  do
    assignElement(nextPlace(vector), to.elem_len, address(from, position), from.elem_len);
  while (position.advance(from));
}

CUFC_ENTRY void _FortranAPushArrayConstructorSimpleScalar(ConstructorVector &vector,
                                                          const char *from) {
  reserve(vector, 1);
  copyBytes(nextPlace(vector), from, vector.to->elem_len);
}

CUFC_ENTRY bool _FortranAIsContiguous(const Array &array) {
  Index step = static_cast<Index>(array.elem_len);
  for (int i = 0; i < array.rank; ++i) {
    if (array.dim[i].extent > 1 && array.dim[i].sm != step)
      return elements(array) == 0;
    step *= array.dim[i].extent;
  }
  return true;
}

} // namespace cufc_device
