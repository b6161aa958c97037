// See lenient_calls.h.
//
//   call k<<<1, 32>>>(n, x_d)         the name refers to the symbol of attributes(global)
//   subroutine
//                                     k, which stands before or behind it in the file
//   call k<<<1, 32>>>(n, x_d)         or, if no definition is there, to an interface that follows
//                                     from the actual arguments
//   call random_seed(put=seed)        call cufrt_random_seed_put_8(seed), where flang's table of
//                                     intrinsic procedures asks for the default kind
//   allocated(p)                      associated(p), if p is a pointer
#include "frontend/lenient/lenient_calls.h"
#include "flang/Evaluate/tools.h"
#include "flang/Parser/tools.h"
#include "flang/Semantics/expression.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "frontend/flang_versions.h"
#include "frontend/lenient/kernel_interfaces.h"
#include "frontend/statement_visitor.h"
#include "frontend/symbol_making.h"
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace cufc {
namespace {

using namespace Fortran;
using common::CUDASubprogramAttrs;
using semantics::Symbol;

parser::CharBlock blockOf(const char *text) { return {text, std::string_view(text).size()}; }

// Whether a name stands for an external procedure of which the scope has no interface: flang takes
// the procedure of the same file, but calls it as one that is not known.
bool hasNoInterface(const Symbol &symbol) {
  if (const auto *definition = symbol.detailsIf<semantics::SubprogramDetails>())
    return symbol.owner().IsGlobal() && !definition->isInterface();
  const auto *details = symbol.detailsIf<semantics::ProcEntityDetails>();
  return details && !details->HasExplicitInterface() && !semantics::IsDummy(symbol) &&
         !semantics::IsPointer(symbol) && !symbol.attrs().test(semantics::Attr::INTRINSIC);
}

// What the runtime library has for RANDOM_SEED with integers that are not of the default kind.
class RandomSeeds {
public:
  explicit RandomSeeds(semantics::SemanticsContext &context) : context(context) {}

  void adapt(parser::Call &call, parser::Name &name, semantics::Scope &unit) {
    auto &arguments = std::get<std::list<parser::ActualArgSpec>>(call.t);
    if (arguments.size() != 1)
      return;
    auto &keyword = std::get<std::optional<parser::Keyword>>(arguments.front().t);
    std::string which = keyword ? keyword->v.source.ToString() : "size";
    const Form *form = formOf(which, arguments.front());
    if (!form)
      return;
    name.symbol = &procedure(*form, unit);
    keyword.reset();
  }

private:
  struct Form {
    const char *keyword, *name;
    int kind;
  };

  const Form *formOf(const std::string &keyword, const parser::ActualArgSpec &argument) {
    static constexpr Form forms[] = {
        {"put", "cufrt_random_seed_put_4", 4},   {"put", "cufrt_random_seed_put_8", 8},
        {"get", "cufrt_random_seed_get_4", 4},   {"get", "cufrt_random_seed_get_8", 8},
        {"size", "cufrt_random_seed_size_4", 4}, {"size", "cufrt_random_seed_size_8", 8}};
    const auto *value =
        std::get_if<common::Indirection<parser::Expr>>(&std::get<parser::ActualArg>(argument.t).u);
    auto typed = value ? semantics::AnalyzeExpr(context, value->value()) : std::nullopt;
    auto type = typed ? typed->GetType() : std::nullopt;
    if (!type || type->category() != common::TypeCategory::Integer ||
        type->kind() == context.GetDefaultKind(common::TypeCategory::Integer) ||
        typed->Rank() != (keyword == "size" ? 0 : 1))
      return nullptr;
    for (const Form &form : forms)
      if (keyword == form.keyword && type->kind() == form.kind)
        return &form;
    return nullptr;
  }

  // An external subroutine with one dummy, a scalar or an assumed-shape array.
  Symbol &procedure(const Form &form, semantics::Scope &unit) {
    Symbol &symbol = makeExternal(unit, blockOf(form.name));
    semantics::Scope &scope =
        context.intrinsicModulesScope().MakeScope(semantics::Scope::Kind::Subprogram, &symbol);
    bool changed = std::string_view(form.keyword) != "put";
    bool scalar = std::string_view(form.keyword) == "size";
    semantics::Attrs attributes{changed ? semantics::Attr::INTENT_OUT : semantics::Attr::INTENT_IN};
    addDummy(symbol, scope, blockOf(form.keyword), attributes,
             {&context.MakeNumericType(common::TypeCategory::Integer, form.kind),
              scalar ? DummyForm::Scalar : DummyForm::AssumedShape});
    symbol.set(Symbol::Flag::Subroutine);
    return symbol;
  }

  semantics::SemanticsContext &context;
};

class Calls : public StatementVisitor {
public:
  explicit Calls(semantics::SemanticsContext &context) : context(context), seeds(context) {}

  using StatementVisitor::Post;
  using StatementVisitor::Pre;
  bool Pre(const parser::SubroutineSubprogram &unit) override {
    return enter(std::get<parser::Statement<parser::SubroutineStmt>>(unit.t).statement.t);
  }
  bool Pre(const parser::FunctionSubprogram &unit) override {
    return enter(std::get<parser::Statement<parser::FunctionStmt>>(unit.t).statement.t);
  }
  void Post(const parser::SubroutineSubprogram &) override { onDevice = false; }
  void Post(const parser::FunctionSubprogram &) override { onDevice = false; }

  void Post(const parser::CallStmt &call) override {
    if (parser::Name *name = nameIn(callIn(call))) {
      bind(*name);
      if (chevronsIn(call) && !onDevice)
        suggest(call, *name);
      if (!onDevice && name->symbol->attrs().test(semantics::Attr::INTRINSIC) &&
          name->source.ToString() == "random_seed")
        seeds.adapt(const_cast<parser::Call &>(callIn(call)), *name, unitAround(*name));
    }
  }
  void Post(const parser::FunctionReference &reference) override {
    if (parser::Name *name = nameIn(reference.v)) {
      bind(*name);
      if (name->symbol->attrs().test(semantics::Attr::INTRINSIC) &&
          name->symbol->name().ToString() == "allocated")
        askWhetherAssociated(reference.v, *name);
    }
  }

private:
  static parser::Name *nameIn(const parser::Call &call) {
    const auto *name = std::get_if<parser::Name>(&std::get<parser::ProcedureDesignator>(call.t).u);
    return name && name->symbol ? const_cast<parser::Name *>(name) : nullptr;
  }

  // nvfortran takes pointers to device data so, since ALLOCATE makes them.
  void askWhetherAssociated(const parser::Call &call, parser::Name &name) {
    const auto &arguments = std::get<std::list<parser::ActualArgSpec>>(call.t);
    if (arguments.size() != 1 || !context.IsEnabled(common::LanguageFeature::CUDA))
      return;
    const auto &argument = arguments.front();
    const auto *value =
        std::get_if<common::Indirection<parser::Expr>>(&std::get<parser::ActualArg>(argument.t).u);
    const auto *designator = value ? parser::Unwrap<parser::Designator>(value->value()) : nullptr;
    const Symbol *pointer = designator ? parser::GetLastName(*designator).symbol : nullptr;
    if (!pointer || !semantics::IsPointer(pointer->GetUltimate()))
      return;
    context.Say(name.source, "ALLOCATED of pointer '%s' asks whether it is associated"_warn_en_US,
                pointer->name());
    const_cast<std::optional<parser::Keyword> &>(
        std::get<std::optional<parser::Keyword>>(argument.t))
        .reset();
    name.symbol = &makeIntrinsicFunction(unitAround(name), blockOf("associated"));
  }

  template <typename Parts>
  bool enter(const Parts &parts) {
    for (const auto &prefix : std::get<std::list<parser::PrefixSpec>>(parts))
      if (const auto *attributes = std::get_if<parser::PrefixSpec::Attributes>(&prefix.u))
        onDevice |= attributes->v != std::list{CUDASubprogramAttrs::Host};
    return true;
  }

  void bind(parser::Name &name) {
    const Symbol &symbol = name.symbol->GetUltimate();
    if (!hasNoInterface(symbol))
      return;
    auto found = context.globalScope().find(symbol.name());
    if (found == context.globalScope().end())
      return;
    Symbol &definition = *found->second;
    const auto *details = definition.detailsIf<semantics::SubprogramDetails>();
    auto attributes = details ? details->cudaSubprogramAttrs() : std::nullopt;
    if (!attributes || *attributes == CUDASubprogramAttrs::Host || details->isInterface())
      return;
    const semantics::DeclTypeSpec *declared = symbol.GetType(), *result = definition.GetType();
    if (details->isFunction() && declared && !(result && *declared == *result))
      return; // of which flang tells
    semantics::Scope &unit = unitAround(name);
    if (unit.symbol() != &definition)
      name.symbol = &interfaceOf(definition, unit);
  }

  // A kernel of another file, which is not known here.
  void suggest(const parser::CallStmt &launch, parser::Name &name) {
    if (!hasNoInterface(name.symbol->GetUltimate()) ||
        name.symbol->GetUltimate().has<semantics::SubprogramDetails>())
      return;
    Symbol *made = suggestedInterface(launch, name, unitAround(name), context);
    if (!made)
      return;
    if (warned.insert(name.symbol).second)
      context.Say(name.source, "'%s' is launched without an interface"_warn_en_US, name.source);
    name.symbol = made;
  }

  semantics::Scope &unitAround(const parser::Name &name) {
    const semantics::Scope &scope = context.FindScope(name.source);
    return const_cast<semantics::Scope &>(semantics::GetProgramUnitContaining(scope));
  }

  // As an interface body in the calling program unit makes it: flang wants those for procedures
  // with such dummies even where it knows the definition (F2023 15.4.2.2).
  Symbol &interfaceOf(Symbol &definition, semantics::Scope &unit) {
    auto [entry, isNew] = interfaces.try_emplace({&definition, &unit}, nullptr);
    if (isNew)
      entry->second = &makeInterface(unit, definition);
    return *entry->second;
  }

  semantics::SemanticsContext &context;
  RandomSeeds seeds;
  std::set<const Symbol *> warned; // of kernels without an interface
  std::map<std::pair<const Symbol *, const semantics::Scope *>, Symbol *> interfaces;
  bool onDevice = false;
};

} // namespace

void adaptCalls(const parser::Program &program, semantics::SemanticsContext &context) {
  Calls calls(context);
  walkTree(program, calls);
}

} // namespace cufc
