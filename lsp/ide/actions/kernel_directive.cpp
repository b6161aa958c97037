// A CUF kernel directive above a loop nest on the host, with copies on the device of the host
// arrays that it uses.
#include "ide/actions/loop_facts.h"

namespace cufc {

void addKernelDirective(const ActionContext &context, CodeActions &actions) {
  MovableLoop loop = movableLoopAt(context);
  if (!loop)
    return;
  const auto &[unit, nest, facts] = loop;
  std::vector<int> onHost;
  std::string names;
  for (int array : facts.arrays)
    if (const SymbolInfo &symbol = context.file.analysis->symbols[static_cast<size_t>(array)];
        !isOnDevice(symbol)) {
      onHost.push_back(array);
      names += (names.empty() ? "'" : ", '") + symbol.name + "'";
    }
  std::string directive = indentationOf(context.document(), nest.first) + "!$cuf kernel do";
  if (facts.parallel > 1)
    directive += "(" + std::to_string(facts.parallel) + ")";
  directive += " <<<*, *>>>";
  DeviceCopies copies = deviceCopies(context, unit, onHost, facts.written, nest.first, nest.last);
  if (!copies.possible)
    return;
  std::vector<TextChange> edits = std::move(copies.edits);
  edits.push_back(linesAbove(nest.first, copies.before + directive));
  if (!copies.after.empty()) {
    copies.after.pop_back(); // the end of the last line
    edits.push_back(linesBelow(context.document(), nest.last, copies.after));
  }
  actions.push_back({names.empty()
                         ? "turn the loop into a CUF kernel"
                         : "turn the loop into a CUF kernel, with device copies of " + names,
                     "refactor.rewrite",
                     {{context.file.path, std::move(edits)}}});
}

} // namespace cufc
