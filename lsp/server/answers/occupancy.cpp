// cufls/occupancy: what the kernel at a position costs; docs/language-server.md describes the
// answer.
#include "base/gpus.h"
#include "ide/kernel_texts.h"
#include "server/answers/answers.h"
#include "server/occupancy_json.h"

namespace cufc {
namespace {

const char *stateName(CostView::State state) {
  static constexpr const char *names[] = {"ready", "computing", "unavailable"};
  return names[static_cast<size_t>(state)];
}

std::optional<Chip> chipAsked(const Json &params) {
  for (const char *name : {"chip", "gpu"}) {
    if (!params.contains(name) || !params[name].is_string())
      continue;
    std::string text = params[name];
    std::optional<Gpu> gpu = findGpu(text);
    std::optional<Chip> chip = gpu ? chipOf(gpu->number) : findChip(text);
    if (!chip)
      throw ResponseError{ErrorCode::InvalidParams,
                          "unknown GPU " + text + "; known are " + gpuNames()};
    return chip;
  }
  return std::nullopt;
}

// A number that may be left out; what makes no sense is refused.
std::int64_t numberAsked(const Json &params, const char *name, std::int64_t least,
                         std::int64_t most, std::int64_t otherwise) {
  if (!params.contains(name) || params[name].is_null())
    return otherwise;
  std::int64_t value = params.at(name).get<std::int64_t>();
  if (value < least || value > most)
    throw ResponseError{ErrorCode::InvalidParams,
                        fmt::format("{} must be from {} to {}", name, least, most)};
  return value;
}

WhatIf whatIfAsked(const Json &params) {
  constexpr std::int64_t mostShared = 1 << 20;
  WhatIf whatIf;
  whatIf.blockSize = static_cast<int>(numberAsked(params, "block", 1, GpuLimits::blockThreads, 0));
  whatIf.registers =
      static_cast<int>(numberAsked(params, "registers", 1, GpuLimits::threadRegisters, 0));
  whatIf.sharedBytes = numberAsked(params, "sharedBytes", 0, mostShared, -1);
  return whatIf;
}

Json gpusJson() {
  Json list = Json::array();
  for (const Chip &chip : allChips())
    list.push_back({{"gpu", "cc" + std::to_string(chip.number)},
                    {"chip", chip.name},
                    {"multiprocessors", chip.multiprocessors}});
  return list;
}

} // namespace

Json answerOccupancy(RequestContext &context) {
  Query query = context.query();
  CostView view = context.server.costs.view(query.file.path, whatIfAsked(context.params),
                                            chipAsked(context.params));
  const KernelReport *kernel = kernelAround(query, view.kernels);
  if (view.isReady() && !kernel)
    return nullptr;
  Json answer = {{"state", stateName(view.state)},
                 {"message", view.message},
                 {"stale", view.stale},
                 {"gpu", view.gpu.name()},
                 {"chip", view.chip.name},
                 {"multiprocessors", view.chip.multiprocessors},
                 {"limits", limitsJson(view.gpu)},
                 {"gpus", gpusJson()}};
  if (!view.isReady() || !kernel)
    return answer;
  auto addPlace = [&](OrderedJson &json, const std::string &file, const Place &place) {
    json["uri"] = context.positions.uri(file);
    json["line"] = place.line;
    const SourceFile *source = context.workspace.find(file);
    std::optional<TextRange> now = source ? source->now(place) : std::nullopt;
    if (now) {
      json["range"] = OrderedJson::parse(context.positions.range(file, *now).dump());
      json["line"] = now->begin.line;
    }
  };
  answer["kernel"] = Json::parse(kernelJson(*kernel, view.gpu, addPlace).dump());
  return answer;
}

} // namespace cufc
