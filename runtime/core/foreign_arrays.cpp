// Descriptors of gfortran's procedures (cufrt/foreign.h), made of flang's and back.
//
// gfortran counts strides in elements; of a pointer alone in units of `span` bytes. So an array
// whose elements lie apart by a part of an element, such as one component of an array of types, is
// copied for a dummy that is no pointer, as gfortran's own callers do.
#include "core/descriptor.h"
#include "core/foreign_types.h"
#include "cufrt/device.h"
#include "cufrt/foreign.h"
#include "flang/ISO_Fortran_binding.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <numeric>

namespace cufrt {
namespace {

struct GfortranDimension {
  std::int64_t stride, lower, upper;
};

// libgfortran.h: GFC_FULL_ARRAY_DESCRIPTOR.
struct GfortranArray {
  void *base;
  std::int64_t offset;
  std::uint64_t elementBytes;
  std::int32_t version;
  std::int8_t rank, type;
  std::int16_t attribute;
  std::int64_t span;
  GfortranDimension dimensions[CFI_MAX_RANK];
};

// ISO_Fortran_binding.h of gcc.
struct GccArray {
  void *base;
  std::uint64_t elementBytes;
  std::int32_t version;
  std::int8_t rank, attribute;
  std::int16_t type;
  CFI_dim_t dimensions[CFI_MAX_RANK];
};

struct Room {
  union {
    GfortranArray array;
    GccArray gcc;
    // and a table's address and the length of a string
    char bytes[CFI_MAX_RANK * sizeof(GfortranDimension) + 56];
  };
  std::uint64_t length; // of a string
  void *copy;           // of what is not laid out as gfortran needs it
};
static_assert(offsetof(Room, length) == CUFRT_FOREIGN_LENGTH && sizeof(Room) <= CUFRT_FOREIGN_ROOM);

constexpr unsigned addendumFlag = 1; // _CFI_ADDENDUM_FLAG

// Of a polymorphic argument the table follows the descriptor, or the address of a scalar.
const void *&tableOf(Room &room, int rank) {
  size_t offset = rank == 0 ? sizeof(void *)
                            : offsetof(GfortranArray, dimensions) +
                                  static_cast<size_t>(rank) * sizeof(GfortranDimension);
  return *reinterpret_cast<const void **>(room.bytes + offset);
}

bool isContiguous(const CFI_cdesc_t &ours) {
  CFI_index_t expected = static_cast<CFI_index_t>(ours.elem_len);
  for (int i = 0; i < ours.rank; ++i) {
    if (ours.dim[i].extent > 1 && ours.dim[i].sm != expected)
      return false;
    expected *= ours.dim[i].extent;
  }
  return true;
}

bool hasWholeStrides(const CFI_cdesc_t &ours) {
  for (int i = 0; i < ours.rank; ++i)
    if (ours.elem_len == 0 || ours.dim[i].sm % static_cast<CFI_index_t>(ours.elem_len) != 0)
      return false;
  return true;
}

size_t elementsOf(const CFI_cdesc_t &ours) {
  size_t count = 1;
  for (int i = 0; i < ours.rank; ++i)
    count *= static_cast<size_t>(ours.dim[i].extent);
  return count;
}

// Between an array and contiguous memory, in the order of elements.
void copyElements(const CFI_cdesc_t &ours, char *contiguous, bool back) {
  CFI_index_t index[CFI_MAX_RANK] = {};
  for (size_t left = elementsOf(ours); left > 0; --left) {
    char *element = static_cast<char *>(ours.base_addr);
    for (int i = 0; i < ours.rank; ++i)
      element += index[i] * ours.dim[i].sm;
    std::memcpy(back ? element : contiguous, back ? contiguous : element, ours.elem_len);
    contiguous += ours.elem_len;
    for (int i = 0; i < ours.rank && ++index[i] == ours.dim[i].extent; ++i)
      index[i] = 0;
  }
}

// flang's codes of LOGICAL of 2, 4 and 8 bytes lie among those of integers (logicalBitsToTypeCode
// in its TypeCode.h); no integer of Fortran has them.
bool isLogical(CFI_type_t type) {
  return type == CFI_type_Bool || type == CFI_type_int_least16_t ||
         type == CFI_type_int_least32_t || type == CFI_type_int_least64_t;
}

int typeOf(const CFI_cdesc_t &ours, const cufrt_foreign_array &facts) {
  if (facts.type != CUFRT_GFORTRAN_UNKNOWN)
    return facts.type;
  if (isLogical(ours.type))
    return CUFRT_GFORTRAN_LOGICAL;
  if (ours.type >= CFI_type_signed_char && ours.type <= CFI_type_ptrdiff_t)
    return CUFRT_GFORTRAN_INTEGER;
  if (ours.type >= CFI_type_half_float && ours.type <= CFI_type_float128)
    return CUFRT_GFORTRAN_REAL;
  if (ours.type >= CFI_type_half_float_Complex && ours.type <= CFI_type_float128_Complex)
    return CUFRT_GFORTRAN_COMPLEX;
  return ours.type == CFI_type_char ? CUFRT_GFORTRAN_CHARACTER : CUFRT_GFORTRAN_DERIVED;
}

[[noreturn]] void refuse(const cufrt_foreign_array &facts, const char *reason) {
  fatal(nullptr, 0, "argument '%s' of %s, which gfortran compiled: %s", facts.name, facts.procedure,
        reason);
}

// Behind the table of an unlimited polymorphic argument stands the length of a string.
std::uint64_t &lengthOf(const void *&table) {
  return *reinterpret_cast<std::uint64_t *>(&table + 1);
}

void setTable(CFI_cdesc_t &ours, Room &room, const cufrt_foreign_array &facts) {
  const void **type = dynamicTypeOf(ours);
  const void *&table = tableOf(room, ours.rank);
  if (facts.flags & CUFRT_FOREIGN_UNLIMITED) {
    lengthOf(table) = ours.type == CFI_type_char ? ours.elem_len : 0;
    table = tableOfIntrinsicType(ours);
    if (table || !ours.base_addr)
      return;
    if (!type || !*type)
      refuse(facts, "it is CLASS(*), and gfortran has no table for this type");
  }
  table = facts.count > 0 ? facts.types[1] : nullptr; // that of the declared type
  if (!ours.base_addr || !type || !*type)
    return;
  for (std::int64_t i = 0; i < facts.count; ++i)
    if (facts.types[2 * i] == *type) {
      table = facts.types[2 * i + 1];
      if (!table)
        break;
      return;
    }
  refuse(facts, "its type extends one of the library's, and gfortran has no table for it");
}

// Memory that flang's runtime has not got from the system cannot be given back by gfortran.
void refuseOtherMemory(const CFI_cdesc_t &ours, const cufrt_foreign_array &facts) {
  if (ours.base_addr && allocatorOf(ours) != 0)
    refuse(facts,
           "it is ALLOCATABLE there, and the actual argument is device, managed or pinned data");
}

void prepareAllocatable(CFI_cdesc_t &ours, const cufrt_foreign_array &facts) {
  refuseOtherMemory(ours, facts);
  if (!(facts.flags & CUFRT_FOREIGN_INTENT_OUT))
    return;
  std::free(ours.base_addr); // a procedure of gfortran expects that of its caller
  ours.base_addr = nullptr;
}

void setDimensions(const CFI_cdesc_t &ours, GfortranArray &array, bool keepsBounds) {
  array.offset = 0;
  std::int64_t unit = array.span, packed = 1;
  for (int i = 0; i < ours.rank; ++i) {
    GfortranDimension &to = array.dimensions[i];
    if (!ours.base_addr) {
      to = {0, 0, 0};
      continue;
    }
    to.lower = keepsBounds ? ours.dim[i].lower_bound : 1;
    to.upper = to.lower + ours.dim[i].extent - 1;
    to.stride = array.base == ours.base_addr && unit ? ours.dim[i].sm / unit : packed;
    packed *= ours.dim[i].extent;
    array.offset -= to.lower * to.stride;
  }
}

void makeArray(CFI_cdesc_t &ours, Room &room, const cufrt_foreign_array &facts) {
  GfortranArray &array = room.array;
  bool pointer = facts.flags & CUFRT_FOREIGN_POINTER;
  bool own = facts.flags & (CUFRT_FOREIGN_POINTER | CUFRT_FOREIGN_ALLOCATABLE);
  array.base = ours.base_addr;
  array.elementBytes = facts.bytes ? static_cast<std::uint64_t>(facts.bytes) : ours.elem_len;
  if (facts.flags & CUFRT_FOREIGN_POLYMORPHIC)
    array.elementBytes = ours.elem_len;
  array.version = 0;
  array.rank = static_cast<std::int8_t>(ours.rank);
  array.type = static_cast<std::int8_t>(typeOf(ours, facts));
  array.attribute = own ? (pointer ? 0 : 1) : 2; // as libgfortran.h and its users number them
  array.span = static_cast<std::int64_t>(ours.elem_len);
  bool fits = facts.flags & CUFRT_FOREIGN_CONTIGUOUS ? isContiguous(ours) : hasWholeStrides(ours);
  if (pointer && ours.base_addr) {
    for (int i = 0; i < ours.rank; ++i)
      array.span = std::gcd(array.span, static_cast<std::int64_t>(ours.dim[i].sm));
  } else if (!own && ours.base_addr && !fits && elementsOf(ours) > 0) {
    room.copy = std::malloc(elementsOf(ours) * ours.elem_len);
    if (!room.copy)
      refuse(facts, "there is no memory for a copy");
    copyElements(ours, static_cast<char *>(room.copy), false);
    array.base = room.copy;
  }
  setDimensions(ours, array, own);
}

void makeGccArray(const CFI_cdesc_t &ours, GccArray &array, const cufrt_foreign_array &facts) {
  // gcc's codes: integer, logical, real, complex, character, structure, and the kind above them.
  static constexpr std::int16_t codes[] = {-1, 1, 2, 3, 4, 6, 5};
  int type = typeOf(ours, facts), kind = facts.kind;
  bool number = type >= CUFRT_GFORTRAN_INTEGER && type <= CUFRT_GFORTRAN_COMPLEX;
  if (!kind && number)
    kind = static_cast<int>(ours.elem_len) / (type == CUFRT_GFORTRAN_COMPLEX ? 2 : 1);
  array.base = ours.base_addr;
  array.elementBytes = ours.elem_len;
  array.version = 1;
  array.rank = static_cast<std::int8_t>(ours.rank);
  array.attribute = ours.attribute == CFI_attribute_pointer       ? 0
                    : ours.attribute == CFI_attribute_allocatable ? 1
                                                                  : 2;
  int above = number ? kind << 8 : type == CUFRT_GFORTRAN_CHARACTER ? 1 << 8 : 0;
  array.type = static_cast<std::int16_t>(codes[type] + above);
  for (int i = 0; i < ours.rank; ++i)
    array.dimensions[i] = ours.dim[i];
}

void takeGccArray(CFI_cdesc_t &ours, const GccArray &array) {
  ours.base_addr = array.base;
  ours.elem_len = array.elementBytes;
  for (int i = 0; i < ours.rank; ++i)
    ours.dim[i] = array.dimensions[i];
}

void takeType(CFI_cdesc_t &ours, Room &room, const cufrt_foreign_array &facts) {
  const void *table = tableOf(room, ours.rank);
  const void **type = dynamicTypeOf(ours);
  if (!ours.base_addr)
    return;
  if (facts.flags & CUFRT_FOREIGN_UNLIMITED &&
      takeIntrinsicType(ours, table, lengthOf(tableOf(room, ours.rank))))
    return;
  if (!type)
    return;
  for (std::int64_t i = 0; i < facts.count; ++i)
    if (facts.types[2 * i + 1] == table && facts.types[2 * i]) {
      *type = facts.types[2 * i];
      ours.type = CFI_type_struct;
      std::memcpy(&ours.elem_len, static_cast<const char *>(table) + 8, sizeof ours.elem_len);
      return;
    }
  refuse(facts, "it came back with a type that this program does not know");
}

void takeArray(CFI_cdesc_t &ours, Room &room, const cufrt_foreign_array &facts) {
  const GfortranArray &array = room.array;
  ours.base_addr = array.base;
  if (facts.flags & CUFRT_FOREIGN_DEFERRED_LENGTH)
    ours.elem_len = room.length;
  std::int64_t unit = facts.flags & CUFRT_FOREIGN_POINTER && array.span != 0
                          ? array.span
                          : static_cast<std::int64_t>(ours.elem_len);
  for (int i = 0; i < ours.rank && ours.base_addr; ++i) {
    const GfortranDimension &from = array.dimensions[i];
    std::int64_t extent = from.upper - from.lower + 1;
    ours.dim[i].lower_bound = extent > 0 ? from.lower : 1;
    ours.dim[i].extent = extent > 0 ? extent : 0;
    ours.dim[i].sm = from.stride * unit;
  }
  if (facts.flags & CUFRT_FOREIGN_POLYMORPHIC)
    takeType(ours, room, facts);
}

// DEALLOCATE of flang's runtime wants to see what its ALLOCATE leaves behind the memory of a
// pointer, unless this says otherwise; it is read when the main program starts.
__attribute__((constructor)) void acceptPointersOfGfortran() {
  setenv("FORT_CHECK_POINTER_DEALLOCATION", "0", 0);
}

CFI_type_t flangType(const cufrt_foreign_array &facts) {
  int kind = facts.kind;
  switch (facts.type) {
  case CUFRT_GFORTRAN_INTEGER:
    return kind == 1   ? CFI_type_int8_t
           : kind == 2 ? CFI_type_int16_t
           : kind == 4 ? CFI_type_int32_t
           : kind == 8 ? CFI_type_int64_t
                       : CFI_type_int128_t;
  case CUFRT_GFORTRAN_LOGICAL:
    return kind == 1   ? CFI_type_Bool
           : kind == 2 ? CFI_type_int_least16_t
           : kind == 4 ? CFI_type_int_least32_t
                       : CFI_type_int_least64_t;
  case CUFRT_GFORTRAN_REAL:
    return kind == 4 ? CFI_type_float : kind == 8 ? CFI_type_double : CFI_type_extended_double;
  case CUFRT_GFORTRAN_COMPLEX:
    return kind == 4   ? CFI_type_float_Complex
           : kind == 8 ? CFI_type_double_Complex
                       : CFI_type_extended_double_Complex;
  case CUFRT_GFORTRAN_CHARACTER:
    return CFI_type_char;
  default:
    return CFI_type_struct;
  }
}

// A descriptor without contents.
void describe(CFI_cdesc_t &ours, const cufrt_foreign_array &facts) {
  ours.base_addr = nullptr;
  ours.elem_len = static_cast<size_t>(facts.bytes);
  ours.version = CFI_VERSION;
  ours.rank = static_cast<CFI_rank_t>(facts.rank);
  ours.type = flangType(facts);
  ours.attribute =
      facts.flags & CUFRT_FOREIGN_POINTER ? CFI_attribute_pointer : CFI_attribute_allocatable;
  bool derived = facts.type == CUFRT_GFORTRAN_DERIVED;
  ours.extra = derived ? addendumFlag : 0;
  for (int i = 0; i < ours.rank; ++i)
    ours.dim[i] = {1, 0, 0};
  if (derived) {
    const void **type = dynamicTypeOf(ours);
    type[0] = facts.count > 0 ? facts.types[0] : nullptr;
    type[1] = nullptr;
  }
}

// Of gfortran's descriptor, or the address alone that a scalar has.
size_t bytesOfVariable(const cufrt_foreign_array &facts) {
  return facts.rank == 0 ? sizeof(void *)
                         : offsetof(GfortranArray, dimensions) +
                               static_cast<size_t>(facts.rank) * sizeof(GfortranDimension);
}

} // namespace
} // namespace cufrt

using namespace cufrt;

extern "C" void cufrt_read_gfortran_variable(void *descriptor, const void *theirs,
                                             const cufrt_foreign_array *facts) {
  auto &ours = *static_cast<CFI_cdesc_t *>(descriptor);
  Room room;
  std::memcpy(&room, theirs, bytesOfVariable(*facts));
  describe(ours, *facts);
  takeArray(ours, room, *facts);
}

extern "C" void cufrt_write_gfortran_variable(void *descriptor, void *theirs,
                                              const cufrt_foreign_array *facts) {
  auto &ours = *static_cast<CFI_cdesc_t *>(descriptor);
  Room room;
  if (facts->flags & CUFRT_FOREIGN_ALLOCATABLE)
    refuseOtherMemory(ours, *facts);
  if (facts->rank == 0)
    room.array.base = ours.base_addr;
  else
    makeArray(ours, room, *facts);
  std::memcpy(theirs, &room, bytesOfVariable(*facts));
}

extern "C" void *cufrt_to_gfortran(void *descriptor, void *memory,
                                   const cufrt_foreign_array *facts) {
  auto &room = *new (memory) Room;
  room.copy = nullptr;
  room.length = 0;
  if (!descriptor)
    return nullptr;
  auto &ours = *static_cast<CFI_cdesc_t *>(descriptor);
  if (facts->flags & CUFRT_FOREIGN_ALLOCATABLE)
    prepareAllocatable(ours, *facts);
  room.length = ours.elem_len;
  if (facts->flags & CUFRT_FOREIGN_C_DESCRIPTOR) {
    makeGccArray(ours, room.gcc, *facts);
    return memory;
  }
  if (ours.rank == 0 && facts->rank == 0)
    room.array.base = ours.base_addr;
  else
    makeArray(ours, room, *facts);
  if (facts->flags & CUFRT_FOREIGN_POLYMORPHIC)
    setTable(ours, room, *facts);
  return memory;
}

extern "C" void cufrt_from_gfortran(void *descriptor, void *memory,
                                    const cufrt_foreign_array *facts) {
  if (!descriptor)
    return;
  auto &ours = *static_cast<CFI_cdesc_t *>(descriptor);
  auto &room = *static_cast<Room *>(memory);
  if (room.copy) {
    if (!(facts->flags & CUFRT_FOREIGN_INTENT_IN))
      copyElements(ours, static_cast<char *>(room.copy), true);
    std::free(room.copy);
    return;
  }
  bool changes = facts->flags & (CUFRT_FOREIGN_POINTER | CUFRT_FOREIGN_ALLOCATABLE);
  if (!changes || facts->flags & CUFRT_FOREIGN_INTENT_IN)
    return;
  if (facts->flags & CUFRT_FOREIGN_C_DESCRIPTOR)
    takeGccArray(ours, room.gcc);
  else
    takeArray(ours, room, *facts);
}

extern "C" void cufrt_start_gfortran_result(void *descriptor, void *memory,
                                            const cufrt_foreign_array *facts) {
  auto &ours = *static_cast<CFI_cdesc_t *>(descriptor);
  describe(ours, *facts);
  auto &room = *new (memory) Room;
  room.copy = nullptr;
  room.length = ours.elem_len;
  makeArray(ours, room, *facts);
}

extern "C" void cufrt_gfortran_array_result(void *address, void *memory,
                                            const cufrt_foreign_array *facts,
                                            const std::int64_t *extents) {
  auto &room = *new (memory) Room;
  GfortranArray &array = room.array;
  array.base = address;
  array.offset = 0;
  array.elementBytes = static_cast<std::uint64_t>(facts->bytes);
  array.version = 0;
  array.rank = static_cast<std::int8_t>(facts->rank);
  array.type = static_cast<std::int8_t>(facts->type);
  array.attribute = 2;
  array.span = facts->bytes;
  std::int64_t stride = 1;
  for (int i = 0; i < facts->rank; ++i) {
    array.dimensions[i] = {stride, 0, extents[i] - 1};
    stride *= extents[i];
  }
}

extern "C" void cufrt_foreign_refused(const char *procedure, const char *reason) {
  fatal(nullptr, 0, "%s, which gfortran compiled, cannot be called: %s", procedure, reason);
}
