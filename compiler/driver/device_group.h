// One group of files whose device code belongs together, compiled to an object of the program's
// link.
#ifndef CUFC_DRIVER_DEVICE_GROUP_H
#define CUFC_DRIVER_DEVICE_GROUP_H

#include "codegen/device_unit.h"
#include "driver/compile.h"

namespace cufc {

struct DeviceGroup {
  std::vector<const DeviceUnit *> units;
  std::vector<std::string> objects; // files with the relocatable machine code of the units
  std::vector<std::string> foreign; // objects and archives of nvcc's
  std::string name;                 // of what is kept with -gpu=keep
  std::string scratch;              // folder for intermediate files; exists, belongs to the caller
  std::string output;               // object file
};

// The exit status of a process that does only this. Units without machine code are compiled
// together, so that procedures are inlined across files; if all have some, nvlink links it.
int compileDeviceGroup(const DeviceGroup &group, const CompileContext &context);

} // namespace cufc
#endif // CUFC_DRIVER_DEVICE_GROUP_H
