// Decodes the descriptors that module cudafor's assumed-rank dummies bring.
#include "cudafor/arguments.h"

#include "core/default_stream.h"

#include <cstring>
#include <limits>

namespace cufrt::cudafor {
namespace {

bool isScalar(const CFI_cdesc_t *argument) {
  return argument && argument->rank == 0 && argument->base_addr;
}

bool isInteger(const CFI_cdesc_t *argument) {
  return argument->type >= CFI_type_signed_char && argument->type <= CFI_type_ptrdiff_t;
}

template <typename T>
int64_t load(const void *address) {
  T value;
  std::memcpy(&value, address, sizeof value);
  return value;
}

template <typename T>
bool store(void *address, int64_t wide) {
  T value = static_cast<T>(wide);
  std::memcpy(address, &value, sizeof value);
  return value == wide;
}

// flang marks an addendum behind the last dimension in the lowest bit of `extra`
// (flang-rt/runtime/descriptor.h); its first word points to the description of the derived type.
// That description starts with a descriptor of rank 1 with an addendum, the type's bindings, and
// goes on with the descriptor of a character scalar, the type's name (__fortran_type_info.f90).
constexpr unsigned addendumBit = 1;
constexpr size_t bindingsBytes = 64;

bool isNamed(const CFI_cdesc_t *name, const char *expected) {
  size_t length = std::strlen(expected);
  return name->base_addr && name->elem_len == length &&
         std::memcmp(name->base_addr, expected, length) == 0;
}

bool isAddressType(const CFI_cdesc_t *argument) {
  return argument->type == CFI_type_cptr || isOfType(argument, "__builtin_c_ptr") ||
         isOfType(argument, "__builtin_c_devptr");
}

// The number of elements that follow each other without gaps from the first one on.
size_t contiguousElements(const CFI_cdesc_t *array) {
  size_t elements = 1;
  for (int i = 0; i < array->rank; ++i) {
    const CFI_dim_t &dim = array->dim[i];
    if (dim.extent == 0)
      return 0;
    if (dim.extent < 0) // the last dimension of an assumed-size array
      return std::numeric_limits<size_t>::max();
  }
  for (int i = 0; i < array->rank; ++i) {
    const CFI_dim_t &dim = array->dim[i];
    if (dim.extent != 1 && dim.sm != static_cast<CFI_index_t>(elements * array->elem_len))
      return elements;
    elements *= static_cast<size_t>(dim.extent);
  }
  return elements;
}

} // namespace

// Types are told by name, as each shared library may have its own copy of a type's description.
bool isOfType(const CFI_cdesc_t *argument, const char *name) {
  if (argument->type != CFI_type_struct || !(argument->extra & addendumBit))
    return false;
  const char *addendum = reinterpret_cast<const char *>(argument) + offsetof(CFI_cdesc_t, dim) +
                         argument->rank * sizeof(CFI_dim_t);
  const char *type;
  std::memcpy(&type, addendum, sizeof type);
  return type && isNamed(reinterpret_cast<const CFI_cdesc_t *>(type + bindingsBytes), name);
}

bool integerValue(const CFI_cdesc_t *argument, int64_t &value) {
  if (!isScalar(argument) || !isInteger(argument))
    return false;
  switch (argument->elem_len) {
  case 1:
    value = load<int8_t>(argument->base_addr);
    return true;
  case 2:
    value = load<int16_t>(argument->base_addr);
    return true;
  case 4:
    value = load<int32_t>(argument->base_addr);
    return true;
  case 8:
    value = load<int64_t>(argument->base_addr);
    return true;
  default:
    return false;
  }
}

bool sizeValue(const CFI_cdesc_t *argument, size_t &value) {
  int64_t number;
  if (!integerValue(argument, number) || number < 0)
    return false;
  value = static_cast<size_t>(number);
  return true;
}

bool storeInteger(const CFI_cdesc_t *argument, int64_t value) {
  if (!isScalar(argument) || !isInteger(argument))
    return false;
  switch (argument->elem_len) {
  case 1:
    return store<int8_t>(argument->base_addr, value);
  case 2:
    return store<int16_t>(argument->base_addr, value);
  case 4:
    return store<int32_t>(argument->base_addr, value);
  case 8:
    return store<int64_t>(argument->base_addr, value);
  default:
    return false;
  }
}

bool deviceNumber(const CFI_cdesc_t *argument, int &device) {
  int64_t value;
  if (!integerValue(argument, value) || value < cpuDevice ||
      value > std::numeric_limits<int>::max())
    return false;
  device = static_cast<int>(value);
  return true;
}

bool streamHandle(const CFI_cdesc_t *argument, void *&stream) {
  int64_t handle = 0;
  if (!argument) {
    stream = threadStream();
    return true;
  }
  if (!integerValue(argument, handle))
    return false;
  stream = reinterpret_cast<void *>(static_cast<intptr_t>(handle));
  return true;
}

bool operandOf(const CFI_cdesc_t *argument, Operand &operand) {
  if (!argument)
    return false;
  constexpr size_t unknown = std::numeric_limits<size_t>::max();
  if (isScalar(argument) && isAddressType(argument)) {
    void *address;
    std::memcpy(&address, argument->base_addr, sizeof address);
    operand = {static_cast<char *>(address), 1, unknown, true};
    return true;
  }
  size_t elements = argument->rank == 0 ? unknown : contiguousElements(argument);
  operand = {static_cast<char *>(argument->base_addr), argument->elem_len, elements, false};
  return argument->elem_len > 0;
}

bool reaches(const Operand &operand, size_t count) {
  return count == 0 || (operand.address && count <= operand.elements);
}

Operand inBytes(const Operand &operand) {
  size_t bytes;
  if (!multiply(operand.elements, operand.elementBytes, bytes))
    bytes = std::numeric_limits<size_t>::max();
  return {operand.address, 1, bytes, operand.isAddress};
}

} // namespace cufrt::cudafor
