// See loop_facts.h.
#include "ide/actions/loop_facts.h"
#include "base/source_text.h"
#include "ide/declaration.h"
#include "ide/refactor/routine_text.h"
#include <algorithm>

namespace cufc {
namespace {

bool isRead(Role role) { return role == Role::Read || role == Role::ReadWrite; }
bool isWritten(Role role) { return role == Role::Write || role == Role::ReadWrite; }

std::string withoutBlanks(std::string_view text) {
  std::string result = lowerCase(text);
  std::erase_if(result, [](char c) { return c == ' ' || c == '\t'; });
  return result;
}

// "i", "i+1" or "i-2" of the variable i.
bool isShifted(const std::string &subscript, const std::string &variable) {
  std::string text = withoutBlanks(subscript);
  if (!text.starts_with(variable))
    return false;
  std::string rest = text.substr(variable.size());
  if (rest.empty())
    return true;
  return rest.size() > 1 && (rest[0] == '+' || rest[0] == '-') &&
         std::all_of(rest.begin() + 1, rest.end(), [](char c) { return c >= '0' && c <= '9'; });
}

class FactFinder {
public:
  FactFinder(const ActionContext &context, const UnitAround &unit, const LoopNest &nest)
      : context(context), unit(unit), nest(nest), analysis(*context.file.analysis) {}

  LoopFacts run() {
    if (!nest || !statementsAllowed() || isUnderDirective())
      return {};
    for (const OccurrenceAt &name : namesIn(context, nest.first, nest.last))
      if (!look(name))
        return {};
    for (const CodeStatement &head : nest.heads) {
      LoopControl control = controlOf(head);
      if (!control.step.empty())
        return {};
      variables.push_back(lowerCase(control.variable));
    }
    if (!sortScalars())
      return {};
    facts.parallel = independentLoops();
    facts.possible = facts.parallel > 0;
    orderAxes();
    return std::move(facts);
  }

private:
  const SymbolInfo &row(int symbol) const { return analysis.symbols[static_cast<size_t>(symbol)]; }

  // Input and output, jumps and what else device code cannot do.
  bool statementsAllowed() const {
    static const std::set<std::string> refused = {
        "print",  "write",  "read",  "open",  "close", "inquire",  "stop",       "error",
        "return", "goto",   "go",    "exit",  "cycle", "allocate", "deallocate", "nullify",
        "call",   "rewind", "flush", "block", "where", "forall",   "associate"};
    return std::none_of(nest.body.begin(), nest.body.end(), [](const CodeStatement &s) {
      return refused.contains(s.word) || s.sharesLine || s.text.find("=>") != std::string::npos ||
             s.text.find('\'') != std::string::npos || s.text.find('"') != std::string::npos;
    });
  }

  // Whether this loop or one around it is a directive's already, or lines of it cannot change.
  bool isUnderDirective() const {
    RoutineText text(context, unit);
    int first = text.pieceAt(nest.first), last = text.pieceAt(nest.last);
    return first < 0 || last < first ||
           text.directiveFor(static_cast<size_t>(first), static_cast<size_t>(last)) > 0 ||
           !text.fixedLines(static_cast<size_t>(first), static_cast<size_t>(last)).empty();
  }

  bool look(const OccurrenceAt &name) {
    const SymbolInfo &symbol = name.symbol.info();
    int number = name.symbol.symbol;
    switch (symbol.kind) {
    case SymbolKind::Constant:
      return symbol.shape.empty() && addOnce(facts.constants, number);
    case SymbolKind::Function:
    case SymbolKind::Subroutine:
      return symbol.intrinsic || (symbol.procedureAttributes & procedure_attribute::Device) != 0;
    case SymbolKind::Generic:
      return symbol.intrinsic;
    case SymbolKind::Variable:
      break;
    case SymbolKind::Construct:
      return true;
    default:
      return false; // components and the like: of derived types
    }
    if (symbol.type.find('(') == std::string::npos || symbol.type.starts_with("type") ||
        symbol.type.starts_with("class") || symbol.type.starts_with("character"))
      return false;
    uses[number].push_back(name);
    if (symbol.shape.empty())
      return addOnce(scalars, number);
    if (isWritten(name.role))
      facts.written.insert(number);
    return addOnce(facts.arrays, number);
  }

  static bool addOnce(std::vector<int> &list, int number) {
    if (std::find(list.begin(), list.end(), number) == list.end())
      list.push_back(number);
    return true;
  }

  bool sortScalars() {
    for (int number : scalars) {
      const std::vector<OccurrenceAt> &all = uses[number];
      bool changes = std::any_of(all.begin(), all.end(),
                                 [](const OccurrenceAt &o) { return isWritten(o.role); });
      if (!changes)
        facts.scalars.push_back(number);
      else if (isLoopVariable(number) || (isWrittenFirst(all) && !isReadLater(number)))
        facts.locals.push_back(number);
      else if (isReduction(all))
        facts.reduction = true;
      else
        return false;
    }
    return true;
  }

  bool isLoopVariable(int number) const {
    return std::find(variables.begin(), variables.end(), lowerCase(row(number).name)) !=
           variables.end();
  }

  const CodeStatement *statementOf(const OccurrenceAt &name) const {
    for (const CodeStatement &s : nest.body)
      if (s.first <= name.range.begin.line && s.last >= name.range.begin.line)
        return &s;
    return nullptr;
  }

  // In a statement that is in no branch, and that does not read it.
  bool isWrittenFirst(const std::vector<OccurrenceAt> &all) const {
    const CodeStatement *statement = statementOf(all.front());
    if (!statement || !isWritten(all.front().role) || all.front().role == Role::ReadWrite)
      return false;
    for (const OccurrenceAt &other : all)
      if (isRead(other.role) && statementOf(other) == statement)
        return false;
    int depth = 0;
    for (const CodeStatement &s : nest.body) {
      if (&s == statement)
        return depth == 0 || s.word == "do";
      if (s.role.kind == StatementRole::Opens && s.role.block != Block::Do)
        ++depth;
      if (s.role.kind == StatementRole::Closes && s.role.block != Block::Do)
        --depth;
    }
    return false;
  }

  // Its value behind the loop would be another one.
  bool isReadLater(int number) const {
    for (const OccurrenceAt &name : namesIn(context, nest.last + 1, unit.lastLine))
      if (name.symbol.symbol == number)
        return name.role != Role::Write;
    return row(number).dummyOf >= 0 || row(number).scope != unit.scope;
  }

  // All in one statement "s = s + ..." or "s = max(s, ...)".
  bool isReduction(const std::vector<OccurrenceAt> &all) const {
    const CodeStatement *statement = statementOf(all.front());
    if (!statement || all.size() != 2 || statementOf(all[1]) != statement ||
        all[0].role != Role::Write || all[1].role != Role::Read)
      return false;
    std::string text = withoutBlanks(statement->text);
    std::string name = lowerCase(all[0].symbol.info().name);
    const std::string own = name + "=" + name;
    for (const char *begin : {"+", "*", "-"})
      if (text.starts_with(own + begin))
        return true;
    return text.starts_with(name + "=max(" + name + ",") ||
           text.starts_with(name + "=min(" + name + ",");
  }

  // The subscripts where an array is named; empty if they are not on the line.
  std::vector<std::string> subscriptsAt(const OccurrenceAt &name) const {
    std::string_view line = context.document().line(name.range.end.line);
    size_t open = line.find_first_not_of(" \t", static_cast<size_t>(name.range.end.column) - 1);
    if (open == line.npos || line[open] != '(')
      return {};
    int depth = 0;
    for (size_t i = open; i < line.size(); ++i) {
      depth += line[i] == '(' ? 1 : line[i] == ')' ? -1 : 0;
      if (depth == 0)
        return splitList(line.substr(open + 1, i - open - 1));
    }
    return {};
  }

  // Loops from outside in, as long as bounds do not depend on those outside and each has a
  // subscript of its own wherever an array that is written is named.
  size_t independentLoops() const {
    size_t count = 0;
    for (; count < std::min<size_t>(3, nest.heads.size()); ++count) {
      LoopControl control = controlOf(nest.heads[count]);
      std::string bounds = " " + lowerCase(control.lower + " " + control.upper) + " ";
      for (size_t i = 0; i < count; ++i)
        if (hasWord(bounds, variables[i]))
          return count;
      if (!everyWriteHas(variables[count]))
        return count;
    }
    return count;
  }

  // Neighbouring threads are to have neighbouring elements.
  void orderAxes() {
    std::vector<std::pair<size_t, size_t>> order; // place of the subscript, loop
    for (size_t loop = 0; loop < facts.parallel; ++loop) {
      size_t place = facts.parallel - loop; // without an array inner loops come first
      if (!facts.written.empty()) {
        std::vector<std::string> list = subscriptsAt(uses.at(*facts.written.begin()).front());
        for (place = 0; place < list.size() && !isShifted(list[place], variables[loop]);)
          ++place;
      }
      order.emplace_back(place, loop);
    }
    std::sort(order.begin(), order.end());
    for (const auto &[place, loop] : order)
      facts.axes.push_back(loop);
  }

  bool everyWriteHas(const std::string &variable) const {
    for (int array : facts.written) {
      std::vector<std::string> first;
      for (const OccurrenceAt &name : uses.at(array)) {
        std::vector<std::string> subscripts = subscriptsAt(name);
        for (std::string &subscript : subscripts)
          subscript = withoutBlanks(subscript);
        if (first.empty())
          first = subscripts;
        auto own = std::find_if(subscripts.begin(), subscripts.end(),
                                [&](const std::string &s) { return isShifted(s, variable); });
        if (own == subscripts.end() || *own != first[static_cast<size_t>(own - subscripts.begin())])
          return false;
      }
    }
    return !facts.written.empty() || facts.reduction;
  }

  const ActionContext &context;
  const UnitAround &unit;
  const LoopNest &nest;
  const Analysis &analysis;
  LoopFacts facts;
  std::vector<int> scalars;
  std::vector<std::string> variables;
  std::map<int, std::vector<OccurrenceAt>> uses;
};

bool isPlainNumber(const std::string &text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace

LoopFacts loopFacts(const ActionContext &context, const UnitAround &unit, const LoopNest &nest) {
  return FactFinder(context, unit, nest).run();
}

bool isOnDevice(const SymbolInfo &symbol) {
  return (symbol.dataAttributes &
          (data_attribute::Device | data_attribute::Managed | data_attribute::Unified)) != 0;
}

DeviceCopies deviceCopies(const ActionContext &context, const UnitAround &unit,
                          const std::vector<int> &arrays, const std::set<int> &written,
                          int firstLine, int lastLine) {
  DeviceCopies copies;
  const Document &document = context.document();
  SpecificationPart part = specificationOf(context, unit);
  std::string blanks = indentationOf(document, firstLine), declarations, release;
  for (int number : arrays) {
    const SymbolInfo &symbol = context.file.analysis->symbols[static_cast<size_t>(number)];
    if (symbol.shape.size() < 3 || symbol.shape.find('*') != symbol.shape.npos) {
      copies.possible = false; // assumed size or rank
      return copies;
    }
    std::vector<std::string> shape =
        splitList(std::string_view(symbol.shape).substr(1, symbol.shape.size() - 2));
    std::string name = freeName(context, symbol.name + "_d");
    copies.names[number] = name;
    bool fixedShape = std::all_of(shape.begin(), shape.end(), isPlainNumber);
    std::string deferred, bounds;
    for (size_t i = 1; i <= shape.size(); ++i) {
      std::string dimension = "(" + symbol.name + ", " + std::to_string(i) + ")";
      deferred += i > 1 ? ", :" : ":";
      bounds.append(i > 1 ? ", lbound" : "lbound").append(dimension);
      bounds.append(":ubound").append(dimension);
    }
    declarations.append(declarations.empty() ? "" : "\n").append(part.indentation);
    declarations.append(symbol.type)
        .append(fixedShape ? ", device :: " : ", device, allocatable :: ");
    declarations.append(name);
    if (fixedShape) {
      declarations.append(symbol.shape);
    } else {
      declarations.append("(").append(deferred).append(")");
      copies.before.append(blanks).append("allocate(").append(name);
      copies.before.append("(").append(bounds).append("))\n");
      release.append(blanks).append("deallocate(").append(name).append(")\n");
    }
    copies.before.append(blanks).append(name).append(" = ").append(symbol.name).append("\n");
    if (written.contains(number))
      copies.after.append(blanks).append(symbol.name).append(" = ").append(name).append("\n");
  }
  copies.after += release;
  if (!declarations.empty())
    copies.edits.push_back(linesBelow(document, part.lastDeclaration, declarations));
  for (const OccurrenceAt &name : namesIn(context, firstLine, lastLine))
    if (auto copy = copies.names.find(name.symbol.symbol); copy != copies.names.end())
      copies.edits.push_back({name.range, copy->second});
  return copies;
}

MovableLoop movableLoopAt(const ActionContext &context) {
  MovableLoop loop{procedureAround(context, context.range.begin), loopNestAt(context), {}};
  if (!context.file.reading.cuda || !loop.unit || !loop.nest ||
      context.file.analysis->scopes[static_cast<size_t>(loop.unit.scope)].device)
    return loop;
  loop.facts = loopFacts(context, loop.unit, loop.nest);
  return loop;
}

} // namespace cufc
