// The body of a subroutine takes the place of a call. Dummies become the actual arguments, which
// are names or numbers, local variables become variables of the caller.
#include "base/source_text.h"
#include "ide/refactor/routine_text.h"
#include <algorithm>

namespace cufc {
namespace {

class CallInliner {
public:
  CallInliner(const RoutineText &caller, size_t call, const RoutineText &callee)
      : caller(caller), call(call), callee(callee) {}

  Refactored run() {
    for (auto step : {&CallInliner::findBody, &CallInliner::checkBody, &CallInliner::matchDummies,
                      &CallInliner::matchOthers})
      if (std::string refusal = (this->*step)(); !refusal.empty())
        return refused("{}", refusal);
    return build();
  }

private:
  const SymbolInfo &procedure() const { return callee.row(callee.scope().symbol); }

  std::string findBody() {
    SpecificationPart part = callee.specification();
    last = callee.pieces.size() - 2;
    first = 1;
    while (first <= last && callee.pieces[first].first <= part.lastDeclaration)
      ++first;
    if (first > last || callee.contains + 1 != callee.pieces.size())
      return because(Refusal::ManyReturns, procedure().name, callee.unit.firstLine);
    if (lowerCase(callee.pieces[last].text) == "return")
      --last;
    return first > last ? because(Refusal::ManyReturns, procedure().name, callee.unit.firstLine)
                        : std::string();
  }

  std::string checkBody() {
    static const std::set<std::string> refusedWords = {"return",    "format", "entry",   "data",
                                                       "associate", "block",  "include", "select"};
    for (size_t i = 0; i <= last; ++i) {
      const Piece &piece = callee.pieces[i];
      bool use = piece.word == "use" || piece.word == "import" || piece.word == "save" ||
                 piece.word == "common" || piece.word == "equivalence" || piece.word == "data";
      bool leaves = i >= first && (hasWord(lowerCase(piece.text), "return") ||
                                   refusedWords.contains(piece.word) || piece.label > 0 ||
                                   piece.named || piece.text.find("=>") != std::string::npos);
      if (use || leaves)
        return because(Refusal::ManyReturns, procedure().name, piece.first);
    }
    for (const NameAt &name : callee.namesIn(first, last))
      if (name.symbol == callee.scope().symbol)
        return because(Refusal::CallsItself, procedure().name);
    return callee.fixedLines(first, last);
  }

  std::string matchDummies() {
    const Piece &piece = caller.pieces[call];
    size_t open = piece.text.find('(');
    Subscripts actual = open == std::string::npos ? Subscripts() : subscriptsIn(piece.text, open);
    std::vector<std::string> list = actual.parts;
    if (list.size() == 1 && list[0].empty())
      list.clear();
    if (list.size() != procedure().dummies.size())
      return because(Refusal::ArgumentForm, procedure().name);
    for (size_t i = 0; i < list.size(); ++i) {
      int dummy = procedure().dummies[i];
      if (dummy < 0 || !fits(dummy, list[i]))
        return because(Refusal::ArgumentForm, dummy < 0 ? "*" : callee.row(dummy).name);
      names[dummy] = list[i];
    }
    return {};
  }

  bool changes(int symbol) const {
    for (const NameAt &name : callee.namesIn(first, last))
      if (name.symbol == symbol && name.writes())
        return true;
    return false;
  }

  bool fits(int dummy, const std::string &actual) const {
    const SymbolInfo &row = callee.row(dummy);
    if (hasAttribute(row, "optional") || hasAttribute(row, "value") ||
        hasAttribute(row, "pointer") || hasAttribute(row, "allocatable") ||
        hasAttribute(row, "target") || row.kind != SymbolKind::Variable)
      return false;
    bool number = !actual.empty() && actual.find_first_not_of("0123456789") == actual.npos;
    if (number)
      return row.type == "integer(4)" && row.shape.empty() && !changes(dummy);
    for (const NameAt &name : caller.namesIn(call, call)) {
      const SymbolInfo &given = caller.row(name.symbol);
      if (lowerCase(given.name) != lowerCase(actual) || given.kind != SymbolKind::Variable)
        continue;
      bool shape = row.shape.empty() ? given.shape.empty() : isSameShape(row, given, dummy);
      return shape && given.type == row.type && given.dataAttributes == row.dataAttributes &&
             !hasAttribute(given, "pointer") && !isGivenTwice(actual);
    }
    return false;
  }

  // Subscripts mean the same elements, and nothing asks for the bounds.
  bool isSameShape(const SymbolInfo &dummy, const SymbolInfo &given, int symbol) const {
    auto rank = [](const std::string &shape) {
      return splitList(std::string_view(shape).substr(1, shape.size() - 2)).size();
    };
    if (given.shape.empty() || rank(dummy.shape) != rank(given.shape))
      return false;
    bool fromOne = given.shape.find(':') == std::string::npos ||
                   (given.dummyOf >= 0 && !hasAttribute(given, "allocatable") &&
                    given.shape.find_first_not_of("(:,) ") == std::string::npos);
    bool assumed = dummy.shape.find_first_not_of("(:,) ") == std::string::npos;
    bool vector = rank(dummy.shape) == 1 && dummy.shape.find(':') == std::string::npos;
    if (!fromOne || !(assumed || vector))
      return false;
    for (const NameAt &name : callee.namesIn(first, last)) {
      if (name.symbol != symbol)
        continue;
      Subscripts at = subscriptsIn(callee.pieces[name.piece].text, name.offset + name.length);
      if (!at || std::any_of(at.parts.begin(), at.parts.end(),
                             [](const std::string &part) { return part.find(':') != part.npos; }))
        return false;
    }
    return true;
  }

  bool isGivenTwice(const std::string &actual) const {
    return std::any_of(names.begin(), names.end(), [&](const auto &known) {
      return lowerCase(known.second) == lowerCase(actual);
    });
  }

  // Local variables get declarations in the caller; what comes from the host must mean the same.
  std::string matchOthers() {
    for (const NameAt &name : callee.namesIn(first, last)) {
      const SymbolInfo &row = callee.row(name.symbol);
      if (names.contains(name.symbol) || row.intrinsic || row.kind == SymbolKind::Component)
        continue;
      if (row.scope == callee.unit.scope && row.module.empty() &&
          row.kind != SymbolKind::Function && row.kind != SymbolKind::Subroutine) {
        if (std::string refusal = takeLocal(name.symbol); !refusal.empty())
          return refusal;
        continue;
      }
      if (isHidden(row))
        return because(Refusal::HiddenName, row.name);
    }
    return {};
  }

  std::string takeLocal(int symbol) {
    const SymbolInfo &row = callee.row(symbol);
    bool bounds = row.shape.find_first_not_of("0123456789(),: ") == std::string::npos &&
                  row.shape.find("(:") == std::string::npos;
    if (!callee.isOwn(symbol) || !bounds || row.dataAttributes != 0 || row.implicit ||
        row.type.starts_with("type") || row.type.starts_with("class"))
      return because(Refusal::Declared, row.name, "its declaration cannot move");
    std::string name = freeName(caller.context, row.name);
    names[symbol] = name;
    declared += (declared.empty() ? "" : "\n") + caller.specification().indentation + row.type +
                " :: " + name + row.shape;
    return {};
  }

  bool isHidden(const SymbolInfo &row) const {
    for (int own : caller.scope().symbols)
      if (lowerCase(caller.row(own).name) == lowerCase(row.name))
        return true;
    return caller.scope().parent != callee.scope().parent &&
           caller.unit.scope != callee.scope().parent;
  }

  Refactored build() const {
    const Document &document = callee.context.document();
    std::vector<TextChange> inside;
    for (const NameAt &name : callee.namesIn(first, last))
      if (auto known = names.find(name.symbol); known != names.end())
        inside.push_back({callee.rangeOf(name.piece, name.offset, name.length), known->second});
    Document body(changedText(document, inside));
    std::string lines;
    std::string from = callee.indentation(first), to = caller.indentation(call);
    for (int line = callee.pieces[first].first; line <= callee.pieces[last].last; ++line) {
      std::string whole(body.line(line));
      if (whole.starts_with(from))
        whole.replace(0, from.size(), to);
      if (whole.size() > 132)
        return refused(Refusal::TooLong);
      lines += (lines.empty() ? "" : "\n") + whole;
    }
    Refactored change;
    change.title = "inline the call of '" + procedure().name + "'";
    std::vector<TextChange> &edits = change.edits[caller.context.file.path];
    if (!declared.empty())
      edits.push_back(
          linesBelow(caller.context.document(), caller.specification().lastDeclaration, declared));
    edits.push_back({caller.linesOf(call, call), lines});
    return change;
  }

  const RoutineText &caller;
  size_t call;
  const RoutineText &callee;
  size_t first = 0, last = 0;
  std::map<int, std::string> names; // of the callee, in the caller
  std::string declared;
};

} // namespace

Refactored makeInlineProcedure(const ActionContext &context, const RefactoringWish &) {
  RoutineText caller = routineAt(context);
  int at = caller.unit && caller.balanced ? caller.pieceAt(context.range.begin.line) : -1;
  if (at < 0 || caller.pieces[static_cast<size_t>(at)].word != "call")
    return refused(Refusal::NoCall);
  auto call = static_cast<size_t>(at);
  if (std::string refusal = caller.fixedLines(call, call); !refusal.empty())
    return refused("{}", refusal);
  if (context.file.reading.fixedForm || caller.pieces[call].label > 0)
    return refused(Refusal::StatementKind, "call", caller.pieces[call].first);
  int symbol = -1;
  for (const NameAt &name : caller.namesIn(call, call))
    if (name.role == Role::Call && symbol < 0)
      symbol = name.symbol;
  if (symbol < 0 || caller.row(symbol).kind != SymbolKind::Subroutine ||
      caller.row(symbol).ownScope < 0 || caller.row(symbol).definition.file != 0)
    return refused(Refusal::NoCall);
  std::optional<TextRange> now = context.file.now(caller.row(symbol).definition);
  if (!now)
    return refused(Refusal::NoCall);
  UnitAround unit{caller.row(symbol).ownScope, now->begin.line,
                  now->end.line - (now->end.column <= 1 ? 1 : 0)};
  if (unit.scope == caller.unit.scope)
    return refused(Refusal::CallsItself, caller.row(symbol).name);
  RoutineText callee(context, unit);
  if (!callee.balanced || callee.pieces.size() < 3 ||
      callee.scope().device != caller.scope().device)
    return refused(Refusal::NoCall);
  return CallInliner(caller, call, callee).run();
}

} // namespace cufc
