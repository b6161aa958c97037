// "a(1:n, j) = b(2:n+1) * c" becomes a loop over elements.
//
// Every array in it is a whole one or a section of as many dimensions, so that element k of one
// goes with element k of the others; what is assigned may be read with the same section only.
#include "base/source_text.h"
#include "ide/decimal.h"
#include "ide/refactor/routine_text.h"
#include <algorithm>

namespace cufc {
namespace {

struct Dimension {
  std::string lower, upper, step; // of a section; empty for one subscript
  bool whole = false;             // ":"
};

// An array in the statement.
struct Term {
  NameAt name;
  Subscripts at;
  std::vector<std::string> subscripts; // of a whole array as many ":" as it has dimensions
  std::vector<size_t> sections;        // which of them are sections
};

size_t colonOf(const std::string &part) {
  int depth = 0;
  for (size_t i = 0; i < part.size(); ++i) {
    depth += part[i] == '(' ? 1 : part[i] == ')' ? -1 : 0;
    if (depth == 0 && part[i] == ':')
      return i;
  }
  return std::string::npos;
}

bool isNumber(const std::string &text) {
  return !text.empty() && text.find_first_not_of("0123456789", text[0] == '-' ? 1 : 0) == text.npos;
}

class ArrayAssignment {
public:
  ArrayAssignment(const RoutineText &text, size_t piece)
      : text(text), number(piece), piece(text.pieces[piece]) {}

  Refactored run() {
    if (std::string refusal = look(); !refusal.empty())
      return refused("{}", refusal);
    std::vector<std::string> variables;
    std::string declared;
    for (size_t i = 0; i < terms[0].sections.size(); ++i) {
      std::string name = freeName(text.context, "i" + std::to_string(i + 1));
      while (std::find(variables.begin(), variables.end(), name) != variables.end())
        name += "x";
      variables.push_back(name);
      declared += (i > 0 ? ", " : "") + name;
    }
    std::string statement = piece.text;
    for (auto term = terms.rbegin(); term != terms.rend(); ++term) {
      std::string element = elementOf(*term, variables);
      if (element.empty())
        return refused(Refusal::UnknownBounds, text.row(term->name.symbol).name);
      size_t begin = term->name.offset + term->name.length;
      size_t end = term->at ? term->at.close + 1 : begin;
      statement.replace(begin, end - begin, element);
    }
    return build(variables, declared, statement);
  }

private:
  std::string look() {
    size_t equals = assignmentSign();
    if (equals == std::string::npos)
      return Refusal::NoArrayAssignment;
    if (std::string refusal = text.fixedLines(number, number); !refusal.empty())
      return refusal;
    if (int line = text.directiveFor(number, number); line > 0)
      return because(Refusal::Directive, line);
    if (piece.label > 0)
      return because(Refusal::Label, piece.first);
    if (std::string word = text.unknownWord(number); !word.empty())
      return because(Refusal::UnknownName, word, piece.first);
    for (const NameAt &name : text.namesIn(number, number))
      if (std::string refusal = take(name, equals); !refusal.empty())
        return refusal;
    if (terms.empty() || terms[0].name.offset != 0 || terms[0].sections.empty())
      return Refusal::NoArrayAssignment;
    return compare();
  }

  size_t assignmentSign() const {
    int depth = 0;
    for (size_t i = 0; i < piece.text.size(); ++i) {
      char c = piece.text[i];
      if (c == '\'' || c == '"')
        return std::string::npos;
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (depth == 0 && c == '=')
        return i + 1 < piece.text.size() && (piece.text[i + 1] == '=' || piece.text[i + 1] == '>')
                   ? std::string::npos
                   : i;
    }
    return std::string::npos;
  }

  std::string take(const NameAt &name, size_t equals) {
    const SymbolInfo &symbol = text.row(name.symbol);
    bool function = symbol.kind == SymbolKind::Function || symbol.kind == SymbolKind::Generic;
    if (function && !(symbol.intrinsic && isElemental(lowerCase(symbol.name))))
      return because(Refusal::Effect, symbol.name, piece.first);
    if (symbol.kind == SymbolKind::Component || symbol.kind == SymbolKind::Binding ||
        symbol.type.starts_with("type") || symbol.type.starts_with("class") ||
        symbol.type.starts_with("character"))
      return because(Refusal::ArrayTerm, symbol.name);
    if (symbol.dataAttributes != 0)
      return because(Refusal::DeviceData, symbol.name);
    if (symbol.shape.empty() || symbol.shape == "(..)")
      return {};
    if (symbol.kind != SymbolKind::Variable && symbol.kind != SymbolKind::Constant)
      return because(Refusal::ArrayTerm, symbol.name);
    if (hasAttribute(symbol, "pointer") || hasAttribute(symbol, "target") ||
        text.isNamedBy({"equivalence"}, name.symbol))
      return because(Refusal::Aliased, symbol.name);
    Term term{name, subscriptsIn(piece.text, name.offset + name.length), {}, {}};
    size_t rank =
        splitList(std::string_view(symbol.shape).substr(1, symbol.shape.size() - 2)).size();
    term.subscripts = term.at ? term.at.parts : std::vector<std::string>(rank, ":");
    if (term.subscripts.size() != rank)
      return because(Refusal::ArrayTerm, symbol.name);
    if (!term.at && name.offset < equals && hasAttribute(symbol, "allocatable"))
      return because(Refusal::Reallocated, symbol.name);
    for (size_t i = 0; i < rank; ++i)
      if (colonOf(term.subscripts[i]) != std::string::npos)
        term.sections.push_back(i);
    if (isInside(name))
      return because(Refusal::ArrayTerm, symbol.name); // a subscript of another one
    if (!term.sections.empty() || name.offset == 0)
      terms.push_back(term);
    return {};
  }

  // Whether it stands in the subscripts of an array: a vector subscript, or an element there.
  bool isInside(const NameAt &name) const {
    return std::any_of(terms.begin(), terms.end(), [&](const Term &term) {
      return term.at && name.offset > term.at.open && name.offset < term.at.close;
    });
  }

  static bool isElemental(const std::string &name) {
    static const std::set<std::string> names = {
        "abs",    "sqrt",  "exp",   "log",   "log10", "sin",   "cos",   "tan",     "asin",
        "acos",   "atan",  "atan2", "sinh",  "cosh",  "tanh",  "min",   "max",     "mod",
        "modulo", "sign",  "real",  "dble",  "int",   "nint",  "floor", "ceiling", "aint",
        "anint",  "aimag", "conjg", "merge", "dim",   "dabs",  "dsqrt", "dexp",    "dlog",
        "dsin",   "dcos",  "amax1", "amin1", "dmax1", "dmin1", "float", "iand",    "ior",
        "ieor",   "ishft", "btest", "erf",   "gamma", "hypot", "not"};
    return names.contains(name);
  }

  std::string compare() const {
    for (const Term &term : terms) {
      const std::string &name = text.row(term.name.symbol).name;
      if (term.sections.size() != terms[0].sections.size())
        return because(Refusal::ArrayTerm, name);
      bool same = withoutBlanksAt(sliceOf(term)) == withoutBlanksAt(sliceOf(terms[0]));
      if (term.name.symbol == terms[0].name.symbol && !same)
        return because(Refusal::Overlap, name);
    }
    // An element of it, or a scalar that the subscripts of the target name, would change on the
    // way.
    for (const NameAt &name : text.namesIn(number, number)) {
      bool isTerm = std::any_of(terms.begin(), terms.end(),
                                [&](const Term &term) { return term.name.offset == name.offset; });
      if (name.symbol == terms[0].name.symbol && !isTerm)
        return because(Refusal::Overlap, text.row(name.symbol).name);
    }
    return {};
  }

  std::string sliceOf(const Term &term) const {
    return term.at ? piece.text.substr(term.at.open, term.at.close - term.at.open + 1) : "";
  }

  // The lower and upper bound and the step of a section of a dimension.
  Dimension sectionOf(const Term &term, size_t dimension) const {
    const std::string &part = term.subscripts[dimension];
    const SymbolInfo &symbol = text.row(term.name.symbol);
    size_t colon = colonOf(part);
    Dimension result{trimmed(part.substr(0, colon)), trimmed(part.substr(colon + 1)), "", false};
    if (size_t second = colonOf(result.upper); second != std::string::npos) {
      result.step = trimmed(result.upper.substr(second + 1));
      result.upper = trimmed(result.upper.substr(0, second));
    }
    std::string number = ", " + std::to_string(dimension + 1) + ")";
    std::string shape =
        splitList(std::string_view(symbol.shape).substr(1, symbol.shape.size() - 2))[dimension];
    size_t bound = shape.find(':');
    std::string lower = bound == shape.npos ? "1" : trimmed(shape.substr(0, bound));
    std::string upper = bound == shape.npos ? shape : trimmed(shape.substr(bound + 1));
    bool assumed = symbol.dummyOf >= 0 && !hasAttribute(symbol, "allocatable");
    if (shape == ":" && assumed)
      lower = "1";
    if (shape.find('*') != shape.npos && result.upper.empty())
      return {};
    if (result.lower.empty())
      result.lower = isNumber(lower) ? lower : "lbound(" + symbol.name + number;
    if (result.upper.empty())
      result.upper = isNumber(upper) ? upper : "ubound(" + symbol.name + number;
    return result;
  }

  std::string elementOf(const Term &term, const std::vector<std::string> &variables) const {
    std::string result = "(";
    size_t k = 0;
    for (size_t i = 0; i < term.subscripts.size(); ++i) {
      std::string part = term.subscripts[i];
      if (k < term.sections.size() && term.sections[k] == i) {
        Dimension own = sectionOf(term, i);
        Dimension target = sectionOf(terms[0], terms[0].sections[k]);
        if (own.lower.empty() || target.lower.empty() || own.step != target.step)
          return {};
        part = variables[k++];
        if (isNumber(own.lower) && isNumber(target.lower)) {
          int more = numberOf(own.lower) - numberOf(target.lower);
          part += more == 0 ? "" : (more > 0 ? " + " : " - ") + std::to_string(std::abs(more));
        } else if (withoutBlanksAt(own.lower) != withoutBlanksAt(target.lower)) {
          part += " - (" + target.lower + ") + (" + own.lower + ")";
        }
      }
      result += (i > 0 ? ", " : "") + part;
    }
    return result + ")";
  }

  Refactored build(const std::vector<std::string> &variables, const std::string &declared,
                   const std::string &statement) const {
    std::string blanks = text.indentation(number), lines, ends;
    for (size_t k = variables.size(); k-- > 0;) { // the first dimension is the innermost
      Dimension range = sectionOf(terms[0], terms[0].sections[k]);
      lines += blanks + "do " + variables[k] + " = " + range.lower + ", " + range.upper +
               (range.step.empty() ? "" : ", " + range.step) + "\n";
      ends.insert(0, "\n" + blanks + "end do");
      blanks += "  ";
    }
    if (blanks.size() + statement.size() > 130)
      return refused(Refusal::TooLong);
    Refactored change;
    change.title =
        "turn the assignment into " + std::string(variables.size() > 1 ? "loops" : "a loop");
    SpecificationPart part = text.specification();
    change.edits[text.context.file.path] = {
        linesBelow(text.context.document(), part.lastDeclaration,
                   part.indentation + "integer :: " + declared),
        {text.linesOf(number, number), lines + blanks + statement + ends}};
    return change;
  }

  const RoutineText &text;
  size_t number;
  const Piece &piece;
  std::vector<Term> terms;
};

} // namespace

Refactored makeArrayToLoop(const ActionContext &context, const RefactoringWish &) {
  RoutineText text = routineAt(context);
  if (!text.unit || !text.balanced)
    return refused(Refusal::NoProcedure);
  int at = text.pieceAt(context.range.begin.line);
  if (at < 0)
    return refused(Refusal::NotHere);
  for (int block : text.pieces[static_cast<size_t>(at)].blocks)
    if (text.pieces[static_cast<size_t>(block / 1024)].word == "where")
      return refused(Refusal::NoArrayAssignment);
  return ArrayAssignment(text, static_cast<size_t>(at)).run();
}

} // namespace cufc
