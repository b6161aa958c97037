// See fortran_library.h. OpenBLAS holds both libraries; the reference ones are taken where it is
// not installed. Names of the files are those of Debian and its relatives.
#include "libraries/fortran_library.h"
#include "core/settings.h"
#include "cufrt/device.h"

#include <dlfcn.h>

namespace cufrt::libraries {
namespace {

struct Files {
  void *first = nullptr, *second = nullptr;
};

// Ranks and kernels share the cores by CUF_HOST_THREADS.
void limitThreads(void *openblas) {
  if (void *set = dlsym(openblas, "openblas_set_num_threads"))
    reinterpret_cast<void (*)(int)>(set)(settings().hostThreads);
}

Files load() {
  Files files;
  files.first = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  if (files.first) {
    limitThreads(files.first);
  } else {
    files.first = dlopen("libblas.so.3", RTLD_NOW | RTLD_GLOBAL);
  }
  // Debian builds OpenBLAS with LAPACK, other systems may not.
  if (!files.first || !dlsym(files.first, "dgetrf_"))
    files.second = dlopen("liblapack.so.3", RTLD_NOW | RTLD_LOCAL);
  return files;
}

} // namespace

void *fortranRoutine(const char *name) {
  static const Files files = load();
  void *found = files.first ? dlsym(files.first, name) : nullptr;
  if (!found && files.second)
    found = dlsym(files.second, name);
  if (!found)
    fatal(nullptr, 0,
          "linear algebra on the CPU needs a BLAS and LAPACK library, and none with '%s' was "
          "found; install "
          "package libopenblas0 (or libblas3 and liblapack3)",
          std::string(name, std::string(name).find('_')).c_str());
  return found;
}

} // namespace cufrt::libraries
