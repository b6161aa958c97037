// What an object file says of its device code to the link of a program: the unit of device linking.
//
// A file whose device procedures or data other files may use, or that uses those of others, does
// not carry a GPU program of its own. Its object holds a unit instead: LLVM bitcode of the device
// module before optimisation, what the code generator must know of it, and, if it was compiled with
// -c and a toolkit, relocatable machine code in the sections that nvcc and nvlink use. The section
// of the unit is not part of a linked program.
#ifndef CUFC_CODEGEN_DEVICE_UNIT_H
#define CUFC_CODEGEN_DEVICE_UNIT_H

#include "base/diagnostics.h"
#include "lower/device_facts.h"
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace cufc {

// How the device code of one file gets into a program.
enum class DeviceLinking {
  Whole,      // it stands for itself: nothing else is linked that could use it
  Deferred,   // compiled when the program is linked, together with the files that it uses
  Relocatable // compiled alone, to be linked by cufc or nvcc
};

struct DeviceUnit {
  std::string id;     // of the program's registration functions; a part of C identifiers
  std::string source; // for messages
  DeviceFacts facts;
  std::vector<int> gpus; // compute capabilities that there is relocatable machine code for
  std::string bitcode;
};

// Makes a unit of a device module, to which `defineDeviceRuntime` was applied.
DeviceUnit makeDeviceUnit(const llvm::Module &device, const std::string &source,
                          const DeviceFacts &facts);

// Puts the unit into a section of the host module's object.
void embedDeviceUnit(llvm::Module &host, const DeviceUnit &unit);

// A unit as a file of its own, for a link that begins before the object is done. False, with errno,
// if the file cannot be written; nothing if there is none, or no unit in it.
bool writeDeviceUnit(const std::string &path, const DeviceUnit &unit);
std::optional<DeviceUnit> readDeviceUnit(const std::string &path);

// An object file, as it is or out of an archive, that has device code for the link of a program.
struct DeviceObject {
  std::string path;              // of the object or the archive
  std::string member;            // of the archive
  std::string content;           // of an archive's member, else empty
  std::vector<DeviceUnit> units; // none in an object of nvcc's
};

// The objects in a file that hold units or relocatable machine code of nvcc's; none if the file is
// neither an object nor an archive.
std::vector<DeviceObject> readDeviceObjects(const std::string &path);

} // namespace cufc
#endif // CUFC_CODEGEN_DEVICE_UNIT_H
