// See kernels.h.
#include "kernels.h"

#include <vector>

namespace {

// Module records must outlive everything.
std::vector<std::shared_ptr<void>> &kept() {
  static auto *records = new std::vector<std::shared_ptr<void>>;
  return *records;
}

} // namespace

void Kernel::registerWith(cufrt_kernel kernel) {
  record = std::make_shared<Record>();
  kept().push_back(record);
  record->kernel = kernel;
  record->kernel.stub = record.get();
  record->kernel.name = record->kernel.display = "test_kernel";
  record->module = {};
  record->module.version = CUFRT_ABI_VERSION;
  record->module.kernels = &record->kernel;
  record->module.kernel_count = 1;
  cufrt_register_module(&record->module);
}

Kernel::Kernel(cufrt_run_block run, uint64_t sharedBytes, int maxThreads) {
  cufrt_kernel kernel{};
  kernel.run_block = run;
  kernel.static_shared_bytes = sharedBytes;
  kernel.max_threads = maxThreads;
  registerWith(kernel);
}

Kernel::Kernel(cufrt_resume_thread resume, uint64_t frameBytes, uint64_t sharedBytes) {
  cufrt_kernel kernel{};
  kernel.resume_thread = resume;
  kernel.frame_bytes = frameBytes;
  kernel.static_shared_bytes = sharedBytes;
  kernel.max_threads = 1024;
  registerWith(kernel);
}

Kernel Kernel::withoutHostCode() {
  Kernel result;
  cufrt_kernel kernel{};
  kernel.max_threads = 1024;
  result.registerWith(kernel);
  return result;
}

cufrt::Error Kernel::launch(Dimensions grid, Dimensions block,
                            std::initializer_list<void *> arguments, size_t sharedBytes,
                            bool cooperative) const {
  // A kernel gets the addresses of its arguments.
  std::vector<void *> values(arguments);
  std::vector<void *> addresses;
  for (void *&value : values)
    addresses.push_back(&value);
  cufrt::Launch launch{};
  launch.stub = stub();
  for (size_t i = 0; i < 3; ++i) {
    launch.grid[i] = grid[i];
    launch.block[i] = block[i];
  }
  launch.dynamicSharedBytes = sharedBytes;
  launch.cooperative = cooperative;
  launch.arguments = addresses.data();
  return cufrt::api().launch(launch);
}

int32_t stop(cufrt_frame *frame, int32_t nextState, cufrt_sync operation, uint64_t operand) {
  frame->state = nextState;
  frame->operation = operation;
  frame->operand = operand;
  return 1;
}

int32_t stopInWarp(cufrt_frame *frame, int32_t nextState, cufrt_sync operation, uint32_t mask,
                   uint64_t operand, int32_t lane, int32_t clamp) {
  frame->mask = mask;
  frame->lane = lane;
  frame->clamp = clamp;
  return stop(frame, nextState, operation, operand);
}

int linear(const cufrt_block *block, int32_t x, int32_t y, int32_t z) {
  return x + block->block_dim[0] * (y + block->block_dim[1] * z);
}
