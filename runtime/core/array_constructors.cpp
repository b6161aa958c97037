// Values that go into an array constructor whose lengths flang does not know while it compiles:
//
//   [p(2:i), p(1)]   ->   init(vector, temporary), push(vector, p(2:i)), push(vector, p(1))
//
// flang's functions make a descriptor of the part and assign it. Where the temporary has room,
// arrays of intrinsic types are copied here.
#include "core/array_copies.h"
#include <cstring>

namespace {

// As flang-rt/runtime/array-constructor.h has it.
struct Vector {
  CFI_cdesc_t &to;
  CFI_index_t next, room; // elements
  const char *file;
  int line;
};

using namespace cufrt;

// Where `count` elements go, which are then counted; null where flang must do it.
char *placeFor(Vector &vector, CFI_index_t count) {
  CFI_cdesc_t &to = vector.to;
  CFI_index_t end = vector.next + count;
  auto bytes = static_cast<CFI_index_t>(to.elem_len);
  if (!isPlainArray(to) || to.rank != 1 || to.dim[0].sm != bytes || end > vector.room)
    return nullptr;
  if (to.dim[0].extent < end)
    to.dim[0].extent = end;
  char *place = static_cast<char *>(to.base_addr) + vector.next * bytes;
  vector.next = end;
  return place;
}

} // namespace

extern "C" void _FortranAPushArrayConstructorValue(Vector &vector, const CFI_cdesc_t &from);
extern "C" void _FortranAPushArrayConstructorSimpleScalar(Vector &vector, void *from);

extern "C" void cufrt_push_value(Vector &vector, const CFI_cdesc_t &from) {
  bool plain =
      isPlainArray(from) && from.type == vector.to.type && from.elem_len == vector.to.elem_len;
  char *place = plain ? placeFor(vector, static_cast<CFI_index_t>(elementsOf(from))) : nullptr;
  if (place)
    gather(place, from);
  else
    _FortranAPushArrayConstructorValue(vector, from);
}

extern "C" void cufrt_push_scalar(Vector &vector, void *from) {
  if (char *place = placeFor(vector, 1))
    std::memcpy(place, from, vector.to.elem_len);
  else
    _FortranAPushArrayConstructorSimpleScalar(vector, from);
}
