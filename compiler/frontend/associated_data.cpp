// See associated_data.h.
#include "frontend/associated_data.h"
#include "flang/Evaluate/tools.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "frontend/flang_program.h"
#include "frontend/statement_visitor.h"

namespace cufc {
namespace {

using namespace Fortran;

class Arguments : public StatementVisitor {
public:
  explicit Arguments(const FlangProgram &program) : program(program) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::ActualArg &argument) {
    const auto *value = std::get_if<common::Indirection<parser::Expr>>(&argument.u);
    const auto *typed = value ? semantics::GetExpr(*program.context, value->value()) : nullptr;
    if (!typed || !evaluate::IsVariable(*typed))
      return true;
    auto memory = associatedMemory(*typed);
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

} // namespace

std::optional<common::CUDADataAttr> associatedMemory(const semantics::SomeExpr &actual) {
  const semantics::SomeExpr *value = &actual;
  const semantics::Symbol *name = nullptr;
  for (int depth = 0; value && depth < 32; ++depth) {
    const semantics::Symbol *last =
        evaluate::IsVariable(*value) ? evaluate::GetLastSymbol(*value) : nullptr;
    const auto *details = last ? last->detailsIf<semantics::AssocEntityDetails>() : nullptr;
    if (!details) {
      name = depth > 0 && last ? &last->GetUltimate() : nullptr;
      break;
    }
    value = details->expr() ? &*details->expr() : nullptr;
  }
  return name ? semantics::GetCUDADataAttr(name) : std::nullopt;
}

std::map<size_t, common::CUDADataAttr> argumentsInMemory(const FlangProgram &program) {
  Arguments arguments(program);
  parser::Walk(*program.parsing->parseTree(), arguments);
  return std::move(arguments.found);
}

bool fitsDummy(std::string_view message, common::CUDADataAttr memory) {
  using Memory = common::CUDADataAttr;
  if (message.find("but its associated actual argument has no CUDA data attribute") == message.npos)
    return false;
  bool isMapped = memory == Memory::Managed || memory == Memory::Unified;
  if (message.find("has ATTRIBUTES(DEVICE)") != message.npos)
    return memory == Memory::Device || isMapped;
  return message.find("has ATTRIBUTES(MANAGED)") != message.npos && memory == Memory::Managed;
}

} // namespace cufc
