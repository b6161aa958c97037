// Without a modifier OpenMP 5.0 lets SCHEDULE(DYNAMIC) and SCHEDULE(GUIDED) hand out chunks in any
// order, and LLVM's library then gives each thread a share of its own from which idle ones steal.
// Where rows take different times the last of them end later than with one queue, so the loops take
// that:
//
//   schedule(dynamic, 4)     becomes   schedule(monotonic: dynamic, 4)
#include "lower/openmp.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"

namespace cufc {

using namespace mlir;

void queueChunks(ModuleOp module) {
  module.walk([](omp::WsloopOp loop) {
    std::optional<omp::ClauseScheduleKind> kind = loop.getScheduleKind();
    bool isQueued =
        kind == omp::ClauseScheduleKind::Dynamic || kind == omp::ClauseScheduleKind::Guided;
    if (isQueued &&
        loop.getScheduleMod().value_or(omp::ScheduleModifier::none) == omp::ScheduleModifier::none)
      loop.setScheduleMod(omp::ScheduleModifier::monotonic);
  });
}

} // namespace cufc
