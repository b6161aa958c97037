// See associated_generics.h. For the time of one resolution the associated names are variables with
// the data attribute of what they stand for, and components have that of their object; the call is
// analysed again afterwards.
#include "frontend/workarounds/associated_generics.h"
#include "base/flang_phrases.h"
#include "flang/Evaluate/tools.h"
#include "flang/Semantics/expression.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "frontend/flang_versions.h"
#include "frontend/statement_visitor.h"
#include "frontend/symbol_making.h"
#include "frontend/workarounds/associated_data.h"
#include <list>
#include <optional>
#include <utility>
#include <vector>

namespace cufc {
namespace {

using namespace Fortran;
using semantics::Symbol;

// What a name stands for, if that is a part of device data.
std::optional<common::CUDADataAttr> memoryOf(const Symbol &symbol) {
  const auto *details = symbol.detailsIf<semantics::AssocEntityDetails>();
  if (!details || !details->expr() || !evaluate::IsVariable(*details->expr()))
    return std::nullopt;
  if (auto memory = inheritedMemory(*details->expr()))
    return memory;
  const Symbol *last = evaluate::GetLastSymbol(*details->expr());
  return last ? semantics::GetCUDADataAttr(&last->GetUltimate()) : std::nullopt;
}

std::optional<common::CUDADataAttr> memoryOf(const parser::StructureComponent &part);

std::optional<common::CUDADataAttr> memoryOf(const parser::DataRef &data) {
  if (const auto *element = std::get_if<common::Indirection<parser::ArrayElement>>(&data.u))
    return memoryOf(baseIn(element->value()));
  if (const auto *name = std::get_if<parser::Name>(&data.u)) {
    auto memory = name->symbol ? memoryOf(*name->symbol) : std::nullopt;
    return memory || !name->symbol ? memory
                                   : semantics::GetCUDADataAttr(&name->symbol->GetUltimate());
  }
  const auto *part = std::get_if<common::Indirection<parser::StructureComponent>>(&data.u);
  return part ? memoryOf(part->value()) : std::nullopt;
}

// Of a component without an attribute, that of its object.
std::optional<common::CUDADataAttr> memoryOf(const parser::StructureComponent &part) {
  const Symbol *component = componentIn(part).symbol;
  auto memory = component ? semantics::GetCUDADataAttr(component) : std::nullopt;
  return memory || !component || semantics::IsAllocatableOrPointer(*component)
             ? memory
             : memoryOf(baseIn(part));
}

// The component that a designator without a substring ends with, elements of it included.
const parser::StructureComponent *lastComponent(const parser::DataRef &data) {
  if (const auto *element = std::get_if<common::Indirection<parser::ArrayElement>>(&data.u))
    return lastComponent(baseIn(element->value()));
  const auto *part = std::get_if<common::Indirection<parser::StructureComponent>>(&data.u);
  return part ? &part->value() : nullptr;
}

// The associated names in the arguments of a call, as variables while this lives.
class VariablesOfCall : public StatementVisitor {
public:
  VariablesOfCall(const parser::Call &call, bool onDevice, semantics::SemanticsContext &context)
      : onDevice(onDevice), context(context) {
    walkTree(call, *this);
  }
  ~VariablesOfCall() override {
    for (Symbol *component : components)
      component->get<semantics::ObjectEntityDetails>().set_cudaDataAttr(std::nullopt);
  }
  VariablesOfCall(const VariablesOfCall &) = delete;
  VariablesOfCall &operator=(const VariablesOfCall &) = delete;

  bool any() const { return !names.empty() || !components.empty(); }

  using StatementVisitor::Pre;
  bool Pre(const parser::Name &name) override {
    auto memory = name.symbol ? memoryOf(*name.symbol) : std::nullopt;
    const semantics::DeclTypeSpec *type = memory ? name.symbol->GetType() : nullptr;
    if (!type)
      return false;
    if (auto variable = AsVariable::of(*name.symbol, *type, *memory, context.foldingContext()))
      names.push_back(std::move(variable));
    return false;
  }

  bool Pre(const parser::Designator &designator) override {
    const auto *data = std::get_if<parser::DataRef>(&designator.u);
    if (const parser::StructureComponent *part = data ? lastComponent(*data) : nullptr)
      place(*part);
    return true;
  }
  // An element of a component is parsed as a call until it is analysed.
  bool Pre(const parser::FunctionReference &call) override {
    const auto &designator = std::get<parser::ProcedureDesignator>(call.v.t);
    if (const auto *part = std::get_if<parser::ProcComponentRef>(&designator.u))
      place(part->v.thing);
    return true;
  }

private:
  // Gives a component the memory of its object, in code of the host: that of the device has the
  // same memory for all of its data (expression_analysis.cpp).
  void place(const parser::StructureComponent &part) {
    Symbol *component = onDevice ? nullptr : componentIn(part).symbol;
    auto *object = component ? component->detailsIf<semantics::ObjectEntityDetails>() : nullptr;
    auto memory = object && !object->cudaDataAttr() ? memoryOf(part) : std::nullopt;
    if (!memory)
      return;
    object->set_cudaDataAttr(memory);
    components.push_back(component);
  }

  const bool onDevice;
  semantics::SemanticsContext &context;
  std::vector<std::unique_ptr<AsVariable>> names;
  std::vector<Symbol *> components;
};

class Calls : public StatementVisitor {
public:
  explicit Calls(semantics::SemanticsContext &context) : context(context) {}

  using StatementVisitor::Post;
  using StatementVisitor::Pre;
  bool Pre(const parser::CUFKernelDoConstruct &) override {
    ++kernels;
    return true;
  }
  void Post(const parser::CUFKernelDoConstruct &) override { --kernels; }
  bool Pre(const parser::CallStmt &call) override {
    resolve(callIn(call), [&]() -> const Symbol * {
      evaluate::ExpressionAnalyzer{context}.Analyze(call);
      const Symbol *specific = call.typedCall ? call.typedCall->proc().GetSymbol() : nullptr;
      call.typedCall.Reset();
      return specific;
    });
    return true;
  }
  bool Pre(const parser::Expr &value) override {
    const auto *reference = std::get_if<common::Indirection<parser::FunctionReference>>(&value.u);
    if (reference)
      resolve(reference->value().v, [&]() -> const Symbol * {
        auto typed = semantics::AnalyzeExpr(context, value);
        const auto *call = typed ? evaluate::UnwrapProcedureRef(*typed) : nullptr;
        const Symbol *specific = call ? call->proc().GetSymbol() : nullptr;
        value.typedExpr.Reset();
        return specific;
      });
    return true;
  }

private:
  using MessageList = std::list<parser::Message>;

  static void dropRefusals(MessageList::iterator from, MessageList &messages) {
    while (from != messages.end())
      from =
          isPhrase(from->ToString(), Phrase::NoSpecific) ? messages.erase(from) : std::next(from);
  }

  template <typename Analysis>
  void resolve(const parser::Call &call, Analysis analyse) {
    const auto *name = std::get_if<parser::Name>(&std::get<parser::ProcedureDesignator>(call.t).u);
    if (!name || !name->symbol || !name->symbol->GetUltimate().has<semantics::GenericDetails>())
      return;
    bool onDevice =
        kernels > 0 || semantics::FindCUDADeviceContext(&context.FindScope(name->source));
    VariablesOfCall variables(call, onDevice, context);
    if (!variables.any())
      return;
    auto &messages = context.messages().messages();
    const size_t before = messages.size();
    if (const Symbol *specific = analyse())
      const_cast<parser::Name *>(name)->symbol = const_cast<Symbol *>(specific);
    else // which flang says again, but not what is wrong in the arguments
      dropRefusals(std::next(messages.begin(), static_cast<long>(before)), messages);
  }

  int kernels = 0; // CUF kernels around the call
  semantics::SemanticsContext &context;
};

} // namespace

void resolveAssociatedGenerics(const parser::Program &program,
                               semantics::SemanticsContext &context) {
  Calls calls(context);
  walkTree(program, calls);
}

} // namespace cufc
