// A procedure on the host that launches the kernel at the cursor, below the kernel in its module:
// with the same dummies, blocks of a size that suits most GPUs, and a grid that covers an extent.
#include "base/source_text.h"
#include "ide/actions/source_view.h"
#include "ide/declaration.h"
#include "ide/same_symbol.h"
#include <algorithm>

namespace cufc {
namespace {

// How many dimensions of threads a kernel asks for: the last of x, y, z in its text.
int dimensionsOf(const ActionContext &context, int first, int last) {
  int dimensions = 1;
  for (const CodeStatement &s : statementsIn(context, first, last)) {
    std::string text = lowerCase(s.text);
    for (const char *name : {"threadidx%", "blockidx%"})
      for (size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
        char axis = at + std::string_view(name).size() < text.size()
                        ? text[at + std::string_view(name).size()]
                        : 'x';
        dimensions = std::max(dimensions, axis == 'y' ? 2 : axis == 'z' ? 3 : 1);
      }
  }
  return dimensions;
}

// The extents to cover: the shape of the first array that has as many dimensions, or scalars that
// are integers, or nothing.
std::vector<std::string> extentsOf(const Analysis &analysis, const SymbolInfo &kernel,
                                   int dimensions) {
  std::vector<std::string> extents;
  for (int dummy : kernel.dummies) {
    if (dummy < 0)
      continue;
    const SymbolInfo &row = analysis.symbols[static_cast<size_t>(dummy)];
    if (row.shape.empty() || row.shape.find('*') != std::string::npos)
      continue;
    std::vector<std::string> shape =
        splitList(std::string_view(row.shape).substr(1, row.shape.size() - 2));
    if (shape.size() != static_cast<size_t>(dimensions))
      continue;
    for (int i = 1; i <= dimensions; ++i)
      extents.push_back(shape.size() == 1 ? "size(" + row.name + ")"
                                          : "size(" + row.name + ", " + std::to_string(i) + ")");
    return extents;
  }
  for (int dummy : kernel.dummies)
    if (dummy >= 0 && extents.size() < static_cast<size_t>(dimensions)) {
      const SymbolInfo &row = analysis.symbols[static_cast<size_t>(dummy)];
      if (row.shape.empty() && row.type.starts_with("integer"))
        extents.push_back(row.name);
    }
  return extents;
}

// "real(4), device :: a(n)" without what only a dummy of a kernel has.
std::string dummyDeclaration(SymbolInfo row, const Analysis &analysis) {
  std::erase(row.attributes, std::string("value"));
  if (row.shape.empty() && row.attributes.empty())
    row.attributes.push_back("intent(in)");
  return declarationOf(analysis, row);
}

std::string launchProcedure(const ActionContext &context, const SymbolInfo &kernel,
                            const std::string &name, int dimensions,
                            const std::vector<std::string> &extents,
                            const std::string &indentation) {
  static constexpr const char *blocks[] = {"256, 1, 1", "32, 8, 1", "32, 4, 2"};
  static constexpr const char *axes[] = {"x", "y", "z"};
  const Analysis &analysis = *context.file.analysis;
  std::string list = headOf(analysis, kernel).substr(kernel.name.size());
  std::string inner = "\n" + indentation + "  ";
  std::string text = indentation + "subroutine " + name + list;
  for (int dummy : kernel.dummies)
    text += inner + dummyDeclaration(analysis.symbols[static_cast<size_t>(dummy)], analysis);
  text += inner + "type(dim3) :: grid, block" + inner + "block = dim3(" + blocks[dimensions - 1] +
          ")" + inner + "grid = dim3(";
  for (int i = 0; i < 3; ++i) {
    std::string extent = i < dimensions ? extents[static_cast<size_t>(i)] : std::string();
    text += i > 0 ? ", " : "";
    text +=
        extent.empty() ? "1" : "(" + extent + " + block%" + axes[i] + " - 1) / block%" + axes[i];
  }
  return text + ")" + inner + "call " + kernel.name + "<<<grid, block>>>" + list + "\n" +
         indentation + "end subroutine";
}

bool usesCudafor(const Analysis &analysis, int scope) {
  for (; scope > 0; scope = analysis.scopes[static_cast<size_t>(scope)].parent)
    for (const UseInfo &use : analysis.scopes[static_cast<size_t>(scope)].uses)
      if (lowerCase(use.module) == "cudafor" && !use.only)
        return true;
  return false;
}

} // namespace

void addLaunchProcedure(const ActionContext &context, CodeActions &actions) {
  std::optional<OccurrenceAt> at = occurrenceAt(context.query());
  if (!at || at->role != Role::Declaration || !isKernel(at->symbol.info()) ||
      isInterfaceBody(at->symbol))
    return;
  const SymbolInfo &kernel = at->symbol.info();
  const Analysis &analysis = *context.file.analysis;
  bool whole = std::all_of(kernel.dummies.begin(), kernel.dummies.end(),
                           [](int dummy) { return dummy >= 0; });
  bool inModule = kernel.scope > 0 &&
                  analysis.scopes[static_cast<size_t>(kernel.scope)].kind == ScopeKind::Module;
  std::optional<TextRange> body = context.file.now(kernel.definition);
  if (!whole || !inModule || !body || kernel.definition.file != 0)
    return;
  int last = body->end.line - (body->end.column <= 1 ? 1 : 0);
  UnitAround module = unitAround(context, at->range.begin, true);
  int dimensions = dimensionsOf(context, body->begin.line, last);
  std::vector<std::string> extents = extentsOf(analysis, kernel, dimensions);
  if (extents.size() < static_cast<size_t>(dimensions))
    return;
  std::string indentation = indentationOf(context.document(), body->begin.line);
  std::string name = freeName(context, "launch_" + kernel.name);
  std::vector<TextChange> edits;
  if (!usesCudafor(analysis, kernel.scope)) {
    SpecificationPart part = specificationOf(context, module);
    edits.push_back(linesBelow(context.document(), part.lastUse, part.indentation + "use cudafor"));
  }
  edits.push_back(
      linesBelow(context.document(), last,
                 launchProcedure(context, kernel, name, dimensions, extents, indentation)));
  actions.push_back({"add a procedure that launches '" + kernel.name + "'",
                     "refactor.rewrite",
                     {{context.file.path, std::move(edits)}}});
}

} // namespace cufc
