// Chooses the device of the program (cufrt/device.h) and says why it is not a GPU.
//
// The CUDA back end is a library of its own that is linked only where a toolkit is installed, so
// core reaches it through a weak symbol; the driver passes `-u cufrt_cuda_device` to pull it in.
#include "core/choose_device.h"
#include "core/foreign_access.h"
#include "core/module_registry.h"
#include "core/settings.h"
#include "cufrt/device.h"
#include "report/report.h"

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <unordered_set>

extern "C" __attribute__((weak)) const cufrt::Device *cufrt_cuda_device();

namespace cufrt {
namespace {

std::atomic<const Device *> chosenDevice{nullptr};

struct Reason {
  char text[256]; // empty if a GPU can be used
};

__attribute__((format(printf, 1, 2))) Reason because(const char *format, ...) {
  Reason reason;
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(reason.text, sizeof reason.text, format, arguments);
  va_end(arguments);
  return reason;
}

Reason whyNoDriver(const Device &cuda, Error error) {
  int driver = 0, runtime = 0;
  cuda.cudaDriverGetVersion(&driver);
  cuda.cudaRuntimeGetVersion(&runtime);
  if (driver == 0)
    return because("no driver library libcuda.so.1");
  if (error == errorInsufficientDriver)
    return because("the driver supports CUDA %d.%d, the program needs %d.%d", driver / 1000,
                   driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
  if (error == errorNoDevice)
    return because("no CUDA device found");
  return because("%s: %s", cuda.errorName(error), cuda.errorString(error));
}

Reason whyNoGpu() {
  const Device *cuda = cudaDevice();
  if (!cuda)
    return because("the program was linked without the CUDA toolkit");
  int count = 0;
  Error error = cuda->cudaGetDeviceCount(&count);
  cuda->cudaGetLastError();
  if (error != success)
    return whyNoDriver(*cuda, error);
  if (count == 0)
    return because("no CUDA device found");
  return Reason{};
}

bool hasGpuCode(const cufrt_module &module) { return module.fat_binary || module.handle; }

// A program whose kernels exist as host code only runs on the host even where there is a GPU. The
// link of device code adds modules with host code of kernels that other modules have GPU code of.
bool hasKernelsWithoutGpuCode() {
  std::unordered_set<const void *> covered;
  for (const cufrt_module *module : registeredModules())
    for (uint64_t i = 0; hasGpuCode(*module) && i < module->kernel_count; ++i)
      covered.insert(module->kernels[i].stub);
  for (const cufrt_module *module : registeredModules())
    for (uint64_t i = 0; !hasGpuCode(*module) && i < module->kernel_count; ++i)
      if (!covered.count(module->kernels[i].stub))
        return true;
  return false;
}

// Of the ranks that MPI has started on this machine one speaks for all.
const Device &runOnHost(const char *reason) {
  int threads = settings().hostThreads;
  const LocalRanks &ranks = settings().ranks;
  char all[60] = "";
  if (ranks.count > 1)
    std::snprintf(all, sizeof all, " in each of %d ranks", ranks.count);
  if (ranks.own == 0)
    std::fprintf(stderr, "cufrt: %s; kernels run on the CPU, %d thread%s%s\n", reason, threads,
                 threads == 1 ? "" : "s", all);
  return hostDevice();
}

const Device &chooseDevice() {
  DeviceChoice choice = settings().device;
  if (choice == DeviceChoice::host)
    return runOnHost("CUF_DEVICE=host");
  if (hasKernelsWithoutGpuCode()) {
    if (choice == DeviceChoice::gpu)
      fatal(nullptr, 0, "CUF_DEVICE=gpu, but the program holds no GPU code");
    return runOnHost("the program holds no GPU code");
  }
  bool checked = hasCheckedKernels();
  if (checked && choice == DeviceChoice::automatic)
    return runOnHost("the program is checked (-gpu=check)");
  Reason reason = whyNoGpu();
  if (!reason.text[0]) {
    if (checked)
      std::fputs("cufrt: CUF_DEVICE=gpu: the GPU checks nothing of what -gpu=check asks for\n",
                 stderr);
    return *cudaDevice();
  }
  if (choice == DeviceChoice::gpu)
    fatal(nullptr, 0, "CUF_DEVICE=gpu, but no GPU can be used: %s", reason.text);
  char announcement[300];
  std::snprintf(announcement, sizeof announcement, "no GPU (%s)", reason.text);
  return runOnHost(announcement);
}

// Host code reaches a managed variable through the pointer at `shadow`; it is set before main uses
// it.
void setManagedPointers(const Device &device, cufrt_module &module) {
  const char *name = nullptr;
  for (uint64_t i = 0; i < module.variable_count; ++i)
    if (module.variables[i].kind == CUFRT_MANAGED_VARIABLE)
      name = module.variables[i].name;
  if (!name)
    return;
  Error error = device.placeManagedVariables(module);
  if (error != success)
    fatal(nullptr, 0, "managed variable %s cannot be placed: %s (%s)", name,
          device.errorName(error), device.errorString(error));
}

const Device *chooseAndPrepare() {
  const Device &device = chooseDevice();
  for (cufrt_module *module : registeredModules()) {
    if (device.isHost)
      device.registerModule(*module);
    setManagedPointers(device, *module);
  }
  const Device *used = settings().report ? &report::start(device) : &device;
  chosenDevice.store(used, std::memory_order_release);
  return used;
}

} // namespace

const Device *cudaDevice() { return cufrt_cuda_device ? cufrt_cuda_device() : nullptr; }

const Device &api() {
  static const Device *device = chooseAndPrepare();
  return *device;
}

const Device *deviceInUse() { return chosenDevice.load(std::memory_order_acquire); }

void moduleWasAdded(cufrt_module &module) {
  const Device *device = chosenDevice.load(std::memory_order_acquire);
  if (!device)
    return;
  if (device->isHost)
    device->registerModule(module);
  setManagedPointers(*device, module);
}

} // namespace cufrt
