/* What options of cufc ask of the whole program: the argument of cufrt_prepare_program, which a
   constructor of an object calls (compiler/codegen/host_code.cpp). */
#ifndef CUFRT_PROGRAM_OPTIONS_H
#define CUFRT_PROGRAM_OPTIONS_H

#include <stdint.h>

#define CUFRT_TRACEBACK 0x1u          /* -traceback */
#define CUFRT_ZERO_DEVICE_MEMORY 0x2u /* -gpu=zeroinit */
#define CUFRT_FLUSH_RESULTS 0x4u      /* -Mflushz */
#define CUFRT_FLUSH_OPERANDS 0x8u     /* -Mdaz */
#define CUFRT_TRAP_UNIT 0x100u        /* -Ktrap: the bits of <fenv.h> times this */

#ifdef __cplusplus
extern "C"
#endif
    void cufrt_prepare_program(uint64_t options);

#endif
