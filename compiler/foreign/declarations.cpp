// See declarations.h. The order of declarations matters to flang where one's bounds name another.
#include "foreign/declarations.h"
#include "foreign/plan_calls.h"
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace cufc::foreign {
namespace {

using Result = std::optional<std::string>;

// The symbol that says what a function returns.
const Symbol *resultOf(const Module &module, const Symbol &procedure) {
  if (!procedure.isFunction())
    return nullptr;
  const Symbol *result = module.find(procedure.result);
  return result && !result->isProcedure() ? result : &procedure;
}

// A dummy argument's declaration, and the dummies that it names.
struct DummyText {
  std::string text;
  std::set<int> mentions;
  bool done = false;
};

// What is mentioned stands before.
void appendInOrder(std::map<int, DummyText> &dummies, int number, std::string &text) {
  auto found = dummies.find(number);
  if (found == dummies.end() || found->second.done)
    return;
  found->second.done = true;
  for (int other : found->second.mentions)
    appendInOrder(dummies, other, text);
  text += found->second.text + "\n";
}

const char *intentText(const Symbol &symbol) {
  std::string_view intent = symbol.attributes.intent;
  return intent == "IN"      ? ",intent(in)"
         : intent == "OUT"   ? ",intent(out)"
         : intent == "INOUT" ? ",intent(inout)"
                             : "";
}

} // namespace

Declarations::Declarations(const Module &module, Names &names)
    : module(module), names(names), layout(module), nameOf([this](const Symbol &symbol) {
        if (symbol.has("DUMMY"))
          mentioned.insert(symbol.number);
        return this->names.nameOf(symbol);
      }) {}

Result Declarations::typeText(const TypeSpec &type, bool isDummy) {
  if (type.type == "CHARACTER") {
    if (type.deferred)
      return "character(len=:)";
    if (!type.length)
      return isDummy ? Result("character(len=*)") : std::nullopt;
    Result length = expressionText(module, type.length, nameOf);
    return length ? Result("character(len=" + *length + ")") : std::nullopt;
  }
  if (type.type == "DERIVED" || type.type == "CLASS") {
    const Symbol *symbol = module.find(type.derived);
    if (type.type == "CLASS" && symbol) {
      if (symbol->has("UNLIMITED_POLY") || symbol->name.starts_with("__class__STAR"))
        return "class(*)";
      symbol = symbol->components.empty() ? nullptr
                                          : module.find(symbol->components.front().type.derived);
    }
    std::string name = symbol ? nameOf(*symbol) : "";
    if (name.empty())
      return std::nullopt;
    return fmt::format("{}({})", type.type == "CLASS" ? "class" : "type", name);
  }
  if (type.type == "ASSUMED")
    return "type(*)";
  if (!missingType(module, type).empty())
    return std::nullopt;
  for (std::string_view known : {"INTEGER", "REAL", "COMPLEX", "LOGICAL"})
    if (type.type == known)
      return fmt::format("{}({})",
                         known == "INTEGER"   ? "integer"
                         : known == "REAL"    ? "real"
                         : known == "COMPLEX" ? "complex"
                                              : "logical",
                         type.kind);
  return std::nullopt;
}

Result Declarations::arrayText(const ArraySpec &array) {
  if (array.form.empty())
    return "";
  if (array.corank > 0)
    return std::nullopt;
  if (array.form == "ASSUMED_RANK")
    return "(..)";
  std::string text;
  for (size_t at = 0; at < array.bounds.size(); ++at) {
    auto [lower, upper] = array.bounds[at];
    bool last = at + 1 == array.bounds.size();
    std::string one = ":";
    if (array.form != "DEFERRED" && lower) {
      Result begin = expressionText(module, lower, nameOf);
      if (!begin)
        return std::nullopt;
      one = *begin + ":";
    }
    if (array.form == "ASSUMED_SIZE" && last) {
      one += "*";
    } else if (array.form == "EXPLICIT" || array.form == "ASSUMED_SIZE") {
      Result end = expressionText(module, upper, nameOf);
      if (!end)
        return std::nullopt;
      one += *end;
    }
    text += (at ? "," : "") + one;
  }
  return "(" + text + ")";
}

Result Declarations::declaration(const Symbol &symbol, const std::string &name) {
  Result type =
      typeText(symbol.type, symbol.has("DUMMY") || symbol.has("RESULT") || symbol.isFunction());
  if (!type)
    return std::nullopt;
  ArraySpec array = symbol.array;
  bool allocatable = symbol.has("ALLOCATABLE"), pointer = symbol.has("POINTER");
  if (symbol.type.type == "CLASS")
    if (const Symbol *container = module.find(symbol.type.derived);
        container && !container->components.empty()) {
      const Component &data = container->components.front();
      array = data.array;
      allocatable = data.attributes.has("ALLOCATABLE");
      pointer = data.attributes.has("CLASS_POINTER");
    }
  Result bounds = arrayText(array);
  if (!bounds)
    return std::nullopt;
  std::string text = *type + intentText(symbol);
  text += allocatable ? ",allocatable" : pointer ? ",pointer" : "";
  for (const char *attribute :
       {"optional", "value", "target", "contiguous", "volatile", "asynchronous", "protected"}) {
    std::string capital(attribute);
    std::transform(capital.begin(), capital.end(), capital.begin(), ::toupper);
    if (symbol.has(capital))
      text += fmt::format(",{}", attribute);
  }
  return text + "::" + name + *bounds;
}

Result Declarations::variable(const Symbol &symbol, const std::string &name) {
  Result text = declaration(symbol, name);
  if (text && symbol.has("IS_BIND_C")) {
    std::string bind =
        fmt::format(",bind(c,name=\"{}\")::", symbol.label.empty() ? symbol.name : symbol.label);
    text->replace(text->find("::"), 2, bind);
  }
  return text ? Result(*text + "\n") : std::nullopt;
}

Result Declarations::constant(const Symbol &symbol, const std::string &name) {
  Result type = typeText(symbol.type, false), bounds = arrayText(symbol.array),
         value = expressionText(module, symbol.value, nameOf);
  if (!type || !bounds || !value)
    return std::nullopt;
  return fmt::format("{},parameter::{}{}={}\n", *type, name, *bounds, *value);
}

std::string Declarations::heading(const Symbol &symbol, const std::string &name,
                                  const Symbol *result, bool isDummy) const {
  std::string text;
  if (symbol.has("ELEMENTAL"))
    text += symbol.has("PURE") ? "elemental " : "impure elemental ";
  if (symbol.has("PURE"))
    text += "pure ";
  if (symbol.has("RECURSIVE"))
    text += "recursive ";
  text += fmt::format("{} {}(", result ? "function" : "subroutine", name);
  bool first = true;
  for (int number : symbol.dummies)
    if (const Symbol *dummy = module.find(number)) {
      text += (first ? "" : ",") + dummy->name;
      first = false;
    }
  text += ")";
  if (symbol.has("IS_BIND_C") && (isDummy || symbol.has("ABSTRACT")))
    text += " bind(c)"; // what is no procedure has no binding label
  else if (symbol.has("IS_BIND_C"))
    text += fmt::format(" bind(c,name=\"{}\")", symbol.label.empty() ? symbol.name : symbol.label);
  if (result && result != &symbol)
    text += fmt::format(" result({})", result->name);
  return text + "\n";
}

Result Declarations::procedure(const Symbol &symbol, const std::string &name, bool inInterface,
                               int depth) {
  const Symbol *result = resultOf(module, symbol);
  std::string text = heading(symbol, name, result, depth > 0);
  if (inInterface)
    text += "import\n";
  if (depth > 5 || std::count(symbol.dummies.begin(), symbol.dummies.end(), 0) > 0)
    return std::nullopt;
  Result declared = dummies(symbol, depth);
  if (!declared)
    return std::nullopt;
  text += *declared;
  if (result) {
    Result type = declaration(*result, result == &symbol ? name : result->name);
    if (!type)
      return std::nullopt;
    text += *type + "\n";
  }
  return text + "end\n";
}

Result Declarations::dummies(const Symbol &procedure, int depth) {
  std::map<int, DummyText> texts;
  for (int number : procedure.dummies) {
    const Symbol *dummy = module.find(number);
    if (!dummy)
      return std::nullopt;
    mentioned.clear();
    Result text =
        dummy->isProcedure() ? dummyProcedure(*dummy, depth) : declaration(*dummy, dummy->name);
    if (!text)
      return std::nullopt;
    texts[number] = {*text, dummy->isProcedure() ? std::set<int>{} : mentioned, false};
  }
  std::string result;
  for (int number : procedure.dummies)
    appendInOrder(texts, number, result);
  return result;
}

Result Declarations::dummyProcedure(const Symbol &dummy, int depth) {
  std::string attributes = dummy.has("OPTIONAL") ? "\noptional::" + dummy.name : "";
  const Symbol &interface = module.interfaceOf(dummy);
  if (interface.attributes.source == "UNKNOWN" && interface.dummies.empty()) {
    std::string text = "external::" + dummy.name + attributes;
    if (!dummy.isFunction() || dummy.type.type == "UNKNOWN")
      return text;
    Result type = typeText(dummy.type, true);
    return type ? Result(*type + "::" + dummy.name + "\n" + text) : std::nullopt;
  }
  if (dummy.has("PROC_POINTER"))
    attributes += "\npointer::" + dummy.name;
  if (dummy.attributes.intent != "UNKNOWN-INTENT")
    if (const char *intent = intentText(dummy); *intent)
      attributes += "\n" + std::string(intent + 1) + "::" + dummy.name;
  Result body = procedure(interface, dummy.name, true, depth + 1);
  return body ? Result("interface\n" + *body + "end interface" + attributes) : std::nullopt;
}

// A pointer to a procedure of the library is a pointer for flang too, so that variables begin as
// gfortran's do. Only the library calls through it: what it points to has no arguments here, and
// the library's own name.
Result Declarations::pointsFromBeginning(const Component &component) {
  ListReader value = module.reader(component.initial).list();
  if (value.name() != "VARIABLE")
    return std::nullopt;
  value.list();    // the type
  value.integer(); // the rank
  const Symbol *target = module.find(static_cast<int>(value.integer()));
  if (!target || !target->isProcedure())
    return std::nullopt;
  std::string name = fmt::format("cufc_target_{}", targets.size());
  name = targets.try_emplace(gfortranSymbol(*target), name).first->second;
  return fmt::format("procedure({2}),pointer,nopass{0}::{1}=>{2}\n",
                     component.isPrivate ? ",private" : "", component.name, name);
}

std::string Declarations::targetInterfaces() const {
  std::string text;
  for (const auto &[symbol, name] : targets)
    text += fmt::format("interface\nsubroutine {0}() bind(c,name=\"{1}\")\nend\nend "
                        "interface\nprivate::{0}\n",
                        name, symbol);
  return text;
}

Result Declarations::component(const Component &component) {
  if (component.attributes.has("PROC_POINTER") && component.initial &&
      module.reader(component.initial).list().name() != "NULL")
    return pointsFromBeginning(component);
  std::string access = component.isPrivate ? ",private" : "";
  if (layout.isOpaque(component)) {
    std::optional<Extent> extent = layout.ofComponent(component);
    if (!extent)
      return std::nullopt;
    return fmt::format("integer(8){}::{}(1_8:{}_8)=0_8\n", access, component.name,
                       extent->bytes / 8);
  }
  Result type = typeText(component.type, false), bounds = arrayText(component.array);
  if (!type || !bounds)
    return std::nullopt;
  std::string text = *type + access + "::" + component.name + *bounds;
  if (component.initial) {
    Result value = expressionText(module, component.initial, nameOf);
    if (!value)
      return std::nullopt;
    text += "=" + *value;
  } else if (component.name.starts_with("_")) {
    text += "=0"; // gfortran's own: the length of a string that is not allocated yet
  }
  return text + "\n";
}

Result Declarations::derivedType(const Symbol &symbol, const std::string &name,
                                 Restrictions &restrictions) {
  if (!layout.ofType(symbol.number))
    return std::nullopt;
  std::string text = "type", key = names.moduleOf(symbol) + "::" + name;
  auto first = symbol.components.begin();
  if (symbol.attributes.extension > 0 && first != symbol.components.end()) {
    const Symbol *parent = module.find(first->type.derived);
    std::string parentName = parent ? nameOf(*parent) : "";
    if (parentName.empty())
      return std::nullopt;
    text += fmt::format(",extends({})", parentName);
    ++first;
  }
  text += symbol.has("ABSTRACT") ? ",abstract" : "";
  text += symbol.has("IS_BIND_C") ? ",bind(c)" : "";
  text += "::" + name + "\n";
  text += symbol.has("SEQUENCE") ? "sequence\n" : "";
  for (auto at = first; at != symbol.components.end(); ++at) {
    Result one = component(*at);
    if (!one)
      return std::nullopt;
    text += *one;
    if (layout.isOpaque(*at))
      restrictions.names[key + "%" + at->name] =
          "gfortran keeps allocatable, pointer and polymorphic components in a form of its own";
  }
  if (layout.ownsMemory(symbol.number))
    restrictions.assignments[key] = name;
  Result bound = bindings(symbol);
  if (!bound)
    return std::nullopt;
  return text + *bound + "end type\n";
}

bool Declarations::canDeclare(const Symbol &symbol) {
  auto [at, isNew] = declared.try_emplace(symbol.number, false);
  if (isNew)
    at->second = !nameOf(symbol).empty() && procedure(symbol, symbol.name, false).has_value();
  return at->second;
}

// What is bound to a procedure that has no equal is left out, and so is what nobody outside of the
// module can name: private bindings that no public generic leads to.
Result Declarations::bindings(const Symbol &type) {
  std::string text;
  std::set<std::string> missing, reached;
  for (const Binding &binding : type.bindings)
    if (binding.generic && !binding.isPrivate)
      reached.insert(binding.specifics.begin(), binding.specifics.end());
  for (const Binding &binding : type.bindings)
    if (binding.isPrivate && !binding.deferred && reached.count(binding.name) == 0)
      missing.insert(binding.name);
  for (const Binding &binding : type.bindings)
    if (const Symbol *specific = module.find(binding.specific);
        !binding.generic && (!specific || !canDeclare(*specific)))
      missing.insert(binding.name);
  for (const Binding &binding : type.bindings) {
    if (binding.name.empty() || binding.name.starts_with("_") || missing.count(binding.name) > 0)
      continue;
    std::string access = binding.isPrivate ? ",private" : "";
    if (binding.generic) {
      std::vector<std::string> specifics;
      for (const std::string &specific : binding.specifics)
        if (missing.count(specific) == 0)
          specifics.push_back(specific);
      if (!specifics.empty())
        text += fmt::format("generic{}::{}=>{}\n", access, binding.name, fmt::join(specifics, ","));
      continue;
    }
    std::string name = nameOf(*module.find(binding.specific));
    std::string attributes = access;
    attributes += binding.nonOverridable ? ",non_overridable" : "";
    attributes += binding.nopass          ? ",nopass"
                  : !binding.pass.empty() ? ",pass(" + binding.pass + ")"
                                          : "";
    text += binding.deferred
                ? fmt::format("procedure({}),deferred{}::{}\n", name, attributes, binding.name)
                : fmt::format("procedure{}::{}=>{}\n", attributes, binding.name, name);
  }
  for (int number : type.finals)
    if (const Symbol *final = module.find(number); final && canDeclare(*final))
      text += fmt::format("final::{}\n", nameOf(*final));
  return text.empty() ? text : "contains\n" + text;
}

} // namespace cufc::foreign
