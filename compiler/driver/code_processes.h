// Host code of kernels made by processes of their own while this one makes the rest.
#ifndef CUFC_DRIVER_CODE_PROCESSES_H
#define CUFC_DRIVER_CODE_PROCESSES_H

#include "driver/child.h"
#include "driver/options.h"
#include <functional>
#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace cufc {

class CodeProcesses {
public:
  // `scratch` is a folder for their objects. Without a linker, or where the options ask for what
  // one process alone can tell, nothing is divided.
  CodeProcesses(const Options &options, std::string source, std::string scratch);
  CodeProcesses(const CodeProcesses &) = delete;
  ~CodeProcesses();

  // Before the module is optimised: starts a process for each of its parts, which are then dropped
  // from it. There `makeObject` is called with the part, and writes to the file or returns false.
  using MakeObject = std::function<bool(llvm::Module &part, const std::string &object)>;
  void start(llvm::Module &module, const MakeObject &makeObject);

  bool any() const { return objects > 0; }
  // One more object beside theirs.
  bool addPart(const std::string &object, Diagnostics &diagnostics);

  // Waits, and adds their code to the object file of the rest unless that is only made to be linked
  // (partObjects). False with diagnostics.
  bool addTo(std::string &object, Diagnostics &diagnostics);

private:
  bool canDivide() const;
  bool join(std::string &object, Diagnostics &diagnostics) const;

  const Options &options;
  std::string source, scratch;
  std::vector<Child> processes;
  size_t objects = 0;
};

// The objects of processes that an executable is linked with, beside that of the rest.
std::vector<std::string> partObjects(const std::string &scratch);

} // namespace cufc
#endif // CUFC_DRIVER_CODE_PROCESSES_H
