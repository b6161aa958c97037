// See associated_data.h.
#include "frontend/workarounds/associated_data.h"
#include "base/flang_phrases.h"
#include "flang/Evaluate/tools.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "frontend/flang_program.h"
#include "frontend/flang_versions.h"
#include "frontend/statement_visitor.h"

namespace cufc {
namespace {

using namespace Fortran;

class Arguments : public StatementVisitor {
public:
  explicit Arguments(const FlangProgram &program) : program(program) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::ActualArg &argument) override {
    const auto *value = std::get_if<common::Indirection<parser::Expr>>(&argument.u);
    const auto *typed = value ? semantics::GetExpr(*program.context, value->value()) : nullptr;
    if (!typed || !evaluate::IsVariable(*typed))
      return true;
    auto memory = inheritedMemory(*typed);
    if (const semantics::Symbol *symbol = evaluate::GetLastSymbol(*typed); symbol && !memory)
      memory = semantics::GetCUDADataAttr(&symbol->GetUltimate());
    if (!memory)
      return true;
    if (auto place = program.cooked.GetProvenanceRange(value->value().source))
      found[place->start().offset()] = *memory;
    return true;
  }

  std::map<size_t, common::CUDADataAttr> found;

private:
  const FlangProgram &program;
};

bool isChoiceBuffer(const semantics::Symbol *dummy) {
  const auto *object = dummy ? dummy->detailsIf<semantics::ObjectEntityDetails>() : nullptr;
  if (!object)
    return false;
  const semantics::DeclTypeSpec *type = dummy->GetType();
  bool isAssumedType = type && type->category() == semantics::DeclTypeSpec::TypeStar;
  return (isAssumedType && object->shape().CanBeAssumedSize()) ||
         object->ignoreTKR().test(common::IgnoreTKR::Rank);
}

class ChoiceBuffers : public ShallowVisitor {
public:
  explicit ChoiceBuffers(const FlangProgram &program) : program(program) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::CallStmt &call) override {
    const semantics::Symbol *callee = call.typedCall ? call.typedCall->proc().GetSymbol() : nullptr;
    const auto *details =
        callee ? callee->GetUltimate().detailsIf<semantics::SubprogramDetails>() : nullptr;
    if (!details)
      return false;
    int position = 0;
    for (const parser::ActualArgSpec &argument :
         std::get<std::list<parser::ActualArgSpec>>(callIn(call).t))
      if (isChoiceBuffer(dummyOf(argument, *details, position++)))
        add(std::get<parser::ActualArg>(argument.t));
    return false;
  }

  std::set<size_t> found;

private:
  static const semantics::Symbol *dummyOf(const parser::ActualArgSpec &argument,
                                          const semantics::SubprogramDetails &details,
                                          int position) {
    const auto &dummies = details.dummyArgs();
    const auto &keyword = std::get<std::optional<parser::Keyword>>(argument.t);
    if (!keyword)
      return static_cast<size_t>(position) < dummies.size() ? dummies[position] : nullptr;
    for (const semantics::Symbol *dummy : dummies)
      if (dummy && dummy->name() == keyword->v.source)
        return dummy;
    return nullptr;
  }

  void add(const parser::ActualArg &argument) {
    const auto *value = std::get_if<common::Indirection<parser::Expr>>(&argument.u);
    auto place = value ? program.cooked.GetProvenanceRange(value->value().source) : std::nullopt;
    if (place)
      found.insert(place->start().offset());
  }

  const FlangProgram &program;
};

} // namespace

std::optional<common::CUDADataAttr> inheritedMemory(const semantics::SomeExpr &actual) {
  const semantics::Symbol *last =
      evaluate::IsVariable(actual) ? evaluate::GetLastSymbol(actual) : nullptr;
  if (!last || semantics::GetCUDADataAttr(&last->GetUltimate()))
    return std::nullopt;
  // What associate names stand for takes their place there.
  evaluate::SymbolVector chain = evaluate::GetSymbolVector(actual);
  for (auto part = chain.rbegin(); part != chain.rend(); ++part) {
    const semantics::Symbol &symbol = (*part)->GetUltimate();
    if (auto memory = semantics::GetCUDADataAttr(&symbol))
      return memory;
    if (semantics::IsAllocatableOrPointer(symbol)) // its descriptor leads to memory of its own
      return std::nullopt;
  }
  return std::nullopt;
}

std::map<size_t, common::CUDADataAttr> argumentsInMemory(const FlangProgram &program) {
  Arguments arguments(program);
  walkTree(*program.parsing->parseTree(), arguments);
  return std::move(arguments.found);
}

std::set<size_t> choiceBuffers(const FlangProgram &program) {
  ChoiceBuffers buffers(program);
  walkTree(*program.parsing->parseTree(), buffers);
  return std::move(buffers.found);
}

bool fitsDummy(std::string_view message, common::CUDADataAttr memory) {
  using Memory = common::CUDADataAttr;
  if (!isPhrase(message, Phrase::NoDataAttribute))
    return false;
  bool isMapped = memory == Memory::Managed || memory == Memory::Unified;
  if (isPhrase(message, Phrase::DeviceDummy))
    return memory == Memory::Device || isMapped;
  return isPhrase(message, Phrase::ManagedDummy) && memory == Memory::Managed;
}

} // namespace cufc
