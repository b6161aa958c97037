// PTX and what the disassembler prints, from toolkits of any version.
#include "codegen/gpu/narrow_stores.h"
#include "occupancy/code_view.h"
#include "occupancy/kernel_cost.h"
#include "occupancy/ptx_instruction.h"
#include "occupancy/ptx_module.h"
#include <cstdint>

using namespace cufc;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, size_t size) {
  if (size < 1 || size > 50000)
    return 0;
  const std::string text(reinterpret_cast<const char *>(data) + 1, size - 1);
  switch (data[0] % 4) {
  case 0: {
    const PtxModule module(text);
    for (const std::string &kernel : module.kernels()) {
      module.keyOf(kernel);
      module.callsOthers(kernel);
      module.textOf({kernel}, true);
      const CodeView view = viewPtx(kernel, module.textOf({kernel}, true), "a.cuf");
      instructionsOf(view.lines);
      timesPassed(view.lines);
      threadStrides(view.lines);
      sharedByAll(view.lines);
      selected(view, 1, 5);
    }
    break;
  }
  case 1:
    for (const CodeView &view : viewSass(text, "a.cuf"))
      CodeText().add(view, "end\n");
    break;
  case 2:
    repairNarrowStores(text);
    withoutLines(text);
    break;
  default: {
    FileCosts costs;
    fromBytes(text, costs);
  }
  }
  return 0;
}
