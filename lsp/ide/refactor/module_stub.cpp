// A module that is not there, written from how its names are used: so that the rest of the program
// can be compiled and looked at. Its procedures stop the program when they are called.
#include "base/source_text.h"
#include "ide/refactor/stub_facts.h"
#include <algorithm>

namespace cufc {
namespace {

// The name in the USE statement at the place that no module has, or "".
std::string missingModuleAt(const ActionContext &context) {
  for (const CodeStatement &s :
       statementsIn(context, context.range.begin.line, context.range.begin.line)) {
    if (s.word != "use")
      continue;
    const Analysis &analysis = *context.file.analysis;
    for (const Diagnostic &diagnostic : analysis.diagnostics) {
      std::optional<TextRange> range = rangeNow(context, diagnostic.range);
      if (diagnostic.code == "CUF1103" && range && range->begin.line >= s.first &&
          range->begin.line <= s.last)
        return std::string(context.document().slice(wordAt(context.document(), range->begin)));
    }
  }
  return {};
}

std::string colons(size_t rank) {
  std::string text;
  for (size_t i = 0; i < rank; ++i)
    text += i > 0 ? ",:" : ":";
  return text;
}

class StubText {
public:
  StubText(const std::string &module, const StubFacts &facts, const std::string &blanks)
      : module(module), facts(facts), blanks(blanks) {}

  std::string text() {
    line(0, "! A stub, made from how its names are used. Values are placeholders.");
    line(0, "module " + module);
    line(1, "implicit none");
    section({StubName::KindNumber, StubName::Constant});
    for (const auto &[type, components] : facts.components)
      if (!facts.names.contains(type))
        writeType(type, type);
    section({StubName::Type});
    section({StubName::Variable, StubName::Unknown});
    bool procedures = std::any_of(facts.names.begin(), facts.names.end(), [](const auto &row) {
      return row.second.kind == StubName::Function || row.second.kind == StubName::Subroutine;
    });
    if (procedures)
      line(0, "contains");
    section({StubName::Function, StubName::Subroutine});
    line(0, "end module " + module);
    result.pop_back();
    return result;
  }

private:
  void line(size_t depth, const std::string &text) {
    result += blanks + std::string(2 * depth, ' ') + text + "\n";
  }
  void section(std::initializer_list<StubName::Kind> kinds) {
    for (const std::string &word : facts.order) {
      const StubName &name = facts.names.at(word);
      if (std::find(kinds.begin(), kinds.end(), name.kind) != kinds.end())
        write(word, name);
    }
  }

  void write(const std::string &word, const StubName &name) {
    switch (name.kind) {
    case StubName::KindNumber:
      line(1, "integer, parameter :: " + name.spelling + " = " +
                  (name.integerKind ? name.realKind ? "8" : "4" : "kind(1.0d0)"));
      break;
    case StubName::Constant:
      line(1, "integer, parameter :: " + name.spelling + " = 1");
      break;
    case StubName::Type:
      writeType(word, name.spelling);
      break;
    case StubName::Function:
    case StubName::Subroutine:
      writeProcedure(name);
      break;
    case StubName::Unknown: // named by ONLY, and used nowhere
    case StubName::Variable:
      line(1, typeOf(name) + (name.rank > 0 ? ", allocatable" : "") + " :: " + name.spelling +
                  (name.rank > 0 ? "(" + colons(name.rank) + ")" : ""));
      break;
    }
  }

  static std::string typeOf(const StubName &name) {
    std::string type = name.type.empty() ? typeByLetter(name.spelling) : name.type;
    bool text = type.starts_with("character");
    return text && name.rank > 0 ? "character(len=80)" : type;
  }

  // What a function returns that nobody comes back from; null for derived types.
  static const char *valueOf(const std::string &type) {
    std::string word = lowerCase(type);
    return word.starts_with("logical")                             ? ".false."
           : word.starts_with("character")                         ? "''"
           : word.starts_with("type") || word.starts_with("class") ? nullptr
                                                                   : "0";
  }

  void writeType(const std::string &word, const std::string &spelling) {
    // Other types of the stub that components have come before it.
    if (std::find(written.begin(), written.end(), word) != written.end())
      return;
    written.push_back(word);
    auto components = facts.components.find(word);
    std::string body;
    if (components != facts.components.end()) {
      for (const auto &[name, row] : components->second)
        for (const auto &[other, of] : facts.components)
          if (lowerCase(row.type) == "type(" + other + ")" && other != word)
            writeType(other, other);
      for (const std::string &name : facts.componentOrder.at(word)) {
        const StubName &row = components->second.at(name);
        body += blanks + "    " + typeOf(row) + (row.rank > 0 ? ", allocatable" : "") +
                " :: " + row.spelling + (row.rank > 0 ? "(" + colons(row.rank) + ")" : "") + "\n";
      }
    }
    line(1, "type :: " + spelling);
    result += body;
    line(1, "end type " + spelling);
  }

  // Dummies that each call can serve: as many as the longest has, then those named by keywords.
  void writeProcedure(const StubName &name) {
    struct Dummy {
      std::string name, type;
      size_t given = 0; // by how many calls
    };
    std::vector<Dummy> dummies;
    auto find = [&](const std::string &word) {
      return std::find_if(dummies.begin(), dummies.end(), [&](const Dummy &dummy) {
        return lowerCase(dummy.name) == lowerCase(word);
      });
    };
    for (const auto &call : name.calls)
      for (size_t i = 0; i < call.size() && call[i].keyword.empty(); ++i) {
        if (i >= dummies.size())
          dummies.push_back({"arg" + std::to_string(i + 1), call[i].type});
        ++dummies[i].given;
      }
    for (const auto &call : name.calls)
      for (const StubArgument &argument : call) {
        if (argument.keyword.empty())
          continue;
        auto dummy = find(argument.keyword);
        if (dummy == dummies.end())
          dummy = dummies.insert(dummies.end(), {argument.keyword, argument.type});
        ++dummy->given;
      }
    std::string list;
    for (const Dummy &dummy : dummies)
      list += (list.empty() ? "" : ", ") + dummy.name;
    bool function = name.kind == StubName::Function;
    std::string type = typeOf(name);
    type.resize(std::min(type.find(", allocatable"), type.size()));
    if (type == "character(len=:)")
      type = "character(len=80)";
    const std::string word = function ? "function " : "subroutine ";
    line(1, word + name.spelling + "(" + list + ")" + (function ? " result(stub_result)" : ""));
    for (const Dummy &dummy : dummies) {
      std::string optional = dummy.given < name.calls.size() ? ", optional" : "";
      std::string type = dummy.type == "external" ? "procedure()" : dummy.type;
      line(2, (type.empty() ? "type(*), dimension(..)" : type) + optional + " :: " + dummy.name);
    }
    if (function)
      line(2, type + " :: stub_result");
    if (function)
      if (const char *value = valueOf(type))
        line(2, std::string("stub_result = ") + value);
    line(2, "error stop '" + name.spelling + " of module " + module + " is a stub'");
    line(1, "end " + word + name.spelling);
  }

  const std::string &module;
  const StubFacts &facts;
  const std::string blanks;
  std::string result;
  std::vector<std::string> written; // types
};

} // namespace

Refactored makeModuleStub(const ActionContext &context, const RefactoringWish &) {
  const std::string module = missingModuleAt(context);
  if (module.empty())
    return refused(Refusal::ModuleIsThere);
  UnitAround unit = unitAround(context, context.range.begin, true);
  if (!unit)
    return refused(Refusal::NoProcedure);
  StubFacts facts = stubFacts(context, lowerCase(module));
  if (!facts.unclear.empty())
    return refused(Refusal::NoStub, module, facts.unclear);
  if (facts.order.empty())
    return refused(Refusal::NothingUsed, module);
  int first = unit.firstLine; // with the comment of the unit
  while (first > 1 && trimmed(context.document().line(first - 1)).starts_with("!"))
    --first;
  std::string blanks = indentationOf(context.document(), unit.firstLine);
  Refactored change;
  change.title = "write a stub of module '" + module + "'";
  change.edits[context.file.path] = {
      linesAbove(first, StubText(module, facts, blanks).text() + "\n")};
  return change;
}

} // namespace cufc
