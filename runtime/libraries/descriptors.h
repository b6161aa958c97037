// What arguments that arrive as descriptors are for C. Wrong ones end the program: the interfaces
// let none through.
#ifndef CUFRT_LIBRARIES_DESCRIPTORS_H
#define CUFRT_LIBRARIES_DESCRIPTORS_H

#include <flang/ISO_Fortran_binding.h>

#include <cstddef>
#include <string>

namespace cufrt::libraries {

// Integers of any kind.
void *streamOf(const CFI_cdesc_t *argument);
size_t sizeOf(const CFI_cdesc_t *argument);
int intOf(const CFI_cdesc_t *argument);
unsigned long long longOf(const CFI_cdesc_t *argument);

// Null if the argument is not there or a null type(c_ptr).
int *addressOf(const CFI_cdesc_t *argument);
long long *addressOf64(const CFI_cdesc_t *argument);

// Characters without the blanks at their end, or up to a null character, ended by one.
class TextOf {
public:
  explicit TextOf(const CFI_cdesc_t *argument);
  operator const char *() const { return text.c_str(); }

private:
  std::string text;
};
// Puts text into a character variable of 128, behind it blanks.
void fillWords(char *words, const char *text);
inline TextOf textOf(const CFI_cdesc_t *argument) { return TextOf(argument); }

} // namespace cufrt::libraries
#endif // CUFRT_LIBRARIES_DESCRIPTORS_H
