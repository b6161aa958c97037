// The entry point for assignments that other files of this library use too.
#ifndef CUFRT_CORE_TRANSFER_H
#define CUFRT_CORE_TRANSFER_H

#include "flang/ISO_Fortran_binding.h"

// `mode` is a cufrt::Direction. The shapes agree, or `from` is a scalar.
extern "C" void _FortranACUFDataTransferDescDescNoRealloc(CFI_cdesc_t *to, CFI_cdesc_t *from,
                                                          unsigned mode, const char *file,
                                                          int line);

#endif // CUFRT_CORE_TRANSFER_H
