// Both compilers pass addresses, and lengths of strings at the end. They differ in descriptors, in
// derived types as results, and in what is optional and passed by value.
#include "foreign/plan_calls.h"
#include "foreign/expression_text.h"
#include "foreign/literals.h"
#include <algorithm>
#include <fmt/format.h>

namespace cufc::foreign {
namespace {

constexpr int firstDescriptorVersion = 15; // of module files: gfortran 8

// The array and attributes of an object; those of a polymorphic one are its container's.
struct Shape {
  ArraySpec array;
  bool allocatable = false, pointer = false;
};

bool isPolymorphic(const Symbol &symbol) { return symbol.type.type == "CLASS"; }

const Component *dataOf(const Module &module, const TypeSpec &type) {
  const Symbol *container = module.find(type.derived);
  return container && !container->components.empty() ? &container->components.front() : nullptr;
}

Shape shapeOf(const Module &module, const Symbol &symbol) {
  const Component *data = isPolymorphic(symbol) ? dataOf(module, symbol.type) : nullptr;
  if (!data)
    return {symbol.array, symbol.has("ALLOCATABLE"), symbol.has("POINTER")};
  return {data->array, data->attributes.has("ALLOCATABLE"), data->attributes.has("CLASS_POINTER")};
}

class Planner {
public:
  Planner(const Module &module, const Names &names, const Symbol &procedure, int depth = 0)
      : module(module), names(names), procedure(procedure), layout(module), depth(depth) {}

  Call run() {
    call.display = fmt::format("{}::{}", names.moduleOf(procedure), procedure.name);
    call.target = gfortranSymbol(procedure);
    bindC = procedure.has("IS_BIND_C");
    bool stringsBefore = false;
    for (int number : procedure.dummies) {
      const Symbol *dummy = module.find(number);
      if (!dummy) {
        refuse("alternate returns are passed in another way");
        break;
      }
      Passed passed = plan(*dummy);
      if (passed.passing == Passing::Optional && stringsBefore)
        refuse(
            fmt::format("gfortran's versions differ in where they expect the flag of '{}', which "
                        "is OPTIONAL and VALUE, beside lengths of strings",
                        dummy->name));
      stringsBefore |= passed.character;
      call.adapted |= passed.passing != Passing::Same;
      call.dummies.push_back(std::move(passed));
    }
    if (procedure.isFunction())
      planResult();
    call.adapted |= call.form != ResultForm::Same;
    return std::move(call);
  }

  VariablePlan runVariable() {
    VariablePlan plan;
    Passed &passed = plan.facts;
    const TypeSpec &type = procedure.type;
    passed.name = procedure.name;
    passed.type = std::string(type.type);
    passed.kind = type.kind;
    passed.rank = procedure.array.rank;
    passed.allocatable = procedure.has("ALLOCATABLE");
    passed.pointer = procedure.has("POINTER");
    passed.bytes = elementBytes(type);
    if (const Symbol *derived = module.find(type.derived); type.type == "DERIVED" && derived)
      passed.types.push_back(tablesOf(*derived));
    bool unknownLength = type.type == "CHARACTER" && passed.bytes == 0 && !type.deferred;
    if (type.type == "CLASS" || type.deferred || procedure.has("PROC_POINTER"))
      plan.refused =
          "gfortran keeps polymorphic variables, strings of deferred length and procedure "
          "pointers in a form of its own";
    else if (module.version < firstDescriptorVersion)
      plan.refused =
          "gfortran had another form of allocatable and pointer variables before version 8";
    else if (procedure.has("IS_BIND_C") || procedure.array.corank > 0 || unknownLength)
      plan.refused = "it is allocatable or a pointer, and BIND(C), a coarray or a string of an "
                     "unknown length";
    return plan;
  }

private:
  void refuse(std::string reason) {
    if (call.refused.empty())
      call.refused = std::move(reason);
  }

  void refuseDummy(const Symbol &dummy, const std::string &reason) {
    refuse(fmt::format("its argument '{}' {}", dummy.name, reason));
  }

  Passed plan(const Symbol &dummy) {
    Passed passed;
    passed.name = dummy.name;
    passed.optional = dummy.has("OPTIONAL");
    passed.intentIn = dummy.attributes.intent == "IN";
    passed.intentOut = dummy.attributes.intent == "OUT";
    passed.contiguous = dummy.has("CONTIGUOUS");
    if (dummy.isProcedure()) {
      planProcedure(dummy);
      return passed;
    }
    std::string missing = missingType(module, dummy.type);
    if (!missing.empty())
      refuseDummy(dummy, missing);
    Shape shape = shapeOf(module, dummy);
    passed.type = std::string(dummy.type.type);
    passed.kind = dummy.type.kind;
    passed.rank = shape.array.form == "ASSUMED_RANK" ? -1 : shape.array.rank;
    passed.character = dummy.type.type == "CHARACTER" && !bindC;
    passed.deferredLength = dummy.type.deferred;
    passed.allocatable = shape.allocatable;
    passed.pointer = shape.pointer;
    if (shape.array.corank > 0)
      refuseDummy(dummy, "is a coarray");
    if (dummy.has("VALUE"))
      planValue(dummy, passed);
    else
      planReference(dummy, shape, passed);
    return passed;
  }

  void planReference(const Symbol &dummy, const Shape &shape, Passed &passed) {
    bool assumed = shape.array.form == "ASSUMED_SHAPE" || shape.array.form == "ASSUMED_RANK";
    passed.polymorphic = isPolymorphic(dummy);
    if (!assumed && !passed.allocatable && !passed.pointer && !passed.polymorphic)
      return;
    passed.passing = bindC ? Passing::CDescriptor : Passing::Descriptor;
    passed.bytes = elementBytes(dummy.type);
    if (module.version < firstDescriptorVersion)
      refuseDummy(dummy, "is passed by a descriptor, which gfortran had in another form before "
                         "version 8");
    if (passed.polymorphic)
      planTypes(dummy, passed);
  }

  long long elementBytes(const TypeSpec &type) const {
    if (type.type == "CLASS") {
      const Component *data = dataOf(module, type);
      return data ? layout.ofType(data->type.derived).value_or(Extent{}).bytes : 0;
    }
    return layout.ofScalar(type).value_or(Extent{}).bytes; // 0: the actual argument's
  }

  // flang's type descriptor and gfortran's table of a type.
  std::pair<std::string, std::string> tablesOf(const Symbol &type) const {
    return {fmt::format("_QM{}EXdtX{}", names.moduleOf(type), names.nameInModule(type)),
            fmt::format("__{0}_MOD___vtab_{0}_{1}", sourceModule(type.module), type.name)};
  }

  // The type of the dummy and those that extend it, as far as the module knows them.
  void planTypes(const Symbol &dummy, Passed &passed) {
    const Component *data = dataOf(module, dummy.type);
    const Symbol *container = module.find(dummy.type.derived);
    if (container &&
        (container->has("UNLIMITED_POLY") || container->name.starts_with("__class__STAR")))
      return planAnyType(passed);
    if (!data || !container)
      return refuseDummy(dummy, "is of a class that is not known");
    for (const auto &[number, symbol] : module.symbols)
      if (symbol.isType() && symbol.scope == 1 && extends(symbol, data->type.derived, 0))
        passed.types.push_back(tablesOf(symbol));
  }

  // All types that the module knows; those of Fortran itself the runtime library knows.
  void planAnyType(Passed &passed) {
    passed.unlimited = true;
    for (const auto &[number, symbol] : module.symbols)
      if (symbol.isType() && symbol.scope == 1 && isTypeOfSource(symbol))
        passed.types.push_back(tablesOf(symbol));
  }

  bool isTypeOfSource(const Symbol &type) const {
    return !type.name.starts_with("__") && !type.name.starts_with("@") &&
           type.module != "(intrinsic)" && !sourceModule(type.module).starts_with("iso_") &&
           !type.has("VTYPE") && !type.has("IS_CLASS") && !type.parameterised;
  }

  bool extends(const Symbol &type, int parent, int steps) const {
    if (type.number == parent)
      return true;
    if (type.attributes.extension == 0 || type.components.empty() || steps > 100)
      return false;
    const Symbol *next = module.find(type.components.front().type.derived);
    return next && extends(*next, parent, steps + 1);
  }

  void planValue(const Symbol &dummy, Passed &passed) {
    passed.byValue = true;
    if (dummy.type.type == "CHARACTER" && !bindC)
      return refuseDummy(dummy, "is a string by VALUE");
    if (bindC)
      return;
    if (isAddress(dummy.type) && !passed.optional)
      return;
    if (dummy.type.type == "DERIVED") {
      std::optional<std::vector<Part>> registers = layout.registersOf(dummy.type.derived);
      passed.passing = Passing::Structure;
      passed.bytes = elementBytes(dummy.type);
      passed.registers = registers.value_or(std::vector<Part>{});
      if (!registers || passed.optional)
        refuseDummy(dummy, "is of a derived type by VALUE that cannot be passed");
    } else if (passed.optional) {
      passed.passing = Passing::Optional;
      if (dummy.type.type == "COMPLEX" || passed.kind > 8)
        refuseDummy(dummy, "is OPTIONAL and VALUE");
    }
  }

  // TYPE(C_PTR) and TYPE(C_FUNPTR), which both compilers pass and return as addresses.
  bool isAddress(const TypeSpec &type) const {
    const Symbol *symbol = type.type == "DERIVED" ? module.find(type.derived) : nullptr;
    return symbol && (symbol->name == "C_ptr" || symbol->name == "C_funptr") &&
           sourceModule(symbol->module) == "iso_c_binding";
  }

  // Code of ours is called with gfortran's conventions: they must agree without an adapter.
  void planProcedure(const Symbol &dummy) {
    if (dummy.has("PROC_POINTER"))
      return refuseDummy(dummy, "is a procedure pointer");
    if (depth > 3)
      return refuseDummy(dummy, "is a procedure with procedures as arguments");
    const Symbol &interface = module.interfaceOf(dummy);
    if (interface.isFunction() && interface.type.type == "CHARACTER")
      return refuseDummy(dummy, "is a function that returns a string");
    Call inner = Planner(module, names, interface, depth + 1).run();
    if (!inner.refused.empty())
      return refuseDummy(dummy, "is a procedure that cannot be called: " + inner.refused);
    if (inner.adapted)
      refuseDummy(dummy, "is a procedure that gfortran calls with descriptors of its own");
  }

  void planResult() {
    const Symbol *symbol = module.find(procedure.result);
    const Symbol &result = symbol && !symbol->isProcedure() ? *symbol : procedure;
    std::string missing = missingType(module, result.type);
    if (!missing.empty())
      refuse("its result " + missing);
    if (isPolymorphic(result) || result.has("PROC_POINTER"))
      return refuse("its result is polymorphic or a procedure pointer");
    Passed &passed = call.result;
    passed.name = result.name;
    passed.type = std::string(result.type.type);
    passed.kind = result.type.kind;
    passed.rank = result.array.rank;
    passed.character = result.type.type == "CHARACTER";
    passed.deferredLength = result.type.deferred;
    passed.allocatable = result.has("ALLOCATABLE");
    passed.pointer = result.has("POINTER");
    passed.intentOut = true;
    passed.bytes = elementBytes(result.type);
    if (bindC)
      return;
    if (passed.allocatable || passed.pointer)
      return planDescriptorResult(result.type.derived);
    if (!result.array.form.empty())
      return planArrayResult(result);
    if (passed.character) {
      call.form = ResultForm::String;
    } else if (result.type.type == "DERIVED" && !isAddress(result.type)) {
      call.form = ResultForm::Structure;
      std::optional<std::vector<Part>> registers = layout.registersOf(result.type.derived);
      passed.registers = registers.value_or(std::vector<Part>{});
      if (!registers && layout.ofType(result.type.derived))
        refuse("its result is of a type that cannot be returned");
    } else if (result.type.type == "COMPLEX" && passed.kind == 10) {
      refuse("its result is a complex number of kind 10");
    }
  }

  void planDescriptorResult(int derivedType) {
    call.form = ResultForm::Descriptor;
    if (const Symbol *type = module.find(derivedType); call.result.type == "DERIVED" && type)
      call.result.types.push_back(tablesOf(*type));
    if (module.version < firstDescriptorVersion)
      refuse("its result has a descriptor, which gfortran had in another form before version 8");
    if (call.result.character && !call.result.deferredLength)
      refuse(
          "its result is a string with ALLOCATABLE or POINTER and a length that is not deferred");
  }

  void planArrayResult(const Symbol &result) {
    call.form = ResultForm::Array;
    if (module.version < firstDescriptorVersion)
      refuse("its result has a descriptor, which gfortran had in another form before version 8");
    for (auto [lower, upper] : result.array.bounds) {
      std::optional<long long> first = constantValue(module, lower),
                               last = constantValue(module, upper);
      bool isLast = call.extents.size() + 1 == result.array.bounds.size();
      if ((!first || !last) && !isLast)
        return refuse("its result is an array whose bounds are no constants");
      call.extents.push_back(first && last ? std::max(*last - *first + 1, 0LL) : 0);
    }
    if (call.result.bytes == 0)
      refuse("its result is an array of strings whose length is no constant");
  }

  const Module &module;
  const Names &names;
  const Symbol &procedure;
  const Layout layout;
  const int depth;
  bool bindC = false;
  Call call;
};

} // namespace

std::string gfortranSymbol(const Symbol &symbol) {
  if (!symbol.label.empty())
    return symbol.label;
  if (symbol.has("IS_BIND_C"))
    return symbol.name;
  bool external = symbol.isProcedure() && symbol.attributes.source != "DECL";
  if (external)
    return symbol.name + "_";
  return fmt::format("__{}_MOD_{}", sourceModule(symbol.module), symbol.name);
}

std::string flangSymbol(const Names &names, const Symbol &symbol) {
  std::string target = gfortranSymbol(symbol);
  if (!target.starts_with("__") || symbol.has("IS_BIND_C"))
    return target;
  return fmt::format("_QM{}{}{}", names.moduleOf(symbol), symbol.isProcedure() ? "P" : "E",
                     names.nameInModule(symbol));
}

std::string missingType(const Module &module, const TypeSpec &type) {
  if (type.type == "INTEGER" && !hasIntegerKind(type.kind))
    return fmt::format("has a kind of INTEGER ({}) that is not there", type.kind);
  if (type.type == "LOGICAL" && !hasLogicalKind(type.kind))
    return fmt::format("has a kind of LOGICAL ({}) that is not there", type.kind);
  if ((type.type == "REAL" || type.type == "COMPLEX") && !hasRealKind(type.kind))
    return fmt::format("has a kind of {} ({}) that is not there", type.type, type.kind);
  if (type.type == "CHARACTER" && type.kind != 1)
    return fmt::format("has a kind of CHARACTER ({}) that is not there", type.kind);
  if (type.type == "DERIVED") {
    const Symbol *symbol = module.find(type.derived);
    if (!symbol)
      return "has a type that is not known";
    if (sourceModule(symbol->module).starts_with("ieee_"))
      return "has a type of the IEEE modules, which differ";
    if (!Layout(module).ofType(type.derived))
      return fmt::format("is of type '{}', which cannot be laid out", sourceName(symbol->name));
  }
  return "";
}

Call planCall(const Module &module, const Names &names, const Symbol &procedure) {
  return Planner(module, names, procedure).run();
}

VariablePlan planVariable(const Module &module, const Names &names, const Symbol &variable) {
  return Planner(module, names, variable).runVariable();
}

} // namespace cufc::foreign
