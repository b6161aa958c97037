// A library of the system that does the work of a CUDA library on the host device, such as FFTW.
// It is opened when it is first needed, so that programs which do not need it run without it.
#ifndef CUFRT_LIBRARIES_HOST_LIBRARY_H
#define CUFRT_LIBRARIES_HOST_LIBRARY_H

#include <atomic>

namespace cufrt::libraries {

class HostLibrary {
public:
  // `module` of Fortran and Debian's `package` are for the message if the library is not there.
  constexpr HostLibrary(const char *module, const char *file, const char *package)
      : module(module), file(file), package(package) {}

  // Ends the program with a message if the library or the function is not there.
  template <typename Function>
  Function function(const char *name) {
    return reinterpret_cast<Function>(find(name));
  }

private:
  void *find(const char *name);

  const char *const module, *const file, *const package;
  std::atomic<void *> handle{nullptr};
};

} // namespace cufrt::libraries
#endif // CUFRT_LIBRARIES_HOST_LIBRARY_H
