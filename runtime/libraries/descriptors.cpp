// See descriptors.h.
#include "libraries/descriptors.h"
#include "cudafor/arguments.h"

#include <algorithm>
#include <cstring>

namespace cufrt::libraries {
namespace {

int64_t integerOf(const CFI_cdesc_t *argument) {
  int64_t value = 0;
  if (!argument || !cudafor::integerValue(argument, value))
    fatal(nullptr, 0, "an argument of a CUDA library is no integer scalar");
  return value;
}

void *pointedTo(const CFI_cdesc_t *argument) {
  if (!argument || !argument->base_addr)
    return nullptr;
  bool isAddress = argument->type != CFI_type_int32_t && argument->type != CFI_type_int64_t &&
                   argument->rank == 0 && argument->elem_len == sizeof(void *);
  if (!isAddress)
    return argument->base_addr;
  void *address;
  std::memcpy(&address, argument->base_addr, sizeof address);
  return address;
}

} // namespace

void *streamOf(const CFI_cdesc_t *argument) {
  return reinterpret_cast<void *>(static_cast<intptr_t>(integerOf(argument)));
}
size_t sizeOf(const CFI_cdesc_t *argument) { return static_cast<size_t>(integerOf(argument)); }
int intOf(const CFI_cdesc_t *argument) { return static_cast<int>(integerOf(argument)); }
unsigned long long longOf(const CFI_cdesc_t *argument) {
  return static_cast<unsigned long long>(integerOf(argument));
}
int *addressOf(const CFI_cdesc_t *argument) { return static_cast<int *>(pointedTo(argument)); }
long long *addressOf64(const CFI_cdesc_t *argument) {
  return static_cast<long long *>(pointedTo(argument));
}

TextOf::TextOf(const CFI_cdesc_t *argument) {
  const char *start = static_cast<const char *>(argument->base_addr);
  const char *end = std::find(start, start + argument->elem_len, '\0');
  while (end > start && end[-1] == ' ')
    --end;
  text.assign(start, end);
}

void fillWords(char *words, const char *text) {
  constexpr size_t room = 128;
  size_t length = text ? std::min(std::strlen(text), room) : 0;
  std::memcpy(words, text, length);
  std::memset(words + length, ' ', room - length);
}

} // namespace cufrt::libraries
