// Kernels written by hand in the form that the compiler gives them.
#ifndef TESTS_UNIT_RUNTIME_KERNELS_H
#define TESTS_UNIT_RUNTIME_KERNELS_H

#include "cufrt/abi.h"
#include "cufrt/device.h"

#include <array>
#include <initializer_list>
#include <memory>

// A kernel that is registered for the rest of the program.
class Kernel {
public:
  explicit Kernel(cufrt_run_block run, uint64_t sharedBytes = 0, int maxThreads = 1024);
  explicit Kernel(cufrt_resume_thread resume, uint64_t frameBytes = sizeof(cufrt_frame),
                  uint64_t sharedBytes = 0);
  // Code for the GPU alone.
  static Kernel withoutHostCode();

  using Dimensions = std::array<int64_t, 3>;

  // Launches and returns what the launch returned.
  cufrt::Error launch(Dimensions grid, Dimensions block, std::initializer_list<void *> arguments,
                      size_t sharedBytes = 0, bool cooperative = false) const;

  const void *stub() const { return record.get(); }

private:
  Kernel() = default;
  void registerWith(cufrt_kernel kernel);

  struct Record {
    cufrt_kernel kernel;
    cufrt_module module;
  };
  std::shared_ptr<Record> record;
};

// Stops a thread at an operation, from inside a resume function: `return stop(frame, 2, ...)`.
int32_t stop(cufrt_frame *frame, int32_t nextState, cufrt_sync operation, uint64_t operand = 0);
int32_t stopInWarp(cufrt_frame *frame, int32_t nextState, cufrt_sync operation, uint32_t mask,
                   uint64_t operand, int32_t lane = 0, int32_t clamp = 0);

// The linear index of a thread in its block.
int linear(const cufrt_block *block, int32_t x, int32_t y, int32_t z);

#endif // TESTS_UNIT_RUNTIME_KERNELS_H
