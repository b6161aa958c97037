// cufls/occupancy: what the kernel at a position costs; docs/language-server.md describes the
// answer.
#include "base/gpus.h"
#include "ide/kernel_texts.h"
#include "occupancy/code_view.h"
#include "server/answers/answers.h"
#include "server/answers/device_code.h"
#include "server/occupancy_json.h"
#include "tables/protocol_messages.h"
#include <fmt/format.h>

namespace cufc {
namespace {

protocol::AnswerState stateOf(CostView::State state) {
  return state == CostView::State::Ready       ? protocol::AnswerState::Ready
         : state == CostView::State::Computing ? protocol::AnswerState::Computing
                                               : protocol::AnswerState::Unavailable;
}

// The product that a request names, or that of the GPU.
template <typename Params>
std::optional<Chip> chipAsked(const Params &params) {
  const std::optional<std::string> &text = params.chip ? params.chip : params.gpu;
  if (!text)
    return std::nullopt;
  std::optional<Gpu> gpu = findGpu(*text);
  std::optional<Chip> chip = gpu ? chipOf(gpu->number) : findChip(*text);
  if (!chip)
    throw ResponseError{ErrorCode::InvalidParams,
                        "unknown GPU " + *text + "; known are " + gpuNames()};
  return chip;
}

// A number that may be left out; what makes no sense is refused.
std::int64_t numberAsked(std::optional<std::int64_t> value, const char *name, std::int64_t least,
                         std::int64_t most, std::int64_t otherwise) {
  if (value && (*value < least || *value > most))
    throw ResponseError{ErrorCode::InvalidParams,
                        fmt::format("{} must be from {} to {}", name, least, most)};
  return value.value_or(otherwise);
}

WhatIf whatIfAsked(const protocol::OccupancyParams &params) {
  constexpr std::int64_t mostShared = 1 << 20;
  WhatIf whatIf;
  whatIf.blockSize =
      static_cast<int>(numberAsked(params.block, "block", 1, GpuLimits::blockThreads, 0));
  whatIf.registers = static_cast<int>(
      numberAsked(params.registers, "registers", 1, GpuLimits::threadRegisters, 0));
  whatIf.sharedBytes = numberAsked(params.sharedBytes, "sharedBytes", 0, mostShared, -1);
  return whatIf;
}

std::vector<protocol::ChosenGpu> gpus() {
  std::vector<protocol::ChosenGpu> list;
  for (const Chip &chip : allChips())
    list.push_back({"cc" + std::to_string(chip.number), chip.name, chip.multiprocessors});
  return list;
}

} // namespace

namespace {

protocol::KernelCode kernelCode(const CodeView &view, const std::vector<int> &places) {
  protocol::KernelCode result{
      view.kernel, places.empty() ? 0 : places.front(), {view.mix.begin(), view.mix.end()}};
  for (const MemoryAccess &access : view.memory)
    result.memory.push_back(
        {places[access.codeLine], access.source, access.operation, access.bytes, access.verdict});
  return result;
}

} // namespace

protocol::DeviceCode deviceCode(const FileCosts &costs, const CodeWish &wish,
                                const std::string &path, const std::string &source) {
  std::string problem = !costs.missing.empty() ? costs.missing
                        : wish.machineCode     ? costs.sassMissing
                                               : std::string();
  protocol::DeviceCode answer{
      problem.empty() ? protocol::AnswerState::Ready : protocol::AnswerState::Unavailable, problem,
      wish.machineCode ? protocol::CodeKind::Sass : protocol::CodeKind::Ptx,
      "cc" + std::to_string(costs.compiledFor)};
  if (!problem.empty())
    return answer;
  std::vector<CodeView> views;
  if (wish.machineCode)
    views = viewSass(costs.sass, path);
  else
    for (const KernelCost &cost : costs.kernels)
      views.push_back(viewPtx(cost.symbol, cost.ptx, path));
  CodeText text;
  std::vector<protocol::KernelCode> kernels;
  for (CodeView &view : views) {
    if (!wish.kernel.empty() && view.kernel != wish.kernel)
      continue;
    if (wish.firstLine > 0)
      view = selected(view, wish.firstLine, wish.lastLine);
    for (const KernelCost &cost : costs.kernels)
      if (cost.symbol == view.kernel)
        view.kernel = cost.display;
    if (!view.lines.empty())
      kernels.push_back(kernelCode(view, text.add(view, source)));
  }
  answer.text = text.text;
  answer.lines = text.lines;
  answer.kernels = std::move(kernels);
  return answer;
}

// Answered when the code has been made. The client may ask for a kernel by a position in it, or for
// the code of a selection.
Json answerDeviceCode(RequestContext &context) {
  const SourceFile &file = context.file();
  const auto params = context.params.get<protocol::DeviceCodeParams>();
  CodeWish wish;
  wish.machineCode = params.kind == protocol::CodeKind::Sass;
  if (params.position) {
    Query query = context.query();
    CostView costs = context.host.costs.view(file.path);
    if (const KernelReport *kernel = kernelAround(query, costs.kernels))
      wish.kernel = kernel->cost.symbol;
  }
  if (params.range) {
    TextRange range = context.positions.range(file.document, *params.range);
    wish.firstLine = range.begin.line;
    wish.lastLine = range.end.line;
  }
  Chip chip = chipAsked(params).value_or(context.host.costs.chipOf(file.path));
  Client &client = context.client;
  context.host.costs.code(file.path, wish.machineCode, chip,
                          [&client, id = context.id, wish, path = file.path,
                           source = file.document.text()](const FileCosts &costs) {
                            client.answer(id, deviceCode(costs, wish, path, source));
                          });
  throw AnsweredLater{};
}

Json answerOccupancy(RequestContext &context) {
  Query query = context.query();
  const auto params = context.params.get<protocol::OccupancyParams>();
  CostView view = context.host.costs.view(query.file.path, whatIfAsked(params), chipAsked(params));
  const KernelReport *kernel = kernelAround(query, view.kernels);
  if (view.isReady() && !kernel)
    return nullptr;
  protocol::Occupancy answer{stateOf(view.state), view.message,   view.stale,
                             view.gpu.name(),     view.chip.name, view.chip.multiprocessors};
  answer.limits = Json::parse(limitsJson(view.gpu).dump());
  answer.gpus = gpus();
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
  answer.kernel.emplace(Json::parse(kernelJson(*kernel, view.gpu, view.chip, addPlace).dump()));
  return answer;
}

} // namespace cufc
