// Types are compared as declarations spell them: the word first, then the kind. In device code all
// data are at hand, so memory counts in host code only.
#include "ide/expected.h"
#include "base/source_text.h"
#include "ide/declaration.h"
#include <algorithm>

namespace cufc {
namespace {

constexpr double good = 2, best = 2.6, bad = 0.4;

std::string_view headOf(std::string_view type) { return type.substr(0, type.find('(')); }

bool isDerived(std::string_view type) {
  return type.starts_with("type") || type.starts_with("class");
}

double fitOfType(std::string_view wanted, std::string_view type) {
  if (wanted.empty() || type.empty() || wanted.find('*') != wanted.npos)
    return 1;
  if (isDerived(wanted) && isDerived(type))
    return wanted.substr(headOf(wanted).size()) == type.substr(headOf(type).size()) ? best : bad;
  return wanted == type ? best : headOf(wanted) == headOf(type) ? good : bad;
}

bool has(const SymbolInfo &symbol, std::string_view attribute) {
  return std::find(symbol.attributes.begin(), symbol.attributes.end(), attribute) !=
         symbol.attributes.end();
}

constexpr std::uint16_t onDevice = data_attribute::Device | data_attribute::Constant;
constexpr std::uint16_t onBoth = data_attribute::Managed | data_attribute::Unified;

std::string_view neededAttribute(std::string_view statement) {
  if (statement == "allocate" || statement == "deallocate" || statement == "allocated")
    return "allocatable";
  if (statement == "associated" || statement == "nullify")
    return "pointer";
  return statement == "present" ? "optional" : std::string_view();
}

} // namespace

Expected::Expected(const VisibleNames &names, const CursorContext &context, bool deviceCode)
    : deviceCode(deviceCode) {
  assigned = context.tokens.empty();
  if (context.open.empty())
    ofAssignment(names, context);
  else if (context.open.back().kind == '(')
    ofArgument(names, context);
}

void Expected::ofArgument(const VisibleNames &names, const CursorContext &context) {
  const OpenBracket &open = context.open.back();
  size_t begin = open.argumentBegin + (open.keyword.empty() ? 0 : 2);
  if (open.token == 0)
    return;
  const Token &word = context.tokens[open.token - 1];
  if (std::string_view needed = neededAttribute(word.text);
      !needed.empty() && begin == context.tokens.size()) {
    values.push_back({{}, false, {}, std::string(needed)});
    return;
  }
  if (begin != context.tokens.size() || word.is("if") || word.is("while"))
    return;
  Designator designator = designatorBefore(context.tokens, open.token);
  NamedThing thing = designator.names.empty() ? NamedThing{} : names.resolve(designator.names);
  if (!thing.symbol)
    return;
  const SymbolInfo &info = thing.symbol.info();
  if (isProcedure(info))
    return ofDummy(thing.symbol, open.argument, open.keyword);
  for (int specific : info.specifics)
    if (specific >= 0)
      ofDummy({thing.symbol.file, specific},
              open.argument + (info.kind == SymbolKind::Binding ? 1 : 0), open.keyword);
}

void Expected::ofDummy(SymbolRef procedure, int number, const std::string &keyword) {
  const Analysis &analysis = *procedure.file->analysis;
  const std::vector<int> &dummies = procedure.info().dummies;
  for (size_t i = 0; i < dummies.size(); ++i) {
    if (dummies[i] < 0)
      continue;
    const SymbolInfo &dummy = analysis.symbols[static_cast<size_t>(dummies[i])];
    if (keyword.empty() ? static_cast<int>(i) != number : lowerCase(dummy.name) != keyword)
      continue;
    Value value{dummy.type, !dummy.shape.empty(), {}, {}};
    bool byValue = has(dummy, "value"), kernel = isKernel(procedure.info());
    if (!byValue && !deviceCode && (dummy.dataAttributes & onBoth) == 0)
      value.device = kernel || (dummy.dataAttributes & onDevice) != 0;
    values.push_back(std::move(value));
  }
}

// "name%component(i) = ", and nothing behind that.
void Expected::ofAssignment(const VisibleNames &names, const CursorContext &context) {
  const std::vector<Token> &tokens = context.tokens;
  if (tokens.size() < 2 || !tokens.back().is("="))
    return;
  Designator designator = designatorBefore(tokens, tokens.size() - 1);
  if (designator.names.empty() || designator.begin != 0)
    return;
  if (NamedThing thing = names.resolve(designator.names); thing.symbol)
    values.push_back({thing.symbol.info().type, true, {}, {}});
}

double Expected::fit(const Value &value, const SymbolInfo &symbol) {
  if (!value.needs.empty())
    return has(symbol, value.needs) ? good : bad;
  double result = fitOfType(value.type, symbol.type);
  if (symbol.kind != SymbolKind::Variable)
    return result;
  if (value.array && symbol.shape.empty() && value.device)
    result *= bad;
  if (value.device && (symbol.dataAttributes & onBoth) == 0 &&
      (value.array || !symbol.shape.empty()))
    result *= *value.device == ((symbol.dataAttributes & onDevice) != 0) ? good : bad;
  return result;
}

double Expected::fit(const SymbolInfo &symbol) const {
  if (assigned && has(symbol, "intent(in)"))
    return bad;
  double result = values.empty() ? 1 : 0;
  for (const Value &value : values)
    result = std::max(result, fit(value, symbol));
  return result;
}

double Expected::fit(const std::string &resultType) const {
  double result = values.empty() ? 1 : 0;
  for (const Value &value : values)
    result = std::max(result, value.needs.empty() ? fitOfType(value.type, resultType) : bad);
  return result;
}

} // namespace cufc
