// A loop nest on the host becomes a kernel, with a launch in its place. The kernel goes behind the
// procedure in its module, or into a new module above the program unit. Arrays are its
// assumed-shape dummies, scalars come by value, and the loops' variables from the threads' indices;
// host arrays are copied to the device and back.
#include "base/source_text.h"
#include "ide/actions/fixed_form.h"
#include "ide/actions/loop_facts.h"
#include "ide/decimal.h"
#include "source/statements.h"
#include <algorithm>

namespace cufc {
namespace {

constexpr const char *axes[] = {"x", "y", "z"};
// Threads of a block in each dimension, by the number of dimensions.
constexpr int blocks[3][3] = {{256, 1, 1}, {32, 8, 1}, {32, 4, 2}};

bool isNumber(const std::string &text) { // and small
  return !text.empty() && text.size() < 4 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool isSimple(const std::string &expression) {
  return expression.find_first_of("+-*/ ") == std::string::npos;
}

class Extraction {
public:
  Extraction(const ActionContext &context, const UnitAround &unit, const LoopNest &nest,
             const LoopFacts &facts)
      : context(context), document(context.document()), unit(unit), nest(nest), facts(facts),
        analysis(*context.file.analysis) {}

  std::optional<CodeAction> run() {
    findModule();
    bool labels = context.file.reading.fixedForm && anyLabel(context, nest.first, nest.last);
    if (facts.reduction || labels || !chooseDummies())
      return std::nullopt;
    std::vector<int> onHost;
    for (int array : facts.arrays)
      if (!isOnDevice(row(array)))
        onHost.push_back(array);
    copies = deviceCopies(context, unit, onHost, facts.written, nest.first, nest.last);
    if (!copies.possible)
      return std::nullopt;
    std::erase_if(copies.edits, [&](const TextChange &edit) { // these lines go
      return edit.range.begin.line >= nest.first && edit.range.begin.line <= nest.last;
    });
    name = freeName(context, nameOfUnit() + "_kernel");
    std::vector<TextChange> edits = copies.edits;
    addKernel(edits);
    addUses(edits);
    edits.push_back(
        {{{nest.first, 1}, {nest.last, static_cast<int>(document.line(nest.last).size()) + 1}},
         launch()});
    return CodeAction{"extract the loop to a kernel",
                      "refactor.extract",
                      {{context.file.path, std::move(edits)}}};
  }

private:
  const SymbolInfo &row(int symbol) const { return analysis.symbols[static_cast<size_t>(symbol)]; }
  const ScopeInfo &scope(int number) const { return analysis.scopes[static_cast<size_t>(number)]; }

  std::string nameOfUnit() const {
    int symbol = scope(unit.scope).symbol;
    return symbol >= 0 ? row(symbol).name : "main";
  }

  // The module around, and the procedure of it that the loop is in.
  void findModule() {
    for (int number = unit.scope; number > 0; number = scope(number).parent) {
      if (scope(number).kind == ScopeKind::Module || scope(number).kind == ScopeKind::Submodule) {
        module = number;
        break;
      }
      if (std::optional<TextRange> place = context.file.now(scope(number).place);
          place && scope(number).kind != ScopeKind::Block)
        outer = {number, place->begin.line, place->end.line - (place->end.column <= 1 ? 1 : 0)};
    }
  }

  // Whether code of the module sees what another module declares.
  bool isVisible(const SymbolInfo &symbol) const {
    if (module < 0)
      return false;
    if (symbol.module.empty())
      return symbol.scope == module;
    for (const UseInfo &use : scope(module).uses)
      if (lowerCase(use.module) == lowerCase(symbol.module))
        return true;
    return false;
  }

  bool chooseDummies() {
    for (int array : facts.arrays) {
      std::string shape = dummyShape(row(array));
      if (shape.empty())
        return false;
      arrayShapes.push_back(std::move(shape));
    }
    values = facts.scalars;
    for (int constant : facts.constants)
      if (!isVisible(row(constant))) {
        if (row(constant).value.empty() || row(constant).type.find('(') == std::string::npos)
          return false;
        constants.push_back(constant); // stays one: it may be a kind or an extent
      }
    return callsVisible();
  }

  bool callsVisible() const {
    for (const OccurrenceAt &use : namesIn(context, nest.first, nest.last)) {
      const SymbolInfo &symbol = use.symbol.info();
      bool procedure = symbol.kind == SymbolKind::Function || symbol.kind == SymbolKind::Subroutine;
      if (procedure && !symbol.intrinsic && !isVisible(symbol))
        return false;
    }
    return true;
  }

  // Assumed shape with the lower bounds that the array has; empty if these are not known.
  std::string dummyShape(const SymbolInfo &array) const {
    std::string result;
    std::vector<std::string> shape =
        splitList(std::string_view(array.shape).substr(1, array.shape.size() - 2));
    bool deferred = std::find(array.attributes.begin(), array.attributes.end(), "allocatable") !=
                        array.attributes.end() ||
                    std::find(array.attributes.begin(), array.attributes.end(), "pointer") !=
                        array.attributes.end();
    if (deferred && !beginsAtOne(array))
      return {};
    for (const std::string &dimension : shape) {
      size_t colon = dimension.find(':');
      std::string lower = colon == dimension.npos ? "" : trimmed(dimension.substr(0, colon));
      bool number = lower.find_first_not_of("-0123456789") == lower.npos;
      if (!number || dimension.find('*') != dimension.npos)
        return {};
      result += (result.empty() ? "(" : ", ") + (lower == "1" ? "" : lower) + ":";
    }
    return result + ")";
  }

  // Whether all that allocates an array of this unit does it without a lower bound.
  bool beginsAtOne(const SymbolInfo &array) const {
    bool found = false;
    for (const CodeStatement &s : statementsIn(context, unit.firstLine, unit.lastLine)) {
      if (s.word != "allocate")
        continue;
      size_t open = s.text.find('(');
      for (const std::string &part :
           splitList(std::string_view(s.text).substr(open + 1, s.text.rfind(')') - open - 1))) {
        size_t shape = part.find('(');
        if (lowerCase(trimmed(part.substr(0, shape))) != lowerCase(array.name))
          continue;
        if (shape == part.npos || part.find(':') != part.npos)
          return false;
        found = true;
      }
    }
    return found;
  }

  std::string arguments(bool actual) const {
    std::string list;
    for (int array : facts.arrays) {
      auto copy = copies.names.find(array);
      list += (list.empty() ? "" : ", ") +
              (actual && copy != copies.names.end() ? copy->second : row(array).name);
    }
    for (int value : values)
      list += (list.empty() ? "" : ", ") + row(value).name;
    return "(" + list + ")";
  }

  LoopControl loopOf(size_t axis) const { // axis 0 is x
    return controlOf(nest.heads[facts.axes[axis]]);
  }

  std::string kernelText(const std::string &blanks) const {
    std::string inner = "\n" + blanks + "  ";
    std::string text = blanks + "attributes(global) subroutine " + name + arguments(false);
    for (size_t i = 0; i < facts.arrays.size(); ++i) {
      const SymbolInfo &array = row(facts.arrays[i]);
      bool managed = (array.dataAttributes & data_attribute::Managed) != 0;
      text += inner + array.type + (managed ? ", managed :: " : ", device :: ") + array.name +
              arrayShapes[i];
    }
    for (int value : values)
      text += inner + row(value).type + ", value :: " + row(value).name;
    for (int constant : constants)
      text += inner + row(constant).type + ", parameter :: " + row(constant).name + " = " +
              row(constant).value;
    for (int local : facts.locals)
      text += inner + row(local).type + " :: " + row(local).name;
    std::string test;
    for (size_t axis = 0; axis < facts.parallel; ++axis) {
      LoopControl loop = loopOf(axis);
      std::string a = axes[axis];
      text.append(inner).append(loop.variable).append(" = (blockIdx%").append(a);
      text.append(" - 1) * blockDim%").append(a).append(" + threadIdx%").append(a);
      text += offset(loop.lower);
      test += (axis > 0 ? " .and. " : "") + loop.variable + " <= " + loop.upper;
    }
    text += inner + "if (" + test + ") then" + body(blanks + "    ") + inner + "end if";
    return text + "\n" + blanks + "end subroutine";
  }

  // What the first thread's index is more than 1.
  static std::string offset(const std::string &lower) {
    if (isNumber(lower)) {
      int more = numberOf(lower) - 1;
      return more == 0 ? "" : (more > 0 ? " + " : " - ") + std::to_string(std::abs(more));
    }
    return (isSimple(lower) ? " + " + lower : " + (" + lower + ")") + " - 1";
  }

  // The lines inside of the loops that become threads, with another indentation.
  std::string body(const std::string &blanks) const {
    int first = nest.heads[facts.parallel - 1].last + 1, last = nest.ends[facts.parallel - 1] - 1;
    bool fixedForm = context.file.reading.fixedForm;
    size_t least = std::string::npos;
    for (int line = first; line <= last; ++line)
      if (std::string_view text = document.line(line);
          !trimmed(text).empty() &&
          !(fixedForm && (isFixedComment(text) || isFixedContinuation(text))))
        least = std::min(least, indentationOf(document, line).size());
    if (fixedForm)
      return fixedBody(blanks, first, last, least);
    std::string text;
    for (int line = first; line <= last; ++line) {
      std::string_view whole = document.line(line);
      text += "\n";
      if (!trimmed(whole).empty())
        text += blanks + std::string(whole.substr(least));
    }
    return text;
  }

  // Statements in one piece, since continuations cannot move, and comments on lines of their own.
  std::string fixedBody(const std::string &blanks, int first, int last, size_t least) const {
    std::string lines, text;
    for (int line = first; line <= last; ++line)
      lines.append(document.line(line)) += '\n';
    forEachStatementAndComment(
        lines, true, context.file.reading.columns,
        [&](const Statement &statement) {
          std::string words = trimmed(statement.text);
          size_t begin = statement.text.find_first_not_of(" \t");
          auto column = static_cast<size_t>(statement.places[begin].column) - 1;
          text += "\n" + blanks + std::string(column - std::min(least, column), ' ') + words;
        },
        [&](const SourceComment &comment) {
          text += "\n" + blanks + "! " + trimmed(comment.text.substr(1));
        });
    return text;
  }

  void addKernel(std::vector<TextChange> &edits) const {
    if (module >= 0) {
      std::string blanks = indentationOf(document, outer.firstLine);
      bool apart = outer.firstLine > 1 && trimmed(document.line(outer.firstLine - 1)).empty();
      edits.push_back(
          linesBelow(document, outer.lastLine, (apart ? "\n" : "") + kernelText(blanks)));
      return;
    }
    std::string text = "module " + moduleName() + "\n  use cudafor\n  implicit none\ncontains\n" +
                       kernelText("  ") + "\nend module\n";
    edits.push_back(linesAbove(outer.firstLine, text));
  }

  std::string moduleName() const { return name + "s"; }

  // The module of the kernel, and dim3 of cudafor.
  void addUses(std::vector<TextChange> &edits) const {
    SpecificationPart part = specificationOf(context, unit);
    std::string text;
    if (module < 0)
      text = part.indentation + "use " + moduleName();
    bool dim3 = module < 0;
    for (int number = unit.scope; number > 0; number = scope(number).parent)
      for (const UseInfo &use : scope(number).uses)
        dim3 |= lowerCase(use.module) == "cudafor" && !use.only;
    if (!dim3 && facts.parallel > 1)
      text = part.indentation + "use cudafor";
    if (!text.empty())
      edits.push_back(linesBelow(document, part.lastUse, text));
  }

  std::string gridExtent(size_t axis) const {
    LoopControl loop = loopOf(axis);
    int threads = blocks[facts.parallel - 1][axis];
    std::string more;
    if (isNumber(loop.lower)) {
      more = " + " + std::to_string(threads - numberOf(loop.lower));
    } else {
      std::string lower = isSimple(loop.lower) ? loop.lower : "(" + loop.lower + ")";
      more = " - " + lower + " + " + std::to_string(threads);
    }
    return "(" + loop.upper + more + ") / " + std::to_string(threads);
  }

  std::string launch() const {
    std::string blanks = indentationOf(document, nest.first);
    std::string grid = gridExtent(0), block = std::to_string(blocks[facts.parallel - 1][0]);
    if (facts.parallel > 1) {
      for (size_t axis = 1; axis < 3; ++axis) {
        grid += ", " + (axis < facts.parallel ? gridExtent(axis) : std::string("1"));
        block += ", " + std::to_string(blocks[facts.parallel - 1][axis]);
      }
      grid = "dim3(" + grid + ")";
      block = "dim3(" + block + ")";
    }
    std::string head = blanks + "call " + name + "<<<" + grid + ", " + block + ">>>";
    std::string list = arguments(true);
    std::string text = copies.before + head +
                       (head.size() + list.size() > 100 ? " &\n" + blanks + "  " : "") + list;
    return text +
           (copies.after.empty() ? "" : "\n" + copies.after.substr(0, copies.after.size() - 1));
  }

  const ActionContext &context;
  const Document &document;
  const UnitAround unit;
  const LoopNest &nest;
  const LoopFacts &facts;
  const Analysis &analysis;
  int module = -1;
  UnitAround outer; // below the module, or the outermost unit
  std::string name;
  std::vector<std::string> arrayShapes;
  std::vector<int> values, constants;
  DeviceCopies copies;
};

} // namespace

void addExtractedKernel(const ActionContext &context, CodeActions &actions) {
  MovableLoop loop = movableLoopAt(context);
  if (!loop)
    return;
  const auto &[unit, nest, facts] = loop;
  if (std::optional<CodeAction> action = Extraction(context, unit, nest, facts).run())
    actions.push_back(std::move(*action));
}

} // namespace cufc
