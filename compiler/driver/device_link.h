// The link of a program's device code, before that of its host code.
#ifndef CUFC_DRIVER_DEVICE_LINK_H
#define CUFC_DRIVER_DEVICE_LINK_H

#include "driver/child.h"
#include "driver/compile.h"
#include "driver/plan.h"

namespace cufc {

// What a compilation's device code shares with other files, as soon as that is known: a unit, which
// is empty if it shares nothing. Of no effect unless a link waits for it.
void announceUnit(const CompileJob &job, const DeviceUnit &unit);

// Makes an object file for each group of files that share device code. If all sources announce
// their units, it does so while their host code is still being compiled.
class DeviceLink {
public:
  // Before anything of the plan is compiled; intermediate files go to `scratch`. All must outlive
  // the object.
  DeviceLink(Plan &plan, const CompileContext &context, const TemporaryFolder &scratch);
  ~DeviceLink();
  DeviceLink(const DeviceLink &) = delete;
  DeviceLink &operator=(const DeviceLink &) = delete;

  // Before the last sources are compiled, all others being done.
  void begin();
  // After they were. Adds the objects to what is linked, behind everything else. False if a mistake
  // was reported, here or by a child process.
  bool finish(Diagnostics &diagnostics);

private:
  Plan &plan;
  const CompileContext context;
  const TemporaryFolder &scratch;
  int readEnd = -1, writeEnd = -1; // of a pipe with a byte for each unit that is known
  std::optional<Child> process;
};

} // namespace cufc
#endif // CUFC_DRIVER_DEVICE_LINK_H
