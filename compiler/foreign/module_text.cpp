// The parts of the text stand in the order in which flang needs them: constants of intrinsic types,
// types, other constants, variables, interfaces, generics, names that are private, procedures.
#include "foreign/module_text.h"
#include "foreign/declarations.h"
#include "foreign/plan_calls.h"
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace cufc::foreign {
namespace {

using Result = std::optional<std::string>;

class TextMaker {
public:
  TextMaker(const Module &module, const FindModule &find, Calls &calls, Restrictions &restrictions)
      : module(module), names(module, find), declarations(module, names), calls(calls),
        restrictions(restrictions) {}

  std::string run() {
    for (const auto &[number, symbol] : module.symbols)
      if (symbol.isType() && isDeclared(symbol))
        addType(symbol, 0);
    for (const auto &[number, symbol] : module.symbols)
      if (isDeclared(symbol))
        addSymbol(symbol);
    addCommons();
    for (const Generic &generic : module.generics)
      addGeneric(generic);
    names.useExported();
    std::string openings = nullPointers(); // what they declare is private
    return "module " + module.name + "\n" + names.useStatements() + openings + constants +
           declarations.targetInterfaces() + types + typedConstants + variables + interfaces +
           generics + privateNames() + (procedures.empty() ? "" : "contains\n" + procedures) +
           "end\n";
  }

private:
  bool isDeclared(const Symbol &symbol) const {
    return symbol.scope == 1 && !symbol.name.starts_with("__") && !symbol.name.starts_with("@") &&
           symbol.module != "(intrinsic)" && !symbol.has("VTYPE") && !symbol.has("IS_CLASS") &&
           names.isOwn(symbol);
  }

  std::string keyOf(const std::string &name) const { return module.name + "::" + name; }

  // The name is there, so that a message can tell what is wrong with it.
  void restrict(const std::string &name, const std::string &reason) {
    restrictions.names[keyOf(name)] = reason;
  }

  void addPrivate(const Symbol &symbol, const std::string &name) {
    if (!names.isPublic(symbol))
      hidden.insert(name);
  }

  // After the types that it consists of.
  void addType(const Symbol &symbol, int depth) {
    if (depth > 200 || !isDeclared(symbol) || !typesDone.insert(symbol.number).second)
      return;
    for (const Component &component : symbol.components)
      if (component.type.type == "DERIVED")
        if (const Symbol *part = module.find(component.type.derived))
          addType(*part, depth + 1);
    std::string name = names.nameOf(symbol);
    if (Result text = declarations.derivedType(symbol, name, restrictions)) {
      types += *text;
    } else {
      types += "type::" + name + "\nend type\n";
      restrict(name, "it has components of a kind or form that is not there");
    }
  }

  void addSymbol(const Symbol &symbol) {
    std::string_view flavor = symbol.attributes.flavor;
    if (flavor == "PARAMETER")
      addConstant(symbol);
    else if (flavor == "VARIABLE" && !symbol.has("IN_COMMON"))
      addVariable(symbol);
    else if (flavor == "NAMELIST")
      addNamelist(symbol);
    else if (symbol.isProcedure() &&
             !(symbol.has("GENERIC") && symbol.attributes.procedure == "UNKNOWN-PROC"))
      addProcedure(symbol);
  }

  void addConstant(const Symbol &symbol) {
    std::string name = names.nameOf(symbol);
    addPrivate(symbol, name);
    if (Result text = declarations.constant(symbol, name)) {
      (symbol.type.type == "DERIVED" ? typedConstants : constants) += *text;
    } else {
      constants += fmt::format("integer(4),parameter::{}=0_4\n", name);
      restrict(name, "its type or value has no equal in this compiler");
    }
  }

  // Whether gfortran keeps a variable behind a descriptor.
  static bool isDescribed(const Symbol &symbol) {
    return symbol.has("ALLOCATABLE") || symbol.has("POINTER") || symbol.type.type == "CLASS" ||
           symbol.has("PROC_POINTER") || symbol.type.deferred;
  }

  std::string reasonAgainst(const Symbol &symbol) const {
    if (isDescribed(symbol))
      if (std::string refused = planVariable(module, names, symbol).refused; !refused.empty())
        return refused;
    if (symbol.has("THREADPRIVATE"))
      return "each thread has its own, which gfortran finds in another way";
    if (symbol.has("CRAY_POINTER") || symbol.has("CRAY_POINTEE"))
      return "it is a Cray pointer";
    return "";
  }

  void addVariable(const Symbol &symbol) {
    std::string name = names.nameOf(symbol), reason = reasonAgainst(symbol);
    if (symbol.has("DUMMY") || symbol.has("RESULT"))
      return;
    addPrivate(symbol, name);
    Result text = declarations.variable(symbol, name);
    if (!text) {
      text = fmt::format("integer(4)::{}\n", name);
      reason = "its type has no equal in this compiler";
    }
    variables += *text;
    if (!reason.empty())
      restrict(name, reason);
    if (reason.empty() && isDescribed(symbol))
      calls.described[flangSymbol(names, symbol)] = {gfortranSymbol(symbol),
                                                     planVariable(module, names, symbol).facts};
    else
      calls.variables[flangSymbol(names, symbol)] = gfortranSymbol(symbol);
  }

  void addNamelist(const Symbol &symbol) {
    std::vector<std::string> members;
    for (int number : symbol.namelist) {
      const Symbol *member = module.find(number);
      std::string name = member && isDeclared(*member) ? names.nameOf(*member) : "";
      if (name.empty() || isDescribed(*member) || !reasonAgainst(*member).empty())
        return;
      members.push_back(name);
    }
    if (members.empty())
      return;
    generics += fmt::format("namelist/{}/{}\n", symbol.name, fmt::join(members, ","));
    addPrivate(symbol, symbol.name);
  }

  void addProcedure(const Symbol &symbol) {
    std::string name = names.nameOf(symbol);
    addPrivate(symbol, name);
    bool contained = symbol.attributes.source == "DECL";
    Result text = symbol.has("PROC_POINTER") ? std::nullopt
                                             : declarations.procedure(symbol, name, !contained);
    bool unknown = symbol.attributes.source == "UNKNOWN" && symbol.dummies.empty() && !contained;
    if (unknown && !symbol.has("PROC_POINTER")) {
      interfaces += "external::" + name + "\n";
      return;
    }
    Call call = planCall(module, names, symbol);
    if (!text) {
      interfaces += "interface\nsubroutine " + name + "()\nend\nend interface\n";
      restrict(name, symbol.has("PROC_POINTER") ? "it is a procedure pointer"
                     : !call.refused.empty()    ? call.refused
                                                : "its interface has no equal in this compiler");
      return;
    }
    if (contained)
      procedures += *text;
    else
      interfaces += (symbol.has("ABSTRACT") ? "abstract interface\n" : "interface\n") + *text +
                    "end interface\n";
    if (!symbol.has("ABSTRACT"))
      calls.procedures[flangSymbol(names, symbol)] = std::move(call);
  }

  void addCommons() {
    for (const Common &common : module.commons) {
      std::vector<std::string> members;
      std::string declared;
      bool good = !common.threadPrivate;
      std::set<int> seen;
      for (int number = common.first; number && seen.insert(number).second;) {
        const Symbol *member = module.find(number);
        if (!member)
          break;
        good &= isDeclared(*member) && !isDescribed(*member);
        std::string name = good ? names.nameOf(*member) : "";
        Result text = good ? declarations.variable(*member, name) : std::nullopt;
        good &= text.has_value();
        if (good && text) {
          declared += *text;
          members.push_back(name);
          addPrivate(*member, name);
        }
        number = member->nextInCommon;
      }
      if (!good || members.empty())
        continue;
      variables += declared + fmt::format("common/{}/{}\n", common.name, fmt::join(members, ","));
      if (common.bindC)
        variables += fmt::format("bind(c,name=\"{}\")::/{}/\n", common.label, common.name);
    }
  }

  void addGeneric(const Generic &generic) {
    std::string local = generic.name;
    bool isOperator = local.find('(') != std::string::npos;
    if (local.starts_with("_"))
      return; // of defined input and output
    std::string own;
    std::set<std::string> others;
    for (int number : generic.specifics) {
      const Symbol *specific = module.find(number);
      if (!specific || specific->isType() || (isOperator && isBound(number, local)))
        continue;
      if (!names.isOwn(*specific))
        others.insert(sourceModule(specific->module));
      else if (!restrictions.names.count(keyOf(names.nameOf(*specific))))
        own += "procedure::" + names.nameOf(*specific) + "\n";
    }
    if (!isOperator && !generic.module.empty() && sourceModule(generic.module) != module.name)
      others.insert(sourceModule(generic.module));
    for (const std::string &other : others)
      names.useGeneric(other, local, local);
    if (!own.empty())
      generics += "interface " + local + "\n" + own + "end interface\n";
  }

  // gfortran lists an operator's procedures that are bound to types, too.
  bool isBound(int procedure, const std::string &name) const {
    for (const auto &[number, type] : module.symbols)
      for (const Binding &binding : type.bindings)
        if (binding.specific == procedure)
          for (const Binding &generic : type.bindings)
            if (generic.name == name &&
                std::count(generic.specifics.begin(), generic.specifics.end(), binding.name) > 0)
              return true;
    return false;
  }

  std::string privateNames() const {
    std::string text;
    for (const std::set<std::string> &set : {hidden, names.hidden()})
      for (const std::string &name : set)
        text += "private::" + name + "\n";
    return text;
  }

  std::string nullPointers() {
    std::string text;
    for (auto [name, source] :
         {std::pair(nullPointer, "c_null_ptr"), std::pair(nullProcedurePointer, "c_null_funptr")})
      for (const std::string *part : {&types, &typedConstants, &variables})
        if (part->find(name) != std::string::npos) {
          text += fmt::format("use,intrinsic::iso_c_binding,only:{}=>{}\n", name, source);
          hidden.insert(name);
          break;
        }
    return text;
  }

  const Module &module;
  Names names;
  Declarations declarations;
  Calls &calls;
  Restrictions &restrictions;
  std::set<int> typesDone;
  std::set<std::string> hidden;
  std::string constants, types, typedConstants, variables, interfaces, generics, procedures;
};

} // namespace

std::string moduleText(const Module &module, const FindModule &find, Calls &calls,
                       Restrictions &restrictions) {
  return TextMaker(module, find, calls, restrictions).run();
}

} // namespace cufc::foreign
