// What runs have measured, as lenses above kernels, CUF kernels and programs.
#include "base/source_text.h"
#include "ide/code_lenses.h"
#include "ide/measured_texts.h"
#include "server/answers/answers.h"
#include "tables/protocol_messages.h"

namespace cufc {
namespace {

Json lens(RequestContext &context, const Query &query, const TextRange &place,
          const std::string &title) {
  Json range = context.positions.range(query.file.path, place);
  return {{"range", range},
          {"command",
           {{"title", title},
            {"command", "cufls.showOccupancy"},
            {"arguments", {context.positions.uri(query.file.path), range.at("start")}}}}};
}

// What a thread of the kernel does, for the chip of the run. If that is not known yet, it is
// measured now, and the client asks for lenses again.
KernelWork workOf(RequestContext &context, const Query &query, const RunReport &run,
                  const std::string &name, CostView &view) {
  std::optional<Chip> chip = run.onGpu ? chipCalled(run.device) : std::nullopt;
  if (run.onGpu && !chip)
    return {};
  view = context.host.costs.view(query.file.path, {}, chip);
  KernelWork work{nullptr, view.gpu, view.chip};
  for (const KernelReport &kernel : view.kernels)
    if (kernel.file == query.file.path && lowerCase(kernel.cost.display) == name)
      work.kernel = &kernel;
  return work;
}

void addKernel(RequestContext &context, const Query &query, const std::string &name,
               const TextRange &place, Json &lenses) {
  const std::string &text = query.document().text();
  for (const auto &measured : context.host.measurements.kernel(query.file.path, text, name)) {
    CostView view;
    KernelWork work = workOf(context, query, *measured.run, name, view);
    lenses.push_back(lens(context, query, place,
                          timesTitle(*measured.run, *measured.row, work, measured.stale)));
  }
}

// Each run of a program on each device has a lens of its own.
void addTransfers(RequestContext &context, const Query &query, Json &lenses) {
  std::vector<std::pair<const RunReport *, bool>> runs;
  std::vector<std::vector<MeasuredTransfer>> transfers;
  for (const auto &measured :
       context.host.measurements.transfers(query.file.path, query.document().text())) {
    if (runs.empty() || runs.back().first != measured.run) {
      runs.emplace_back(measured.run, measured.stale);
      transfers.emplace_back();
    }
    transfers.back().push_back(*measured.row);
  }
  LensChoice programs{true, false, false};
  for (const CodeLens &place : codeLenses(query, programs))
    for (size_t i = 0; place.kind == LensKind::Run && i < runs.size(); ++i)
      if (std::string title = transfersTitle(*runs[i].first, transfers[i], runs[i].second);
          !title.empty())
        lenses.push_back(lens(context, query, place.range, title));
}

} // namespace

void addTimeLenses(RequestContext &context, const Query &query, Json &lenses) {
  if (context.host.measurements.isEmpty() || !query.file.analysis)
    return;
  const Analysis &analysis = *query.file.analysis;
  for (const KernelInfo &kernel : analysis.kernels)
    if (kernel.symbol >= 0)
      if (std::optional<TextRange> now =
              query.file.now(analysis.symbols[static_cast<size_t>(kernel.symbol)].declared))
        addKernel(context, query, qualifiedName(analysis, kernel.symbol), *now, lenses);
  for (const KernelReport &kernel : context.host.costs.view(query.file.path).kernels)
    if (kernel.directive && !kernel.generated && kernel.file == query.file.path)
      if (std::optional<TextRange> now = query.file.now(kernel.nameplace))
        addKernel(context, query, lowerCase(kernel.cost.display), *now, lenses);
  addTransfers(context, query, lenses);
}

Json takeTimes(RequestContext &context) {
  std::vector<std::string> files =
      context.host.measurements.take(context.params.at("folder").get<std::string>());
  if (!files.empty())
    context.server.scheduleRefresh();
  return files.size();
}

} // namespace cufc
