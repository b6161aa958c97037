// What a debugger that has started the program reads of the host device, by the symbols below.
//
// Kernels without synchronising operations run one thread after the other, each as a call, so that
// the call stack says all. Of a kernel that synchronises, the threads of a block take turns: those
// that wait are in no call stack but in frames (cufrt_frame), which `blocks` leads to. In code
// compiled with -O0 -g a frame says where its thread waits.
//
// To see the variables of a thread that waits, a debugger sets, in some stopped thread of the
// process, the program counter to the place where the thread waits and the stack and frame pointers
// into `scratch`, all words of which are the address of the frame: code for debuggers keeps nothing
// but that address on the stack while it waits. It puts the registers back before the process runs.
#ifndef CUFRT_DEBUGGER_H
#define CUFRT_DEBUGGER_H

#include "cufrt/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CUFRT_DEBUGGER_VERSION 1

// The lanes of one warp, in sets of bits. One that is alive is in exactly one of the other five.
typedef struct cufrt_warp_lanes {
  uint32_t alive;
  uint32_t ready;        // to be resumed; all of them, until the last one has been
  uint32_t at_barrier;   // of the block
  uint32_t at_cluster;   // barrier
  uint32_t at_grid;      // barrier
  uint32_t at_operation; // of the warp
} cufrt_warp_lanes;

// A block of a kernel that synchronises.
typedef struct cufrt_running_block {
  struct cufrt_running_block *next;
  const cufrt_kernel *kernel; // null while no block is under way here
  const cufrt_block *block;
  const void *frames; // of thread 0; threads count x fastest
  uint64_t frame_stride;
  const cufrt_warp_lanes *warps;
  int32_t threads;
  int32_t reserved;
} cufrt_running_block;

typedef struct cufrt_debugger {
  uint32_t version; // CUFRT_DEBUGGER_VERSION
  uint32_t abi;     // CUFRT_ABI_VERSION
  cufrt_running_block *blocks;
  // What is known of an address of device memory; empty if nothing is. For calls by a debugger.
  const char *(*describe_address)(const void *address);
  void *scratch;
  uint64_t scratch_bytes;
} cufrt_debugger;

extern cufrt_debugger cufrt_debugger_data;

// A debugger that waits for a thread of a kernel that synchronises writes the thread's frame here,
// and stops in cufrt_debugger_resumed. That is called before the thread is resumed, and, with a
// `state` of zero, when another block begins in the same memory: the thread has ended. So nobody
// need watch memory, which some virtual machines cannot, or stop for each other thread.
extern const void *volatile cufrt_debugger_awaited;
void cufrt_debugger_resumed(const void *frame);

// Called with the text of what goes on standard error, after it has been written: a finding of
// -gpu=check, threads that wait for each other, a fatal error. A breakpoint here stops where it
// happens.
void cufrt_debugger_stop(const char *text);

// Where the host device keeps device memory: the first address and the number of bytes. It takes
// faults there itself, since they say who uses what; so a debugger lets it have SIGSEGV. What turns
// out to be a mistake is a call of cufrt_debugger_fault, in the handler of the signal.
extern uintptr_t cufrt_debugger_memory[2];
void cufrt_debugger_fault(int signal, const void *address);

#ifdef __cplusplus
}
#endif
#endif // CUFRT_DEBUGGER_H
