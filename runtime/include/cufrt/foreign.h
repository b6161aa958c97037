// Arguments of procedures that gfortran compiled: what adapters of generated code
// (compiler/codegen/foreign_calls.cpp) ask of the runtime library.
//
// gfortran has descriptors of its own (libgfortran.h of gcc 8 and later). Such a descriptor is made
// in memory of the adapter before a call, and what the procedure did to it is carried back after
// it.
#ifndef CUFRT_FOREIGN_H
#define CUFRT_FOREIGN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// gfortran's codes of types in descriptors.
enum cufrt_gfortran_type {
  CUFRT_GFORTRAN_UNKNOWN = 0, // that of the actual argument
  CUFRT_GFORTRAN_INTEGER = 1,
  CUFRT_GFORTRAN_LOGICAL = 2,
  CUFRT_GFORTRAN_REAL = 3,
  CUFRT_GFORTRAN_COMPLEX = 4,
  CUFRT_GFORTRAN_DERIVED = 5,
  CUFRT_GFORTRAN_CHARACTER = 6,
};

enum cufrt_foreign_flag {
  CUFRT_FOREIGN_INTENT_IN = 1,
  CUFRT_FOREIGN_INTENT_OUT = 2,
  CUFRT_FOREIGN_ALLOCATABLE = 4,
  CUFRT_FOREIGN_POINTER = 8,
  CUFRT_FOREIGN_CONTIGUOUS = 16,
  CUFRT_FOREIGN_DEFERRED_LENGTH = 32,
  CUFRT_FOREIGN_POLYMORPHIC = 64,
  CUFRT_FOREIGN_C_DESCRIPTOR = 128, // that of gcc's ISO_Fortran_binding.h
  CUFRT_FOREIGN_RESULT = 256,
  CUFRT_FOREIGN_UNLIMITED = 512, // CLASS(*)
};

// Bytes of the memory for one argument, and where the length of a string lies in it.
#define CUFRT_FOREIGN_ROOM 512
#define CUFRT_FOREIGN_LENGTH 416

// A dummy argument or result, as the module file declares it.
typedef struct cufrt_foreign_array {
  int32_t rank;  // -1: any
  int32_t type;  // cufrt_gfortran_type
  int64_t bytes; // of an element; 0: the actual argument's
  int32_t kind;
  int32_t flags; // cufrt_foreign_flag
  int64_t count; // of pairs in `types`
  // Types that a polymorphic object may have: flang's type descriptor and gfortran's table. Null
  // where the program has none of it.
  const void *const *types;
  const char *name;
  const char *procedure;
} cufrt_foreign_array;

// Makes the argument for gfortran in `room`; null if `ours`, a descriptor of flang, is.
void *cufrt_to_gfortran(void *ours, void *room, const cufrt_foreign_array *facts);
// After the call.
void cufrt_from_gfortran(void *ours, void *room, const cufrt_foreign_array *facts);

// For a function's result that is allocatable or a pointer: `ours` has no contents yet.
void cufrt_start_gfortran_result(void *ours, void *room, const cufrt_foreign_array *facts);
// For a result that is an array at `address`.
void cufrt_gfortran_array_result(void *address, void *room, const cufrt_foreign_array *facts,
                                 const int64_t *extents);

// A variable of a module that is allocatable or a pointer: flang's descriptor of it is made anew of
// gfortran's, and gfortran's of flang's.
void cufrt_read_gfortran_variable(void *ours, const void *theirs, const cufrt_foreign_array *facts);
void cufrt_write_gfortran_variable(void *ours, void *theirs, const cufrt_foreign_array *facts);

// Ends the program: a procedure was called that cannot be.
void cufrt_foreign_refused(const char *procedure, const char *reason);

#ifdef __cplusplus
}
#endif
#endif // CUFRT_FOREIGN_H
