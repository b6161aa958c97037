// The memory with which the threads of a grid reduce values; see compiler/lower/grid_reductions.h.
//
// A workspace is device memory: one head a slot, then one partial result a slot and block. A head
// holds the number of blocks that have finished (zero between launches), from byte 8 the address of
// host memory to which the kernel writes the result too (null: to none), and, from byte 16, the
// result. compiler/codegen/device_reductions.cpp writes the number and the results. A result in
// host memory needs no transfer, which took longer than the reduction of a million numbers.
#ifndef CUFRT_REDUCTION_H
#define CUFRT_REDUCTION_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  CUFRT_REDUCTION_HEAD = 32,         // bytes
  CUFRT_REDUCTION_COPY = 8,          // offset of the address in host memory in a head
  CUFRT_REDUCTION_RESULT = 16,       // offset of the result in a head
  CUFRT_REDUCTION_PARTIALS = 1024,   // offset of the partial results: there are at most 32 slots
  CUFRT_REDUCTION_PARTIAL_BYTES = 16 // of the largest type, complex(8)
};

// A workspace for a launch of x * y * z blocks on the stream whose handle `stream` points to (null:
// the default stream). The runtime owns it and gives the same one to the next launch of that thread
// on that stream. Ends the program with a message if there is no memory.
void *cufrt_reduction_workspace(int32_t x, int32_t y, int32_t z, int32_t slots,
                                const int64_t *stream);

// Waits for the stream and brings the result of a slot, `bytes` long, to `to`. Ends the program
// with a message for that line if the kernel has failed.
void cufrt_reduction_result(void *workspace, int32_t slot, void *to, int32_t bytes,
                            const int64_t *stream, const char *file, int32_t line);

// Drops every workspace, after the device was reset.
void cufrt_reduction_forget(void);

#ifdef __cplusplus
}
#endif
#endif // CUFRT_REDUCTION_H
