// What Fortran's arguments are for the C functions of the MPI library, where it has no Fortran
// procedure that can be called: large counts.
//
// A handle is an integer in some libraries and a pointer in others, which have functions that
// convert; an integer goes where a pointer goes, and the function looks at its half.
#ifndef CUFRT_MPI_C_LIBRARY_H
#define CUFRT_MPI_C_LIBRARY_H

#include "mpi/known_library.h"

#include <cstdint>
#include <string>

#define CUFRT_MPI_HANDLE(kind)                                                                     \
  extern "C" __attribute__((weak)) void *PMPI_##kind##_f2c(int);                                   \
  extern "C" __attribute__((weak)) int PMPI_##kind##_c2f(void *);
CUFRT_MPI_HANDLE(Comm)
CUFRT_MPI_HANDLE(File)
CUFRT_MPI_HANDLE(Info)
CUFRT_MPI_HANDLE(Message)
CUFRT_MPI_HANDLE(Op)
CUFRT_MPI_HANDLE(Request)
CUFRT_MPI_HANDLE(Type)
CUFRT_MPI_HANDLE(Win)
#undef CUFRT_MPI_HANDLE

namespace cufrt::mpi {

using FromFortran = void *(*)(int);
using ToFortran = int (*)(void *);

void *handleOf(FromFortran convert, Handle handle);

// An array of datatypes as the C function takes it; ends the program where handles are pointers.
Handle *handlesOf(Handle *handles, const char *call);

// A handle that the function sets or changes.
class GivenHandle {
public:
  GivenHandle(Handle *fortran, FromFortran from, ToFortran to)
      : fortran(fortran), to(to), value(to ? nullptr : handleOf(from, *fortran)) {}
  GivenHandle(const GivenHandle &) = delete;
  ~GivenHandle();

  void *place() { return &value; }

private:
  Handle *fortran;
  ToFortran to;
  void *value;
};

// The message of a matched receive, which the function both reads and changes.
class ChangedHandle : public GivenHandle {
public:
  ChangedHandle(Handle *fortran, FromFortran from, ToFortran to) : GivenHandle(fortran, from, to) {
    *static_cast<void **>(place()) = handleOf(from, *fortran);
  }
};

// A status, which is the program's again when this is destroyed, or one that nobody reads.
class CStatus {
public:
  explicit CStatus(const void *fortran);
  CStatus(const CStatus &) = delete;
  ~CStatus();

  void *place() { return own; }

private:
  static constexpr int largest = 64; // words
  int *fortran;                      // null: ignored
  alignas(16) int64_t own[largest] = {};
};

// The address of a buffer, or the C constant for MPI_BOTTOM or MPI_IN_PLACE.
void *addressOf(void *buffer);

// A string without its blanks at the end.
std::string textOf(const char *text, size_t length);

} // namespace cufrt::mpi
#endif // CUFRT_MPI_C_LIBRARY_H
