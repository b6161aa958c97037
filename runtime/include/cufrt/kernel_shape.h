// The launch configuration of CUF kernels, as far as the directive leaves it to the compiler.
#ifndef CUFRT_KERNEL_SHAPE_H
#define CUFRT_KERNEL_SHAPE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// How the iterations of the two innermost parallel loops use arrays.
enum {
  CUFRT_ROWS = 0, // neighbours in the innermost loop, neighbours in memory
  CUFRT_CROSSED =
      1,            // in some arrays those, in others neighbours in the next loop (a transposition)
  CUFRT_COLUMNS = 2 // neighbours in the next loop alone
};

// What threads do at the end, as bits: they combine values; iterations have loops of their own, so
// that some may take much longer than others, and a thread is to do no more than one.
enum { CUFRT_COMBINES = 1, CUFRT_UNEVEN = 2 };

// Replaces what is zero in `shape`: blocks of the grid along x, y and z, then threads of a block
// along x, y and z. `trips` are the iterations of the `loops` innermost parallel loops, the
// innermost one first, and 1 for the others; all dimensions of the shape that have no loop are
// given. `ends` is how threads end. `kernel` is the stub that is launched; its registers decide how
// many blocks run at a time.
void cufrt_kernel_shape(int32_t shape[6], int64_t tripsX, int64_t tripsY, int64_t tripsZ,
                        int32_t loops, int32_t access, int32_t ends, const void *kernel);

#ifdef __cplusplus
}
#endif
#endif // CUFRT_KERNEL_SHAPE_H
