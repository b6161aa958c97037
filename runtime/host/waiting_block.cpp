// See waiting_block.h. The block's record is a part of the object, by which the call in generated
// code finds its way back.
#include "host/waiting_block.h"
#include "core/page_size.h"
#include "host/fault.h"
#include "host/warp_operations.h"

#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <utility>

namespace cufrt::host {
namespace {

// Loops over threads may have arrays of 16 of them here, of up to 512 KB each. Pages that are not
// used take no memory.
constexpr size_t stackBytes = 64 << 20;

char *newStack() {
  void *memory = mmap(nullptr, stackBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory, pageBytes, PROT_NONE) != 0) {
    std::fprintf(stderr, "cufrt: no memory for the stack of a block that waits for its grid\n");
    std::abort();
  }
  return static_cast<char *>(memory);
}

} // namespace

WaitingBlock::~WaitingBlock() {
  if (stack)
    munmap(stack, stackBytes);
}

void WaitingBlock::start(const Grid &of, int64_t blockNumber) {
  grid = &of;
  static_cast<cufrt_block &>(*this) = blockOf(of, blockNumber);
  sharedMemory.reserve(of.sharedBytes);
  frameMemory.reserve(of.kernel->frame_bytes * roomForThreads(of));
  shared = sharedMemory.get();
  frames = frameMemory.get();
  row_threads = block_dim[0];
  if (!stack)
    stack = newStack();
  progress = Progress::waitsForGrid;
  isNew = true;
}

// The block goes on with the floating-point control of whoever runs it first.
void WaitingBlock::makeContext() {
  getcontext(&own);
  own.uc_stack.ss_sp = stack;
  own.uc_stack.ss_size = stackBytes;
  own.uc_link = &caller;
  const auto address = reinterpret_cast<uintptr_t>(this); // arguments are of type int
  makecontext(&own, reinterpret_cast<void (*)()>(enter), 2, static_cast<unsigned>(address >> 32),
              static_cast<unsigned>(address));
}

Progress WaitingBlock::run() {
  const StackBounds bounds(stack);
  if (std::exchange(isNew, false))
    makeContext();
  swapcontext(&caller, &own);
  return progress;
}

// Indices are given as Fortran counts them.
void WaitingBlock::reportStuck(const Grid &of) const {
  std::fprintf(stderr,
               "cufrt: kernel %s cannot go on in block (%d,%d,%d) of %d threads:\n"
               "  all wait at a %s, and the launch is not a cooperative one\n",
               of.kernel->display, block_index[0] + 1, block_index[1] + 1, block_index[2] + 1,
               of.threads, operationName(CUFRT_GRID_BARRIER));
}

void WaitingBlock::enter(unsigned upper, unsigned lower) {
  auto *block = reinterpret_cast<WaitingBlock *>(static_cast<uintptr_t>(upper) << 32 | lower);
  block->grid->kernel->run_block(block, block->grid->arguments);
  block->progress = Progress::finished;
}

void WaitingBlock::waitForGrid(const cufrt_block &block) {
  auto &waiting = const_cast<WaitingBlock &>(static_cast<const WaitingBlock &>(block));
  swapcontext(&waiting.own, &waiting.caller);
}

} // namespace cufrt::host

extern "C" void cufrt_wait_for_grid(const cufrt_block *block) {
  cufrt::host::WaitingBlock::waitForGrid(*block);
}
