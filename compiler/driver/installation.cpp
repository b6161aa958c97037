// Everything is found relative to the executable, so that a folder can be moved as a whole.
#include "driver/installation.h"
#include "base/diag.h"
#include <filesystem>

namespace cufc {

Installation findInstallation(Diagnostics &diagnostics, const HostMachine &machine) {
  std::error_code error;
  std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  std::filesystem::path libraries = self.parent_path().parent_path() / "lib" / "cufc";
  if (&machine != &thisMachine) {
    libraries /= machine.libraries;
    // A link to a build: its modules have to have one name, also where they are made.
    if (std::filesystem::path real = std::filesystem::canonical(libraries, error); !error)
      libraries = real;
  }
  Installation result{libraries.string(), (libraries / "modules").string()};
  if (!std::filesystem::is_directory(result.modules, error))
    diagnostics.report(Diag::NoSuchInstallation, {}, result.modules);
  return result;
}

} // namespace cufc
