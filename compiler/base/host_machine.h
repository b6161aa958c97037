// The machines that host code is made for: the one that cufc runs on, or that of --target.
#ifndef CUFC_BASE_HOST_MACHINE_H
#define CUFC_BASE_HOST_MACHINE_H

#include <string_view>

namespace cufc {

struct HostMachine {
  const char *name;       // as `uname -m` says
  const char *triple;     // LLVM's
  const char *baseline;   // LLVM's name of the processor whose code runs on every one
  const char *libraries;  // Debian's folder below /usr/lib
  const char *toolkit;    // the CUDA Toolkit's folder below targets/
  const char *macro;      // of C compilers
  const char *processors; // some names, for messages

  constexpr bool isX86() const { return name[0] == 'x'; }
};

inline constexpr HostMachine hostMachines[] = {
    {"x86_64", "x86_64-pc-linux-gnu", "x86-64", "x86_64-linux-gnu", "x86_64-linux", "__x86_64__",
     "native, x86-64-v3, haswell, znver3"},
    {"aarch64", "aarch64-unknown-linux-gnu", "generic", "aarch64-linux-gnu", "sbsa-linux",
     "__aarch64__", "native, neoverse-v2, armv8.2-a+sve"}};

#if defined(__x86_64__)
inline constexpr const HostMachine &thisMachine = hostMachines[0];
#elif defined(__aarch64__)
inline constexpr const HostMachine &thisMachine = hostMachines[1];
#else
#error host code is made for x86-64 and aarch64 alone
#endif

// Of "aarch64-linux-gnu" or "aarch64-unknown-linux-gnu"; null for what is not there.
constexpr const HostMachine *findHostMachine(std::string_view triple) {
  for (const HostMachine &machine : hostMachines)
    if (triple == machine.triple || triple == machine.libraries)
      return &machine;
  return nullptr;
}

} // namespace cufc
#endif // CUFC_BASE_HOST_MACHINE_H
