// Shares are rounded to four digits, so that texts of equal results are equal.
#include "server/occupancy_json.h"
#include "occupancy/performance.h"
#include <cmath>

namespace cufc {
namespace {

double rounded(double share) { return std::round(share * 10000) / 10000; }

OrderedJson limitedBy(const Occupancy &occupancy) {
  OrderedJson names = OrderedJson::array();
  for (Resource resource : occupancy.limitedBy)
    names.push_back(nameOf(resource));
  return names;
}

void addOccupancy(OrderedJson &json, const Occupancy &occupancy) {
  json["activeBlocksPerSM"] = occupancy.blocks;
  json["activeWarpsPerSM"] = occupancy.warps;
  json["occupancy"] = rounded(occupancy.share);
}

OrderedJson curveJson(const std::vector<CurvePoint> &curve) {
  OrderedJson points = OrderedJson::array();
  for (const CurvePoint &point : curve) {
    OrderedJson json = {{"x", point.x}};
    addOccupancy(json, point.occupancy);
    points.push_back(std::move(json));
  }
  return points;
}

OrderedJson extentsJson(const std::optional<LaunchReport::Extents> &extents) {
  return extents ? OrderedJson(*extents) : OrderedJson();
}

OrderedJson launchJson(const LaunchReport &launch, const AddPlace &addPlace) {
  OrderedJson json = OrderedJson::object();
  addPlace(json, launch.file, launch.place);
  json["gridText"] = launch.gridText;
  json["blockText"] = launch.blockText;
  json["grid"] = extentsJson(launch.grid);
  json["block"] = extentsJson(launch.block);
  if (launch.dynamicShared)
    json["dynamicSharedBytes"] = *launch.dynamicShared;
  if (launch.occupancy) {
    addOccupancy(json, *launch.occupancy);
    json["limitedBy"] = limitedBy(*launch.occupancy);
    json["reason"] = launch.reason;
    json["idleThreadsInLastWarp"] = launch.idleInLastWarp;
  }
  if (launch.fill) {
    json["blocks"] = launch.fill->blocks;
    json["blocksPerWave"] = launch.fill->blocksPerWave;
    json["waves"] = rounded(launch.fill->waves);
    json["lastWave"] = rounded(launch.fill->lastWave);
    json["idleMultiprocessors"] = launch.fill->idleMultiprocessors;
  }
  if (launch.idleInGrid)
    json["idleThreadsInGrid"] = *launch.idleInGrid;
  return json;
}

OrderedJson changesJson(const std::vector<Change> &changes) {
  OrderedJson list = OrderedJson::array();
  for (const Change &change : changes)
    list.push_back({{"what", change.what},
                    {"from", change.from},
                    {"to", change.to},
                    {"occupancyFrom", rounded(change.before)},
                    {"occupancyTo", rounded(change.after)},
                    {"text", change.text}});
  return list;
}

OrderedJson performanceJson(const KernelReport &kernel, const GpuLimits &gpu, const Chip &chip) {
  std::optional<Performance> found =
      performanceOf(kernel.cost.work, gpu, chip, kernel.occupancy, kernel.launchedThreads());
  if (!found)
    return nullptr;
  return {{"bound", found->gridKnown ? nameOf(found->bound) : "unknown"},
          {"boundOnFullChip", found->gridKnown ? OrderedJson() : OrderedJson(nameOf(found->bound))},
          {"bytesPerThread", rounded(found->bytes)},
          {"operationsPerThread", rounded(found->operations)},
          {"intensity", rounded(found->intensity)},
          {"ridge", rounded(found->ridge)},
          {"shareOfPeak", rounded(found->share)},
          {"reason", found->reason},
          {"assumptions", performanceAssumptions()}};
}

} // namespace

OrderedJson limitsJson(const GpuLimits &gpu) {
  return {{"threadsPerSM", gpu.threads},
          {"warpsPerSM", gpu.warps()},
          {"blocksPerSM", gpu.blocks},
          {"registersPerSM", GpuLimits::registers},
          {"sharedBytesPerSM", gpu.sharedBytes},
          {"sharedBytesPerBlock", gpu.blockShared},
          {"reservedSharedPerBlock", gpu.reserved}};
}

OrderedJson kernelJson(const KernelReport &kernel, const GpuLimits &gpu, const Chip &chip,
                       const AddPlace &addPlace) {
  const KernelCost &cost = kernel.cost;
  OrderedJson json = {{"name", kernel.name}};
  addPlace(json, kernel.file, kernel.nameplace);
  json["symbol"] = cost.symbol;
  if (!kernel.known()) {
    json["problem"] = cost.problem;
    return json;
  }
  json["registers"] = cost.registers;
  json["sharedBytes"] = cost.sharedBytes;
  json["dynamicSharedBytes"] = kernel.dynamicShared;
  json["localBytes"] = cost.localBytes;
  json["spillStoreBytes"] = cost.spillStoreBytes;
  json["spillLoadBytes"] = cost.spillLoadBytes;
  json["constantBytes"] = cost.constantBytes;
  json["barriers"] = cost.barriers;
  json["ptxBytes"] = cost.ptxBytes;
  json["sassBytes"] = cost.sassBytes;
  json["callsOtherFiles"] = cost.callsOthers;
  json["blockSize"] = kernel.blockSize;
  addOccupancy(json, kernel.occupancy);
  json["limitedBy"] = limitedBy(kernel.occupancy);
  json["reason"] = kernel.reason;
  json["suggestedBlockSize"] = kernel.suggestedBlockSize;
  json["changes"] = changesJson(kernel.changes);
  KernelResources resources = kernel.resources();
  json["curves"] = {{"blockSize", curveJson(blockSizeCurve(gpu, resources))},
                    {"registers", curveJson(registerCurve(gpu, resources, kernel.blockSize))},
                    {"sharedBytes", curveJson(sharedCurve(gpu, resources, kernel.blockSize))}};
  json["launches"] = OrderedJson::array();
  for (const LaunchReport &launch : kernel.launches)
    json["launches"].push_back(launchJson(launch, addPlace));
  json["performance"] = performanceJson(kernel, gpu, chip);
  return json;
}

} // namespace cufc
