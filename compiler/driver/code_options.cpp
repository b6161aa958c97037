// See code_options.h.
#include "driver/code_options.h"
#include <algorithm>

namespace cufc {

bool keepsLines(const Options &options) {
  return options.debug || options.lineInfo || options.annotate || options.check ||
         options.host.traceback;
}

Gpu lowestGpu(const Options &options) {
  constexpr const char *oldest = "75"; // that the drivers and toolkits of today still know
  std::vector<Gpu> gpus = options.gpus;
  if (gpus.empty())
    gpus.push_back(findGpu(oldest).value_or(allGpus().front()));
  return *std::min_element(gpus.begin(), gpus.end(),
                           [](const Gpu &a, const Gpu &b) { return a.number < b.number; });
}

CodeOptions codeOptions(const Options &options) {
  CodeOptions code;
  code.lowering.optimisation = options.optimisation;
  code.lowering.debugLines = keepsLines(options) || options.hostInfo || options.hostMissed;
  code.lowering.largeArrays = code.device.largeArrays = options.largeArrays;
  code.lowering.checkDevice = options.check;
  code.lowering.checkHost = options.bounds;
  code.lowering.managed = options.managed;
  code.lowering.fuseHost = options.host.fuse;
  code.device.optimisation = options.optimisation == 0 ? 0 : 3;
  code.device.fastMath = options.fastMath;
  code.device.lineInfo = options.debug || options.lineInfo || options.annotate;
  code.device.report = options.info;
  code.device.maxRegisters = options.maxRegisters;
  code.device.fuse = options.fuse;
  code.device.flushDenormals = options.flushDenormals;
  code.device.debug = options.debug && options.optimisation == 0;
  return code;
}

} // namespace cufc
