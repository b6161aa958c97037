// See device_listing.h. The lines of the source are those of its file as it is now.
#include "driver/device_listing.h"
#include "base/diag.h"
#include "base/files.h"
#include "occupancy/code_view.h"
#include "occupancy/ptx_module.h"

namespace cufc {
namespace {

std::string textOf(std::vector<CodeView> views, const std::string &source,
                   const DeviceFacts &facts) {
  std::string written;
  readFile(source, written);
  CodeText text;
  for (CodeView &view : views) {
    for (const KernelFacts &kernel : facts.kernels)
      if (kernel.name == view.kernel)
        view.kernel = kernel.display;
    text.add(view, written);
  }
  return std::move(text.text);
}

} // namespace

std::string annotatedPtx(const std::string &ptx, const std::string &source,
                         const DeviceFacts &facts) {
  PtxModule module(ptx);
  std::vector<CodeView> views;
  for (const std::string &kernel : module.kernels())
    views.push_back(viewPtx(kernel, module.textOf({kernel}, true), source));
  return textOf(std::move(views), source, facts);
}

std::string machineCodeText(const std::string &cubin, const std::string &source,
                            const DeviceFacts &facts, const Toolkit &toolkit, bool annotate,
                            Diagnostics &diagnostics) {
  std::string program = toolkit.optionalProgram("nvdisasm"), problem;
  if (program.empty()) {
    diagnostics.report(Diag::ToolMissing, {}, "nvdisasm");
    return {};
  }
  std::string text = disassemble(program, cubin, problem);
  if (!problem.empty())
    diagnostics.report(Diag::ToolFailed, {}, "nvdisasm", problem);
  if (!annotate || !problem.empty())
    return text;
  return textOf(viewSass(text, source), source, facts);
}

} // namespace cufc
