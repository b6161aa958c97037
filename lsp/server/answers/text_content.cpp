// Documents that exist in the server alone, which any client shows that knows
// workspace/textDocumentContent (LSP 3.18). The path of the source is the rest of the name, with a
// suffix by which editors know the language:
//
//   cufls://ptx/home/x/solver.cuf.ptx?gpu=cc90     PTX beside the lines that it comes from
//   cufls://sass/home/x/solver.cuf.sass            machine code likewise
//   cufls://occupancy/home/x/solver.cuf.txt        what its kernels cost
#include "base/gpus.h"
#include "occupancy/table.h"
#include "server/answers/answers.h"
#include "server/answers/device_code.h"

namespace cufc {
namespace {

constexpr std::string_view scheme = "cufls://";

struct ContentName {
  std::string kind, path;
  std::optional<Chip> chip;
};

Chip chipIn(const std::string &name) {
  std::optional<Gpu> gpu = findGpu(name);
  std::optional<Chip> chip = gpu ? chipOf(gpu->number) : findChip(name);
  if (!chip)
    throw ResponseError{ErrorCode::InvalidParams,
                        "unknown GPU " + name + "; known are " + gpuNames()};
  return *chip;
}

ContentName nameIn(const std::string &uri) {
  size_t slash = uri.find('/', scheme.size());
  size_t query = std::min(uri.find('?'), uri.size());
  if (!uri.starts_with(scheme) || slash == std::string::npos || slash > query)
    throw ResponseError{ErrorCode::InvalidParams, "no document of cufls: " + uri};
  ContentName name;
  name.kind = uri.substr(scheme.size(), slash - scheme.size());
  name.path = pathOfUri("file://" + uri.substr(slash, query - slash));
  const std::string suffix = name.kind == "occupancy" ? ".txt" : "." + name.kind;
  if ((name.kind != "ptx" && name.kind != "sass" && name.kind != "occupancy") ||
      !name.path.ends_with(suffix))
    throw ResponseError{ErrorCode::InvalidParams, "no document of cufls: " + uri};
  name.path.resize(name.path.size() - suffix.size());
  if (constexpr std::string_view gpu = "?gpu="; uri.compare(query, gpu.size(), gpu) == 0)
    name.chip = chipIn(uri.substr(query + gpu.size()));
  return name;
}

std::string occupancyText(Host &host, const ContentName &name) {
  CostView view = host.costs.view(name.path, {}, name.chip);
  if (view.state == CostView::State::Computing)
    return "The kernels are being measured.\n";
  std::vector<KernelReport> kernels;
  for (const KernelReport &kernel : view.kernels)
    if (kernel.file == name.path)
      kernels.push_back(kernel);
  bool nothing = view.state == CostView::State::Unavailable && kernels.empty();
  std::string note = nothing ? "" : view.message;
  if (view.stale)
    note += std::string(note.empty() ? "" : "\n") + "These are costs of an earlier text.";
  return occupancyTable(kernels, view.gpu, view.chip, note, nothing ? view.message : "");
}

// Of an open file what is shown, otherwise what lies on disk.
std::string sourceOf(const Host &host, const std::string &path) {
  const SourceFile *file = host.workspace.find(path);
  std::string text;
  if (file && file->open)
    return file->document.text();
  if (!readFile(path, text))
    throw ResponseError{ErrorCode::RequestFailed, "cannot read " + path};
  return text;
}

} // namespace

Json answerTextDocumentContent(RequestContext &context) {
  std::string uri = context.params.at("uri");
  ContentName name = nameIn(uri);
  context.server.contentsShown.insert(uri);
  if (name.kind == "occupancy")
    return {{"text", occupancyText(context.host, name)}};
  CodeWish wish;
  wish.machineCode = name.kind == "sass";
  Chip chip = name.chip.value_or(context.host.costs.chipOf(name.path));
  Client &client = context.client;
  context.host.costs.code(name.path, wish.machineCode, chip,
                          [&client, id = context.id, wish, path = name.path,
                           source = sourceOf(context.host, name.path)](const FileCosts &costs) {
                            protocol::DeviceCode code = deviceCode(costs, wish, path, source);
                            bool ready = code.state == protocol::AnswerState::Ready;
                            std::string text = ready ? code.text.value_or("") : code.message;
                            client.answer(id, Json{{"text", text}});
                          });
  throw AnsweredLater{};
}

} // namespace cufc
