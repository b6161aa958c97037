// Blocks whose size is no multiple of a warp's 32 threads: the rest of the last warp is idle. Sizes
// below 32 are reported only for grids of many blocks, since small ones are chosen on purpose; of a
// single thread never.
#include "checks/hazards/hazard.h"

namespace cufc::hazards {
namespace {

constexpr long long warp = 32, manyBlocks = 32;

std::optional<long long> product(const Extents &extents) {
  long long result = 1;
  for (const auto &extent : extents) {
    if (!extent || *extent < 1 || *extent > 1 << 20)
      return std::nullopt;
    result *= *extent;
  }
  return result;
}

void check(Hazards &hazards, Place place, std::optional<long long> threads,
           std::optional<long long> blocks) {
  if (!threads || *threads < 2 || *threads > 1024 || *threads % warp == 0)
    return;
  if (*threads < warp && blocks && *blocks < manyBlocks)
    return;
  hazards.report(Hazard::OddBlockSize, place, *threads, warp - *threads % warp);
}

} // namespace

void findOddBlockSizes(Hazards &hazards) {
  for (const Launch &launch : hazards.launches.all())
    if (const auto &block = launch.statement->configuration[1])
      check(hazards, block->place, product(launch.block), product(launch.grid));
  for (const Procedure &procedure : hazards.model.procedures)
    eachStatement(procedure.body, [&](const Statement &statement) {
      if (statement.kind == Statement::Kind::CufKernel && statement.configuration.size() > 1 &&
          statement.configuration[1]) {
        const Expression *size = assignedOnce(procedure, *statement.configuration[1]);
        check(hazards, statement.configuration[1]->place, size ? size->value : std::nullopt,
              std::nullopt);
      }
    });
}

} // namespace cufc::hazards
