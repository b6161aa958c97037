// PRINT and list-directed WRITE to standard output in device code: the entry points of flang's
// run-time library that put values into a statement's text, which vprintf then writes in one piece.
//
// The layout is that of flang's list-directed output of host code: a blank before each value but
// between two texts, the fewest digits of a real number that give it back when read, and records of
// at most 79 characters. Text that does not fit into the statement's memory is written when a
// record ends, so a line never mixes with those of other threads, and a short statement's lines
// stay together. The compiler gives each procedure memory for the statement
// (codegen/device_output.cpp).
#include "arrays.h"
#include "decimal.h"

// The device's own (CUDA C++ programming guide, "Formatted output"): the arguments are members of a
// structure. On the host device it is cufrt_print.
extern "C" int vprintf(const char *format, const void *arguments);

namespace cufc_device {
namespace {

constexpr int recordLength = 79;
constexpr int capacity = 256; // codegen/device_output.cpp: outputStatementBytes

struct Statement {
  int length;   // of the text
  int column;   // of the record, from 0
  bool wasText; // the last value was of type CHARACTER
  char text[capacity - 12];
};

void put(Statement &statement, char c) {
  statement.text[statement.length++] = c;
  ++statement.column;
}

void put(Statement &statement, const char *text, int count) {
  for (int i = 0; i < count; ++i)
    put(statement, text[i]);
}

[[gnu::noinline]] void write(Statement &statement) {
  statement.text[statement.length] = '\0';
  const char *argument = statement.text;
  vprintf("%s", &argument);
  statement.length = 0;
}

void endRecord(Statement &statement) {
  statement.text[statement.length++] = '\n';
  statement.column = 0;
  constexpr int room = static_cast<int>(sizeof statement.text) - recordLength - 2;
  if (statement.length > room)
    write(statement);
}

int room(const Statement &statement) {
  return statement.column < recordLength ? recordLength - statement.column : 0;
}

// Begins a new record unless `count` characters fit into this one.
void makeRoom(Statement &statement, int count) {
  if (statement.column > 0 && count > room(statement))
    endRecord(statement);
}

[[gnu::noinline]] void putValue(Statement &statement, const char *text, int count) {
  makeRoom(statement, count + 1);
  statement.wasText = false;
  put(statement, ' ');
  put(statement, text, count);
}

void putInteger(Statement &statement, int64_t number) {
  char digits[20];
  int begin = sizeof digits;
  uint64_t left = number < 0 ? 0 - static_cast<uint64_t>(number) : static_cast<uint64_t>(number);
  do
    digits[--begin] = static_cast<char>('0' + left % 10);
  while ((left /= 10) != 0);
  if (number < 0)
    digits[--begin] = '-';
  putValue(statement, digits + begin, static_cast<int>(sizeof digits) - begin);
}

void putLogical(Statement &statement, bool value) { putValue(statement, value ? "T" : "F", 1); }

template <typename T>
void putReal(Statement &statement, T value) {
  char text[maxRealText];
  putValue(statement, text, realText(value, text));
}

template <typename T>
void putComplex(Statement &statement, T real, T imaginary) {
  char text[maxRealText];
  int length = realText(real, text);
  makeRoom(statement, length + 3);
  statement.wasText = false;
  put(statement, " (", 2);
  put(statement, text, length);
  put(statement, ',');
  length = realText(imaginary, text);
  makeRoom(statement, length + 1);
  put(statement, text, length);
  put(statement, ')');
}

// A text may be longer than a record; it goes on in the next one.
[[gnu::noinline]] void putText(Statement &statement, const char *text, size_t count) {
  bool blank = statement.column == 0 || !statement.wasText;
  int wanted = count > 0 ? 1 : 0;
  if (statement.column > 0 && blank + wanted > room(statement))
    endRecord(statement);
  else if (blank)
    put(statement, ' ');
  for (size_t i = 0; i < count; ++i) {
    if (room(statement) == 0) {
      endRecord(statement);
      put(statement, ' ');
    }
    put(statement, text[i]);
  }
  statement.wasText = true;
}

void putElement(Statement &statement, const char *place, const Array &array) {
  switch (array.type) {
  case CFI_type_char:
    return putText(statement, place, array.elem_len);
  case CFI_type_Bool:
  case CFI_type_int_fast16_t: // flang's codes of LOGICAL(2), (4) and (8)
  case CFI_type_int_fast32_t:
  case CFI_type_int_fast64_t:
    return putLogical(statement, integerAt(place, array.elem_len) != 0);
  case CFI_type_float:
    return putReal(statement, *reinterpret_cast<const float *>(place));
  case CFI_type_double:
    return putReal(statement, *reinterpret_cast<const double *>(place));
  case CFI_type_half_float:
    return putReal(statement, *reinterpret_cast<const Half *>(place));
  case CFI_type_half_float_Complex: {
    auto parts = reinterpret_cast<const Half *>(place);
    return putComplex(statement, parts[0], parts[1]);
  }
  case CFI_type_float_Complex: {
    auto parts = reinterpret_cast<const float *>(place);
    return putComplex(statement, parts[0], parts[1]);
  }
  case CFI_type_double_Complex: {
    auto parts = reinterpret_cast<const double *>(place);
    return putComplex(statement, parts[0], parts[1]);
  }
  default:
    return putInteger(statement, integerAt(place, array.elem_len));
  }
}

Statement &statementOf(void *cookie) { return *static_cast<Statement *>(cookie); }

} // namespace
} // namespace cufc_device

using namespace cufc_device;

// In place of _FortranAioBeginExternalListOutput.
CUFC_ENTRY void *cufc_begin_output(void *memory) {
  Statement &statement = statementOf(memory);
  statement.length = statement.column = 0;
  statement.wasText = false;
  return memory;
}

#define CUFC_OUTPUT(name, type, action)                                                            \
  CUFC_ENTRY bool _FortranAioOutput##name(void *cookie, type value) {                              \
    action(statementOf(cookie), value);                                                            \
    return true;                                                                                   \
  }
CUFC_OUTPUT(Integer8, int8_t, putInteger)
CUFC_OUTPUT(Integer16, int16_t, putInteger)
CUFC_OUTPUT(Integer32, int32_t, putInteger)
CUFC_OUTPUT(Integer64, int64_t, putInteger)
CUFC_OUTPUT(Real32, float, putReal)
CUFC_OUTPUT(Real64, double, putReal)
CUFC_OUTPUT(Logical, bool, putLogical)

CUFC_ENTRY bool _FortranAioOutputComplex32(void *cookie, float real, float imaginary) {
  putComplex(statementOf(cookie), real, imaginary);
  return true;
}

CUFC_ENTRY bool _FortranAioOutputComplex64(void *cookie, double real, double imaginary) {
  putComplex(statementOf(cookie), real, imaginary);
  return true;
}

CUFC_ENTRY bool _FortranAioOutputAscii(void *cookie, const char *text, size_t length) {
  putText(statementOf(cookie), text, length);
  return true;
}

CUFC_ENTRY bool _FortranAioOutputDescriptor(void *cookie, const Array *array) {
  Position position;
  for (Index left = elements(*array); left > 0; --left) {
    putElement(statementOf(cookie), address(*array, position), *array);
    position.advance(*array);
  }
  return true;
}

CUFC_ENTRY int _FortranAioEndIoStatement(void *cookie) {
  endRecord(statementOf(cookie));
  if (statementOf(cookie).length > 0)
    write(statementOf(cookie));
  return 0;
}
