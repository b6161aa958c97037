// See name_roles.h. What a name does follows from the nodes around it: a Designator in an
// expression is read, a Variable is written unless its statement says otherwise, an actual argument
// does what the INTENT of its dummy says, all other names only refer.
#include "frontend/extract/name_roles.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "frontend/flang_versions.h"
#include "frontend/statement_visitor.h"
#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace cufc {
namespace {

using namespace Fortran;
using semantics::Attr;
using semantics::Symbol;

// Intrinsic functions that ask for properties of a variable, not for its value.
bool isInquiry(std::string_view name) {
  static constexpr std::string_view names[] = {
      "allocated", "associated",    "bit_size",     "c_associated", "c_funloc",
      "c_loc",     "c_sizeof",      "digits",       "epsilon",      "extends_type_of",
      "huge",      "is_contiguous", "kind",         "lbound",       "len",
      "loc",       "maxexponent",   "minexponent",  "precision",    "present",
      "radix",     "range",         "rank",         "same_type_as", "shape",
      "size",      "sizeof",        "storage_size", "tiny",         "ubound"};
  return std::binary_search(std::begin(names), std::end(names), name);
}

Role roleOf(const Symbol &dummy) {
  if (dummy.attrs().test(Attr::INTENT_IN) || dummy.attrs().test(Attr::VALUE))
    return Role::Read;
  return dummy.attrs().test(Attr::INTENT_OUT) ? Role::Write : Role::ReadWrite;
}

// Functions whose result is the address of a variable, by which it can get its value.
bool isAddress(std::string_view name) {
  return name == "c_loc" || name == "loc" || name == "c_devloc";
}

bool isAssumedType(const Symbol &dummy) {
  const semantics::DeclTypeSpec *type = dummy.GetType();
  return type && type->category() == semantics::DeclTypeSpec::TypeStar;
}

class NameWalk : public StatementVisitor {
public:
  explicit NameWalk(NameSink &sink) : sink(sink) {}

  using StatementVisitor::Post;
  using StatementVisitor::Pre;

  void Post(const parser::Name &name) override { add(name, nameRole); }
  bool Pre(const parser::Designator &designator) override { return walk(designator, Role::Read); }
  bool Pre(const parser::Variable &variable) override { return walk(variable, Role::Write); }
  bool Pre(const parser::EquivalenceObject &object) override {
    return walk(object.v.value(), Role::Reference);
  }
  bool Pre(const parser::Selector &selector) override {
    if (const auto *variable = std::get_if<parser::Variable>(&selector.u))
      return walk(*variable, Role::Read);
    return true;
  }
  bool Pre(const parser::ReadStmt &read) override {
    if (const auto *file = read.iounit ? std::get_if<parser::Variable>(&read.iounit->u) : nullptr)
      walk(*file, Role::Read);
    else
      walkTree(read.iounit, *this);
    walkTree(read.format, *this);
    walkTree(read.controls, *this);
    walkTree(read.items, *this);
    return false;
  }
  bool Pre(const parser::CUFReduction &reduction) override {
    for (const auto &variable : std::get<std::list<parser::Scalar<parser::Variable>>>(reduction.t))
      walk(variable.thing, Role::ReadWrite);
    return false;
  }
  bool Pre(const parser::LoopControl::Bounds &bounds) override { return seeBounds(bounds); }
  bool Pre(const parser::AcImpliedDoControl::Bounds &bounds) override { return seeBounds(bounds); }
  bool Pre(const parser::DataImpliedDo::Bounds &bounds) override { return seeBounds(bounds); }
  bool Pre(const parser::ConcurrentControl &control) override {
    add(std::get<parser::Name>(control.t), Role::Write);
    walkTree(std::get<1>(control.t), *this);
    walkTree(std::get<2>(control.t), *this);
    walkTree(std::get<3>(control.t), *this);
    return false;
  }
  bool Pre(const parser::AllocateObject &object) override {
    purpose = NamePurpose::Allocation;
    written(object.u);
    purpose = NamePurpose::Value;
    return false;
  }
  bool Pre(const parser::AllocOpt::Mold &mold) override {
    if (const auto *variable =
            std::get_if<common::Indirection<parser::Designator>>(&mold.v.value().u))
      return walk(variable->value(), Role::Reference);
    return true;
  }
  bool Pre(const parser::DataStmtObject &object) override {
    if (const auto *variable = std::get_if<common::Indirection<parser::Variable>>(&object.u)) {
      walkFor(NamePurpose::InitialValue, variable->value(), Role::Write);
      return false;
    }
    return true;
  }
  bool Pre(const parser::PointerObject &object) override { return written(object.u); }
  bool Pre(const parser::PointerAssignmentStmt &assignment) override {
    walk(std::get<parser::DataRef>(assignment.t), Role::Write);
    walkTree(std::get<parser::PointerAssignmentStmt::Bounds>(assignment.t), *this);
    walkTree(std::get<parser::Expr>(assignment.t), *this);
    return false;
  }
  bool Pre(const parser::KindParam &kind) override {
    if (const auto *name = parser::Unwrap<parser::Name>(kind.u))
      add(*name, Role::Read);
    return false;
  }
  // Those of expressions are seen with their operands.
  bool Pre(const parser::DefinedOpName &) override { return false; }
  bool Pre(const parser::GenericSpec &spec) override {
    if (std::holds_alternative<parser::Name>(spec.u))
      return true;
    if (const auto *defined = std::get_if<parser::DefinedOperator>(&spec.u))
      if (const auto *name = std::get_if<parser::DefinedOpName>(&defined->u)) {
        add(name->v, Role::Reference);
        return false;
      }
    sink.genericSpec(spec.source);
    return false;
  }
  bool Pre(const parser::Expr &expr) override {
    common::visit([&](const auto &node) { seeOperator(expr, node); }, expr.u);
    return true;
  }
  bool Pre(const parser::DerivedTypeSpec &spec) override {
    sink.typeName(std::get<parser::Name>(spec.t), nameRole);
    walkTree(std::get<std::list<parser::TypeParamSpec>>(spec.t), *this);
    return false;
  }

  bool Pre(const parser::FunctionReference &reference) override {
    return walk(reference, Role::Read);
  }
  bool Pre(const parser::CallStmt &call) override {
    walk(callIn(call), chevronsIn(call) ? Role::Launch : Role::Call, Role::ReadWrite);
    walkTree(chevronsIn(call), *this);
    return false;
  }
  bool Pre(const parser::StructureConstructor &constructor) override {
    const auto &type = std::get<parser::DerivedTypeSpec>(constructor.t);
    walkTree(type, *this);
    const Symbol *symbol = std::get<parser::Name>(type.t).symbol;
    const semantics::Scope *scope = symbol ? symbol->GetUltimate().scope() : nullptr;
    for (const auto &component : std::get<std::list<parser::ComponentSpec>>(constructor.t)) {
      const auto &keyword = std::get<std::optional<parser::Keyword>>(component.t);
      if (keyword && scope && scope->IsDerivedType())
        sink.keyword(keyword->v.source, scope->FindComponent(keyword->v.source));
      walkTree(std::get<parser::ComponentDataSource>(component.t), *this);
    }
    return false;
  }
  bool Pre(const parser::Keyword &) override { return false; }

  // END statements repeat a name that flang leaves without a symbol.
  bool Pre(const parser::SubroutineStmt &statement) override { return enter(statement.t); }
  bool Pre(const parser::FunctionStmt &statement) override { return enter(statement.t); }
  bool Pre(const parser::MpSubprogramStmt &statement) override { return enter(statement.v); }
  bool Pre(const parser::ModuleStmt &statement) override { return enter(statement.v); }
  bool Pre(const parser::ProgramStmt &statement) override { return enter(statement.v); }
  bool Pre(const parser::SubmoduleStmt &statement) override { return enter(statement.t); }
  bool Pre(const parser::DerivedTypeStmt &statement) override { return enter(statement.t); }
  bool Pre(const parser::EndSubroutineStmt &statement) override { return leave(statement.v); }
  bool Pre(const parser::EndFunctionStmt &statement) override { return leave(statement.v); }
  bool Pre(const parser::EndMpSubprogramStmt &statement) override { return leave(statement.v); }
  bool Pre(const parser::EndModuleStmt &statement) override { return leave(statement.v); }
  bool Pre(const parser::EndProgramStmt &statement) override { return leave(statement.v); }
  bool Pre(const parser::EndSubmoduleStmt &statement) override { return leave(statement.v); }
  bool Pre(const parser::EndTypeStmt &statement) override { return leave(statement.v); }

private:
  // flang's parser leaves the text of some operands open, such as that of ".not. b" in "a .and.
  // .not. b".
  template <typename T>
  void seeOperator(const parser::Expr &expr, const T &node) {
    using Expr = parser::Expr;
    if constexpr (std::is_base_of_v<Expr::IntrinsicBinary, T>)
      seeBinary(expr, std::get<0>(node.t).value(), std::get<1>(node.t).value());
    else if constexpr (std::is_same_v<T, Expr::DefinedBinary>)
      seeBinary(expr, std::get<1>(node.t).value(), std::get<2>(node.t).value());
    else if constexpr (std::is_same_v<T, Expr::UnaryPlus> || std::is_same_v<T, Expr::Negate> ||
                       std::is_same_v<T, Expr::NOT>)
      seeUnary(expr, node.v.value());
    else if constexpr (std::is_same_v<T, Expr::DefinedUnary>)
      seeUnary(expr, std::get<1>(node.t).value());
  }
  void seeBinary(const parser::Expr &expr, const parser::Expr &left, const parser::Expr &right) {
    if (!left.source.empty() && !right.source.empty() && left.source.end() <= right.source.begin())
      sink.operation(expr, {left.source.end(), right.source.begin()});
  }
  void seeUnary(const parser::Expr &expr, const parser::Expr &operand) {
    if (!expr.source.empty() && !operand.source.empty() &&
        expr.source.begin() <= operand.source.begin())
      sink.operation(expr, {expr.source.begin(), operand.source.begin()});
  }

  template <typename Bounds>
  bool seeBounds(const Bounds &bounds) {
    named(variableIn(bounds), Role::Write);
    walkTree(lowerIn(bounds), *this);
    walkTree(upperIn(bounds), *this);
    if (stepIn(bounds))
      walkTree(*stepIn(bounds), *this);
    return false;
  }

  template <typename T>
  void named(const T &node, Role role) {
    std::swap(nameRole, role);
    walkTree(node, *this);
    std::swap(nameRole, role);
  }

  template <typename Object>
  bool written(const Object &object) {
    if (const auto *name = std::get_if<parser::Name>(&object))
      add(*name, Role::Write);
    else
      walk(std::get<parser::StructureComponent>(object), Role::Write);
    return false;
  }

  // Each returns false: the node is done.
  bool walk(const parser::Variable &variable, Role role) {
    if (const auto *designator = std::get_if<common::Indirection<parser::Designator>>(&variable.u))
      return walk(designator->value(), role);
    return walk(std::get<common::Indirection<parser::FunctionReference>>(variable.u).value(), role);
  }
  bool walk(const parser::Designator &designator, Role role) {
    if (const auto *data = std::get_if<parser::DataRef>(&designator.u))
      return walk(*data, role);
    const auto &substring = std::get<parser::Substring>(designator.u);
    walk(std::get<parser::DataRef>(substring.t), role);
    walkTree(std::get<parser::SubstringRange>(substring.t), *this);
    return false;
  }
  bool walk(const parser::DataRef &data, Role role) {
    if (const auto *name = std::get_if<parser::Name>(&data.u)) {
      add(*name, role);
    } else if (const auto *part =
                   std::get_if<common::Indirection<parser::StructureComponent>>(&data.u)) {
      walk(part->value(), role);
    } else if (const auto *element =
                   std::get_if<common::Indirection<parser::ArrayElement>>(&data.u)) {
      walk(baseIn(element->value()), role);
      NamePurpose wanted = std::exchange(purpose, NamePurpose::Value);
      walkTree(subscriptsIn(element->value()), *this);
      purpose = wanted;
    } else {
      const auto &object =
          std::get<common::Indirection<parser::CoindexedNamedObject>>(data.u).value();
      walk(baseIn(object), role);
      walkTree(imageSelectorIn(object), *this);
    }
    return false;
  }
  bool walk(const parser::StructureComponent &part, Role role) {
    walk(baseIn(part), role);
    add(componentIn(part), role);
    return false;
  }

  // `role` is what happens to the variable if this is an array element that flang, after errors,
  // has left as it was parsed.
  bool walk(const parser::FunctionReference &reference, Role role) {
    const auto *name =
        std::get_if<parser::Name>(&std::get<parser::ProcedureDesignator>(reference.v.t).u);
    const Symbol *symbol = name ? name->symbol : nullptr;
    bool element = symbol && symbol->GetUltimate().has<semantics::ObjectEntityDetails>();
    walk(reference.v, element ? role : Role::Call, element ? Role::Read : Role::ReadWrite);
    return false;
  }

  void walk(const parser::Call &call, Role role, Role unknown) {
    const Symbol *procedure = nullptr;
    std::string written; // what a generic name stands for may have another one
    const auto &designator = std::get<parser::ProcedureDesignator>(call.t);
    if (const auto *name = std::get_if<parser::Name>(&designator.u)) {
      add(*name, role);
      written = name->ToString();
      procedure = name->symbol;
    } else {
      const auto &part = std::get<parser::ProcComponentRef>(designator.u).v.thing;
      walk(baseIn(part), Role::Read);
      add(componentIn(part), role);
      procedure = componentIn(part).symbol;
    }
    findDummies(procedure);
    std::string name = procedure ? procedure->GetUltimate().name().ToString() : std::string();
    constexpr std::string_view builtin = "__builtin_"; // flang's prefix in iso_c_binding
    if (name.compare(0, builtin.size(), builtin) == 0)
      name.erase(0, builtin.size());
    if (procedure && procedure->GetUltimate().attrs().test(Attr::INTRINSIC))
      unknown = isInquiry(name)                                   ? Role::Reference
                : role == Role::Call && !isSubroutine(*procedure) ? Role::Read
                                                                  : Role::ReadWrite;
    std::vector<const Symbol *> arguments = std::move(dummies);
    bool address = isAddress(name) || isAddress(written);
    size_t next = 0;
    for (const auto &argument : std::get<std::list<parser::ActualArgSpec>>(call.t))
      walk(argument, arguments, next, unknown, address);
  }

  static bool isSubroutine(const Symbol &procedure) {
    return procedure.GetUltimate().test(Symbol::Flag::Subroutine);
  }

  // The dummies that arguments in parentheses go to.
  void findDummies(const Symbol *procedure) {
    dummies.clear();
    const Symbol *subprogram = procedure ? semantics::FindSubprogram(*procedure) : nullptr;
    const auto *details =
        subprogram ? subprogram->detailsIf<semantics::SubprogramDetails>() : nullptr;
    if (!details)
      return;
    dummies.assign(details->dummyArgs().begin(), details->dummyArgs().end());
    const Symbol &called = procedure->GetUltimate();
    if (!called.owner().IsDerivedType() || called.attrs().test(Attr::NOPASS) || dummies.empty())
      return;
    std::optional<semantics::SourceName> passed;
    if (const auto *binding = called.detailsIf<semantics::ProcBindingDetails>())
      passed = binding->passName();
    else if (const auto *component = called.detailsIf<semantics::ProcEntityDetails>())
      passed = component->passName();
    auto found = std::find_if(dummies.begin(), dummies.end(), [&](const Symbol *dummy) {
      return !passed || (dummy && dummy->name() == *passed);
    });
    if (found != dummies.end())
      dummies.erase(found);
  }

  void walk(const parser::ActualArgSpec &argument, const std::vector<const Symbol *> &wanted,
            size_t &next, Role role, bool unknownAddress) {
    const Symbol *dummy = nullptr;
    if (const auto &keyword = std::get<std::optional<parser::Keyword>>(argument.t)) {
      auto found = std::find_if(wanted.begin(), wanted.end(), [&](const Symbol *one) {
        return one && one->name() == keyword->v.source;
      });
      dummy = found == wanted.end() ? nullptr : *found;
      sink.keyword(keyword->v.source, dummy);
    } else if (next < wanted.size()) {
      dummy = wanted[next++];
    }
    bool takesAddress = unknownAddress;
    if (dummy) {
      role = roleOf(*dummy);
      takesAddress |= dummy->attrs().test(Attr::TARGET) || isAssumedType(*dummy);
    }
    const auto &actual = std::get<parser::ActualArg>(argument.t);
    const auto *expression = std::get_if<common::Indirection<parser::Expr>>(&actual.u);
    const auto *variable =
        expression ? std::get_if<common::Indirection<parser::Designator>>(&expression->value().u)
                   : nullptr;
    if (!variable)
      return walkTree(actual, *this);
    sink.enterArgument(dummy);
    walkFor(takesAddress ? NamePurpose::Address : purpose, variable->value(), role);
    sink.leaveArgument();
  }

  template <typename Parts>
  bool enter(const Parts &parts) {
    if constexpr (std::is_same_v<Parts, parser::Name>)
      sink.enterUnit(parts);
    else
      sink.enterUnit(std::get<parser::Name>(parts));
    return true;
  }
  bool leave(const std::optional<parser::Name> &name) {
    sink.leaveUnit(name);
    return false;
  }

  void add(const parser::Name &name, Role role) { sink.name(name, role, purpose); }

  // A role of names that are taken for something else than their value.
  template <typename Node>
  bool walkFor(NamePurpose wanted, const Node &node, Role role) {
    std::swap(purpose, wanted);
    walk(node, role);
    std::swap(purpose, wanted);
    return false;
  }

  NameSink &sink;
  Role nameRole = Role::Reference;
  NamePurpose purpose = NamePurpose::Value;
  std::vector<const Symbol *> dummies; // of the call that is looked at
};

} // namespace

void forEachName(const parser::Program &program, NameSink &sink) {
  NameWalk walk(sink);
  walkTree(program, walk);
}

} // namespace cufc
