// See dependence.h.
#include "ide/refactor/dependence.h"
#include "base/source_text.h"
#include <algorithm>

namespace cufc {
namespace {

// "i", "i+1" or "i-2".
bool isShifted(const std::string &text, const std::string &variable) {
  if (!text.starts_with(variable))
    return false;
  std::string rest = text.substr(variable.size());
  return rest.empty() || (rest.size() > 1 && (rest[0] == '+' || rest[0] == '-') &&
                          rest.find_first_not_of("0123456789", 1) == rest.npos);
}

bool isStatementAllowed(const Piece &piece) {
  static const std::set<std::string> refusedWords = {
      "print",     "write",  "read",  "open",     "close",      "inquire", "backspace", "endfile",
      "rewind",    "flush",  "wait",  "allocate", "deallocate", "nullify", "call",      "block",
      "associate", "forall", "where", "critical", "sync",       "event",   "change",    "namelist",
      "format",    "data",   "entry", "include",  "assign",     "pause",   "form",      "lock"};
  bool pointer = piece.text.find("=>") != std::string::npos;
  return !pointer && !refusedWords.contains(piece.word) &&
         (piece.word != "select" || lowerCase(piece.text).find("case") != std::string::npos);
}

// The word that leaves a block, or "".
std::string jumpIn(const Piece &piece) {
  static const std::set<std::string> jumps = {"goto", "go",     "exit",  "cycle",
                                              "stop", "return", "error", "fail"};
  std::string found;
  if (piece.word != "if" && !jumps.contains(piece.word))
    return found;
  size_t at = 0;
  if (piece.word == "if") {
    Subscripts condition = subscriptsIn(piece.text, lowerCase(piece.text).find("if") + 2);
    at = condition ? condition.close + 1 : 0;
  }
  bool first = true;
  forEachWordIn(piece.text.substr(at), [&](const std::string &word, size_t where) {
    size_t next = piece.text.find_first_not_of(" \t", at + where + word.size());
    bool assigned = next != std::string::npos &&
                    (piece.text[next] == '=' || (piece.text[next] == '(' && word != "goto"));
    if (first && jumps.contains(word) && !assigned)
      found = word;
    first = false;
  });
  return found;
}

std::string effectOf(const RoutineText &text, const NameAt &name) {
  static const std::set<std::string> impure = {
      "rand", "irand", "ran",    "secnds", "etime",  "dtime",  "second", "time",  "fget", "fgetc",
      "fput", "fputc", "system", "ftell",  "getpid", "mclock", "malloc", "c_loc", "loc"};
  const SymbolInfo &symbol = text.row(name.symbol);
  std::string lower = lowerCase(symbol.name);
  switch (symbol.kind) {
  case SymbolKind::Function:
  case SymbolKind::Subroutine:
  case SymbolKind::Generic:
    // What a procedure reads of modules and hosts is not seen, pure or not.
    return symbol.intrinsic && !impure.contains(lower) ? "" : symbol.name;
  case SymbolKind::Binding:
  case SymbolKind::Namelist:
    return symbol.name;
  default:
    return {};
  }
}

std::string refusalOf(const RoutineText &text, size_t number) {
  const Piece &piece = text.pieces[number];
  if (!isStatementAllowed(piece))
    return because(Refusal::StatementKind, piece.word, piece.first);
  if (std::string jump = jumpIn(piece); !jump.empty())
    return because(Refusal::Jump, jump, piece.first);
  if (piece.named)
    return because(Refusal::NamedConstruct, piece.first);
  bool endsLoop = piece.partner >= 0 && piece.word == "continue";
  if (piece.label > 0 && !endsLoop)
    return because(Refusal::Label, piece.first);
  for (const NameAt &name : text.namesIn(number, number))
    if (std::string effect = effectOf(text, name); !effect.empty())
      return because(Refusal::Effect, effect, piece.first);
  if (std::string word = text.unknownWord(number); !word.empty())
    return because(Refusal::UnknownName, word, piece.first);
  return {};
}

} // namespace

DoLoop loopFrom(const RoutineText &text, size_t head) {
  DoLoop loop;
  loop.head = head;
  const Piece &piece = text.pieces[head];
  CodeStatement statement;
  statement.text = piece.text;
  loop.refusal = Refusal::NoLoop;
  if (!piece.isDo() || piece.partner < 0)
    return loop;
  loop.end = static_cast<size_t>(piece.partner);
  loop.labelled = piece.role.kind != StatementRole::Opens;
  loop.control = controlOf(statement);
  if (loop.control.variable.empty() || loop.labelled)
    return loop;
  for (const NameAt &name : text.namesIn(head, head))
    if (name.writes())
      loop.variable = name.symbol;
  if (loop.variable < 0 || !text.row(loop.variable).type.starts_with("integer"))
    return loop;
  loop.refusal = piece.named ? because(Refusal::NamedConstruct, piece.first) : std::string();
  return loop;
}

DoLoop loopAt(const RoutineText &text) {
  DoLoop none;
  none.refusal = Refusal::NoLoop;
  if (!text.unit)
    return none.refusal = Refusal::NoProcedure, none;
  if (!text.balanced)
    return none.refusal = Refusal::Unbalanced, none;
  int at = text.pieceAt(text.context.range.begin.line);
  return at < 0 ? none : loopFrom(text, static_cast<size_t>(at));
}

Accesses accessesOf(const RoutineText &text, size_t first, size_t last) {
  Accesses result;
  for (size_t i = first; i <= last; ++i)
    if (result.refusal = refusalOf(text, i); !result.refusal.empty())
      return result;
  for (const NameAt &name : text.namesIn(first, last)) {
    const SymbolInfo &symbol = text.row(name.symbol);
    if (symbol.kind != SymbolKind::Variable)
      continue;
    bool derived = symbol.type.starts_with("type") || symbol.type.starts_with("class");
    if (name.writes() && derived) {
      result.refusal = because(Refusal::DerivedType, symbol.name);
      return result;
    }
    static const std::set<std::string> sharing = {"equivalence"};
    if (name.writes() &&
        (hasAttribute(symbol, "pointer") || hasAttribute(symbol, "target") ||
         hasAttribute(symbol, "volatile") || text.isNamedBy(sharing, name.symbol))) {
      result.refusal = because(Refusal::Aliased, symbol.name);
      return result;
    }
    (symbol.shape.empty() ? result.scalars : result.arrays).insert(name.symbol);
    if (name.writes())
      result.changed.insert(name.symbol);
    result.places[name.symbol].push_back(name);
  }
  return result;
}

bool haveOwnElements(const RoutineText &text, const std::vector<NameAt> &places,
                     const std::string &variable) {
  std::vector<std::string> first;
  for (const NameAt &name : places) {
    Subscripts at = subscriptsIn(text.pieces[name.piece].text, name.offset + name.length);
    for (std::string &part : at.parts)
      part = withoutBlanksAt(part);
    if (first.empty())
      first = at.parts;
    bool own = false;
    for (size_t i = 0; i < at.parts.size() && i < first.size(); ++i)
      if (isShifted(at.parts[i], variable)) {
        own = at.parts[i] == first[i];
        break;
      }
    if (!own)
      return false;
  }
  return !places.empty();
}

PrivateScalars privateScalars(const RoutineText &text, const Accesses &accesses, size_t first,
                              size_t last, const std::set<int> &loopVariables) {
  PrivateScalars result;
  for (int symbol : accesses.scalars) {
    if (!accesses.changed.contains(symbol) || loopVariables.contains(symbol))
      continue;
    const std::vector<NameAt> &places = accesses.places.at(symbol);
    bool setFirst = std::all_of(places.begin(), places.end(), [&](const NameAt &read) {
      return !read.reads() || std::any_of(places.begin(), places.end(), [&](const NameAt &write) {
        return write.role == Role::Write && text.dominates(write.piece, read.piece);
      });
    });
    if (!setFirst || text.usedOutside(symbol, first, last)) {
      result.carried = symbol;
      return result;
    }
    result.symbols.push_back(symbol);
  }
  return result;
}

std::string betweenParts(const RoutineText &text, const Accesses &one, const Accesses &other,
                         const std::string &variable, const std::set<int> &privates) {
  for (const Accesses *part : {&one, &other}) {
    const Accesses &rest = part == &one ? other : one;
    for (int symbol : part->changed) {
      auto there = rest.places.find(symbol);
      if (there == rest.places.end() || privates.contains(symbol))
        continue;
      if (part->scalars.contains(symbol))
        return because(Refusal::SharedScalar, text.row(symbol).name);
      std::vector<NameAt> all = part->places.at(symbol);
      all.insert(all.end(), there->second.begin(), there->second.end());
      if (!haveOwnElements(text, all, variable))
        return because(Refusal::SharedArray, text.row(symbol).name);
    }
  }
  return {};
}

std::string changedBound(const RoutineText &text, const LoopControl &control,
                         const Accesses &accesses) {
  std::string bounds = lowerCase(control.lower + " " + control.upper + " " + control.step);
  for (int symbol : accesses.changed)
    if (hasWord(bounds, lowerCase(text.row(symbol).name)))
      return text.row(symbol).name;
  return {};
}

} // namespace cufc
