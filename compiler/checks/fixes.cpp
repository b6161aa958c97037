// See fixes.h. flang's text has the letters in lower case and blanks between words at most one by
// one, so that words can be searched for in a statement.
#include "checks/fixes.h"
#include "base/diag.h"
#include "checks/procedure_fixes.h"

namespace cufc {
namespace {

using namespace Fortran;
using parser::CharBlock;

// The first place of `words` in the statement outside of parentheses and character literals.
std::optional<CharBlock> findOutside(CharBlock statement, std::string_view words) {
  int depth = 0;
  char quote = 0;
  std::string_view text = viewOf(statement);
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote) {
      quote = c == quote ? 0 : quote;
    } else if (depth == 0 && text.substr(i, words.size()) == words) {
      return CharBlock{statement.begin() + i, words.size()};
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else {
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    }
  }
  return std::nullopt;
}

// Counts the entities of a declaration: commas outside of parentheses after the colons.
bool declaresOne(CharBlock statement, CharBlock colons) {
  CharBlock entities{colons.end(), statement.end()};
  return !findOutside(entities, ",");
}

} // namespace

CharBlock statementAround(const CheckContext &context, CharBlock place) {
  CharBlock all = context.program.parsing->cooked().AsCharBlock();
  if (!all.Contains(place))
    return place;
  auto ends = [](char c) { return c == '\n' || c == ';'; };
  const char *begin = place.begin(), *end = place.end();
  while (begin > all.begin() && !ends(begin[-1]))
    --begin;
  while (begin < place.begin() && *begin == ' ')
    ++begin;
  while (end < all.end() && !ends(*end))
    ++end;
  return CharBlock{begin, end};
}

TextEdit insertBefore(const CheckContext &context, CharBlock place, std::string text) {
  SourceRange range = rangeOf(context.program, place);
  range.endLine = range.line;
  range.endColumn = range.column;
  return {range, std::move(text)};
}

TextEdit insertAfter(const CheckContext &context, CharBlock place, std::string text) {
  SourceRange range = rangeOf(context.program, place);
  range.line = range.endLine;
  range.column = range.endColumn;
  return {range, std::move(text)};
}

TextEdit replace(const CheckContext &context, CharBlock place, std::string text) {
  return {rangeOf(context.program, place), std::move(text)};
}

bool isOfThisFile(const CheckContext &context, const semantics::Symbol &symbol) {
  return context.program.parsing->cooked().AsCharBlock().Contains(symbol.name());
}

Fix fixOf(std::string title, TextEdit edit) {
  Fix fix{std::move(title), {}};
  fix.edits.push_back(std::move(edit));
  return fix;
}

std::optional<Fix> makeHostDevice(const CheckContext &context, const semantics::Symbol &procedure) {
  const auto *details = procedure.detailsIf<semantics::SubprogramDetails>();
  if (!details || !procedure.owner().IsModule() || details->isInterface() ||
      !isOfThisFile(context, procedure))
    return std::nullopt;
  CharBlock statement = statementAround(context, procedure.name());
  auto title = [&] {
    return "give '" + procedure.name().ToString() + "' attributes(host, device)";
  };
  size_t attributes = viewOf(statement).find("attributes(device)");
  if (attributes != std::string_view::npos) {
    constexpr size_t opening = std::string_view("attributes(").size();
    CharBlock device{statement.begin() + attributes + opening, size_t{6}};
    return fixOf(title(), insertBefore(context, device, "host, "));
  }
  if (details->cudaSubprogramAttrs())
    return std::nullopt;
  return fixOf(title(), insertBefore(context, statement, "attributes(host, device) "));
}

std::optional<Fix> makeProcedure(const CheckContext &context, const semantics::Symbol &procedure,
                                 const std::string &attribute) {
  const auto *details = procedure.detailsIf<semantics::SubprogramDetails>();
  bool top = procedure.owner().IsModule() || procedure.owner().IsTopLevel();
  if (!details || !top || details->isInterface() || details->cudaSubprogramAttrs() ||
      (attribute == "global" && details->isFunction()) || !isOfThisFile(context, procedure))
    return std::nullopt;
  std::string words = "attributes(" + attribute + ")";
  return fixOf("give '" + procedure.name().ToString() + "' " + words,
               insertBefore(context, statementAround(context, procedure.name()), words + " "));
}

std::optional<Fix> addAttribute(const CheckContext &context, const semantics::Symbol &variable,
                                const std::string &attribute) {
  const auto *object = variable.detailsIf<semantics::ObjectEntityDetails>();
  // flang gives dummy arguments of kernels the attribute device.
  bool isValue = attribute == "value";
  bool returns = variable.attrs().test(semantics::Attr::INTENT_OUT) ||
                 variable.attrs().test(semantics::Attr::INTENT_INOUT);
  bool mayHaveIt = object && (isValue ? !returns : !object->cudaDataAttr()) &&
                   !object->commonBlock() && !semantics::FindEquivalenceSet(variable);
  if (!mayHaveIt || !isOfThisFile(context, variable))
    return std::nullopt;
  CharBlock statement = statementAround(context, variable.name());
  auto colons = findOutside(statement, "::");
  if (!colons || colons->begin() > variable.name().begin())
    return std::nullopt;
  std::string name = variable.name().ToString();
  std::string title = "give '" + name + "' the attribute " + attribute;
  if (declaresOne(statement, *colons)) {
    CharBlock before{statement.begin(), colons->begin()};
    while (before.size() > 1 && before.end()[-1] == ' ')
      before = CharBlock{before.begin(), before.end() - 1};
    return fixOf(std::move(title), insertAfter(context, before, ", " + attribute));
  }
  int column = rangeOf(context.program, statement).column;
  std::string words = attribute == "value" ? "value" : "attributes(" + attribute + ")";
  return fixOf(std::move(title),
               insertAfter(context, statement,
                           "\n" + std::string(static_cast<size_t>(std::max(column - 1, 0)), ' ') +
                               words + " :: " + name));
}

std::optional<Fix> removeAttribute(const CheckContext &context, const semantics::Symbol &variable,
                                   const std::string &attribute) {
  if (!isOfThisFile(context, variable))
    return std::nullopt;
  CharBlock statement = statementAround(context, variable.name());
  auto colons = findOutside(statement, "::");
  if (!colons || colons->begin() > variable.name().begin())
    return std::nullopt;
  CharBlock before{statement.begin(), colons->begin()};
  for (const std::string &words : {", " + attribute, "," + attribute})
    if (auto found = findOutside(before, words))
      return fixOf("remove the attribute " + attribute, replace(context, *found, ""));
  return std::nullopt;
}

void CheckContext::addDeclaration(Diagnostic &diagnostic, const semantics::Symbol &symbol) const {
  const auto *procedure = symbol.detailsIf<semantics::ProcEntityDetails>();
  bool isDeclared = !procedure || procedure->HasExplicitInterface() || semantics::IsDummy(symbol);
  if (isDeclared && isOfThisFile(*this, symbol))
    diagnostic.related.push_back(note(Diag::DeclaredHere, symbol.name(), symbol.name().ToString()));
}

} // namespace cufc
