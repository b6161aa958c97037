// Every object that gfortran makes has tables of its own for the types that it uses; SELECT TYPE
// compares a number in them, which gfortran computes of the type's name (gcc/fortran/class.cc:
// gfc_intrinsic_hash_value).
#include "core/foreign_types.h"

#include <cstring>
#include <string_view>

namespace cufrt {
namespace {

// The beginning of gfortran's table of a type.
struct Table {
  std::int32_t number;
  std::uint64_t bytes;
  const void *extends, *initial;
  void (*copy)(const void *from, void *to, std::uint64_t fromLength, std::uint64_t toLength);
  void (*finalise)();
  void (*deallocate)();
};

constexpr std::int32_t numberOf(std::string_view name) {
  std::uint32_t number = 0;
  for (char c : name)
    number = (number << 6) + (number << 16) - number + static_cast<unsigned char>(c);
  return static_cast<std::int32_t>(number % 100000000);
}
static_assert(numberOf("INTEGER(4)") == 177599 && numberOf("REAL(8)") == 64671579);

template <std::uint64_t bytes>
void copyBytes(const void *from, void *to, std::uint64_t, std::uint64_t) {
  std::memcpy(to, from, bytes);
}

void copyText(const void *from, void *to, std::uint64_t fromLength, std::uint64_t toLength) {
  std::uint64_t common = fromLength < toLength ? fromLength : toLength;
  std::memmove(to, from, common);
  std::memset(static_cast<char *>(to) + common, ' ', toLength - common);
}

template <std::uint64_t bytes>
constexpr Table table(std::string_view name) {
  return {numberOf(name), bytes, nullptr, nullptr, copyBytes<bytes>, nullptr, nullptr};
}

struct Row {
  CFI_type_t type;
  Table table;
};

constexpr Row rows[] = {
    {CFI_type_int8_t, table<1>("INTEGER(1)")},
    {CFI_type_int16_t, table<2>("INTEGER(2)")},
    {CFI_type_int32_t, table<4>("INTEGER(4)")},
    {CFI_type_int64_t, table<8>("INTEGER(8)")},
    {CFI_type_int128_t, table<16>("INTEGER(16)")},
    {CFI_type_Bool, table<1>("LOGICAL(1)")},
    {CFI_type_int_least16_t, table<2>("LOGICAL(2)")},
    {CFI_type_int_least32_t, table<4>("LOGICAL(4)")},
    {CFI_type_int_least64_t, table<8>("LOGICAL(8)")},
    {CFI_type_float, table<4>("REAL(4)")},
    {CFI_type_double, table<8>("REAL(8)")},
    {CFI_type_extended_double, table<16>("REAL(10)")},
    {CFI_type_float_Complex, table<8>("COMPLEX(4)")},
    {CFI_type_double_Complex, table<16>("COMPLEX(8)")},
    {CFI_type_extended_double_Complex, table<32>("COMPLEX(10)")},
    {CFI_type_char, {numberOf("CHARACTER(1)"), 1, nullptr, nullptr, copyText, nullptr, nullptr}},
};

// Names of a type by a C type: flang uses those of a size.
CFI_type_t plain(const CFI_cdesc_t &ours) {
  bool integer = ours.type >= CFI_type_signed_char && ours.type <= CFI_type_size_t;
  bool other = ours.type == CFI_type_intmax_t || ours.type == CFI_type_intptr_t ||
               ours.type == CFI_type_ptrdiff_t;
  if (!integer && !other)
    return ours.type;
  return ours.elem_len == 1   ? CFI_type_int8_t
         : ours.elem_len == 2 ? CFI_type_int16_t
         : ours.elem_len == 4 ? CFI_type_int32_t
                              : CFI_type_int64_t;
}

} // namespace

const void *tableOfIntrinsicType(const CFI_cdesc_t &ours) {
  for (const Row &row : rows)
    if (row.type == plain(ours))
      return &row.table;
  return nullptr;
}

bool takeIntrinsicType(CFI_cdesc_t &ours, const void *theirs, std::uint64_t length) {
  if (!theirs)
    return false;
  const auto &found = *static_cast<const Table *>(theirs);
  for (const Row &row : rows)
    if (row.table.number == found.number && row.table.bytes == found.bytes) {
      ours.type = row.type;
      ours.elem_len = row.type == CFI_type_char ? length : found.bytes;
      return true;
    }
  return false;
}

} // namespace cufrt
