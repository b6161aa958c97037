// The innermost open bracket that belongs to something with arguments counts: in "call f(a, (b + "
// that of f.
#include "ide/signature_help.h"
#include "base/source_text.h"
#include "ide/cursor_context.h"
#include "ide/declaration.h"
#include "ide/hover.h"
#include "ide/visible_names.h"
#include <algorithm>

namespace cufc {
namespace {

void addParameter(Signature &signature, const std::string &text, const std::string &name,
                  std::string documentation) {
  if (!signature.parameters.empty())
    signature.label += ", ";
  int begin = static_cast<int>(signature.label.size());
  signature.label += text;
  signature.parameters.push_back(
      {begin, static_cast<int>(signature.label.size()), lowerCase(name), std::move(documentation)});
}

bool has(const SymbolInfo &symbol, std::string_view attribute) {
  return std::find(symbol.attributes.begin(), symbol.attributes.end(), attribute) !=
         symbol.attributes.end();
}

const SymbolInfo *rowOf(const Analysis &analysis, int symbol) {
  return symbol < 0 ? nullptr : &analysis.symbols[static_cast<size_t>(symbol)];
}

std::string aboutDummy(const Analysis &analysis, const SymbolInfo &dummy) {
  std::string text = "```cuf\n" + declarationOf(analysis, dummy) + "\n```";
  if (std::string memory = memoryOf(dummy); !memory.empty())
    text += "\n" + memory;
  return dummy.documentation.empty() ? text : text + "\n\n" + dummy.documentation;
}

// `skip`: dummies that the call does not write, the passed object.
Signature ofProcedure(SymbolRef procedure, const std::string &name, size_t skip) {
  const Analysis &analysis = *procedure.file->analysis;
  const SymbolInfo &info = procedure.info();
  Signature signature;
  signature.documentation = info.documentation;
  signature.label = name + "(";
  for (size_t i = skip; i < info.dummies.size(); ++i) {
    const SymbolInfo *dummy = rowOf(analysis, info.dummies[i]);
    if (!dummy)
      addParameter(signature, "*", "*", "label to return to");
    else
      addParameter(signature, has(*dummy, "optional") ? "[" + dummy->name + "]" : dummy->name,
                   dummy->name, aboutDummy(analysis, *dummy));
  }
  signature.label += ")";
  const SymbolInfo *result = rowOf(analysis, info.result);
  if (std::string type = result ? result->type : info.type;
      info.kind == SymbolKind::Function && !type.empty())
    signature.label += " -> " + type;
  return signature;
}

Signature ofConstructor(const VisibleNames &names, const TypeRef &type, const std::string &name) {
  Signature signature;
  signature.label = name + "(";
  for (SymbolRef member : names.membersOf(type))
    if (member.info().kind == SymbolKind::Component)
      addParameter(signature, member.info().name, member.info().name,
                   aboutDummy(*member.file->analysis, member.info()));
  if (type.entry)
    for (const ApiArgument &component : type.entry->components)
      addParameter(signature, component.name, component.name,
                   component.type + (component.about.empty() ? "" : ": ") + component.about);
  signature.label += ") -> type(" + name + ")";
  return signature;
}

std::string aboutArgument(const ApiArgument &argument) {
  std::string text = argument.type;
  if (!argument.intent.empty() && argument.intent != "in")
    text += std::string(text.empty() ? "" : ", ") + "intent(" + argument.intent + ")";
  if (argument.optional)
    text += std::string(text.empty() ? "" : ", ") + "optional";
  if (!argument.about.empty())
    text += (text.empty() ? "" : ": ") + argument.about;
  return argument.unit.empty() ? text : text + " (" + argument.unit + ")";
}

std::vector<Signature> ofEntry(const ApiEntry &entry) {
  std::vector<std::vector<int>> forms = entry.forms;
  if (forms.empty()) {
    forms.emplace_back();
    for (size_t i = 0; i < entry.arguments.size(); ++i)
      forms.back().push_back(static_cast<int>(i));
  }
  std::vector<Signature> result;
  for (const std::vector<int> &form : forms) {
    Signature signature;
    bool launch = entry.kind == ApiKind::Launch;
    signature.documentation = entry.summary;
    signature.label = launch ? entry.name : entry.name + "(";
    for (int number : form) {
      const ApiArgument &argument = entry.arguments[static_cast<size_t>(number)];
      addParameter(signature, argument.optional ? "[" + argument.name + "]" : argument.name,
                   argument.name, aboutArgument(argument));
    }
    signature.label += launch ? ">>>" : ")";
    if (!entry.result.empty())
      signature.label += " -> " + entry.result;
    result.push_back(std::move(signature));
  }
  return result;
}

void ofSymbol(const VisibleNames &names, SymbolRef symbol, const std::string &name,
              std::vector<Signature> &result) {
  const SymbolInfo &info = symbol.info();
  const Analysis &analysis = *symbol.file->analysis;
  if (isProcedure(info) && (!info.dummies.empty() || info.ownScope >= 0 || info.declared.file >= 0))
    result.push_back(ofProcedure(symbol, name, 0));
  else if (info.kind == SymbolKind::DerivedType)
    result.push_back(ofConstructor(names, {symbol, nullptr}, name));
  else if (info.kind == SymbolKind::Generic || info.kind == SymbolKind::Binding)
    for (int specific : info.specifics)
      if (const SymbolInfo *row = rowOf(analysis, specific)) {
        SymbolRef procedure{symbol.file, specific};
        bool bound = info.kind == SymbolKind::Binding && !has(info, "nopass");
        if (row->kind == SymbolKind::Binding)
          ofSymbol(names, procedure, name, result);
        else
          result.push_back(ofProcedure(procedure, name, bound && !row->dummies.empty() ? 1 : 0));
      }
}

std::vector<Signature> signaturesOf(const Query &query, const VisibleNames &names,
                                    const ApiTable &api, const CursorContext &context,
                                    const OpenBracket &open) {
  std::vector<Signature> result;
  if (open.kind == '<') {
    const ApiEntry *entry = api.find("<<<");
    return entry ? ofEntry(*entry) : result;
  }
  Designator designator = designatorBefore(context.tokens, open.token);
  if (open.kind != '(' || designator.names.empty())
    return result;
  const Token &nameToken = context.tokens[open.token - 1];
  NamedThing thing = names.resolve(designator.names);
  std::string name = nameToken.kind == Token::Name
                         ? context.statement.substr(nameToken.begin, nameToken.text.size())
                     : thing.symbol ? thing.symbol.info().name // behind a launch configuration
                                    : designator.names.back();
  if (thing.symbol)
    if (const ApiEntry *entry = entryOf(query.workspace, thing.symbol, api))
      thing = {{}, entry};
  if (thing.symbol)
    ofSymbol(names, thing.symbol, name, result);
  else if (designator.names.size() == 1)
    for (const ApiEntry *entry : api.findAll(designator.names[0])) {
      bool visible = !needsUse(*entry) || names.isUsed(*entry);
      if (entry->isProcedure() && (visible || result.empty()))
        for (Signature &signature : ofEntry(*entry))
          result.push_back(std::move(signature));
      else if (entry->kind == ApiKind::Type && result.empty())
        result.push_back(ofConstructor(names, {{}, entry}, name));
    }
  return result;
}

int parameterOf(const Signature &signature, const OpenBracket &open) {
  if (open.keyword.empty() && !open.used.empty())
    return -1; // behind keywords another keyword must come, which is not written yet
  if (open.keyword.empty())
    return open.argument < static_cast<int>(signature.parameters.size()) ? open.argument : -1;
  for (size_t i = 0; i < signature.parameters.size(); ++i)
    if (signature.parameters[i].name == open.keyword)
      return static_cast<int>(i);
  return -1;
}

// The first that has room for what is written: all keywords, and enough dummies.
int bestOf(const std::vector<Signature> &signatures, const OpenBracket &open) {
  auto knows = [](const Signature &signature, const std::string &keyword) {
    return std::any_of(signature.parameters.begin(), signature.parameters.end(),
                       [&](const SignatureParameter &p) { return p.name == keyword; });
  };
  for (size_t i = 0; i < signatures.size(); ++i) {
    bool fits = static_cast<int>(signatures[i].parameters.size()) > open.argument;
    for (const std::string &keyword : open.used)
      fits = fits && knows(signatures[i], keyword);
    if (fits && (open.keyword.empty() || knows(signatures[i], open.keyword)))
      return static_cast<int>(i);
  }
  return 0;
}

bool isDefinition(const CursorContext &context) {
  return std::any_of(context.tokens.begin(), context.tokens.end(), [](const Token &token) {
    return token.is("subroutine") || token.is("function");
  });
}

} // namespace

std::optional<SignatureHelp> signatureHelp(const Query &query, const ApiTable &api) {
  CursorContext context = cursorContext(query.file, query.position);
  if (!context.code || isDefinition(context))
    return std::nullopt;
  VisibleNames names(query, api);
  if (!context.prefix.empty() && !context.open.empty() && context.next == '=') {
    OpenBracket &open = context.open.back(); // the cursor is in the keyword
    if (open.argumentBegin == context.tokens.size())
      open.keyword = lowerCase(query.document().slice(context.word));
  }
  for (size_t i = context.open.size(); i-- > 0;) {
    SignatureHelp help;
    const OpenBracket &open = context.open[i];
    help.signatures = signaturesOf(query, names, api, context, open);
    if (help.signatures.empty())
      continue;
    for (Signature &signature : help.signatures)
      signature.active = parameterOf(signature, open);
    help.active = bestOf(help.signatures, open);
    return help;
  }
  return std::nullopt;
}

} // namespace cufc
