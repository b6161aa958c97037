// Two mutators of flang's parse tree; see openmp_hints.h.
#include "frontend/workarounds/openmp_hints.h"
#include "flang/Parser/parse-tree.h"
#include "frontend/flang_versions.h"
#include "frontend/statement_visitor.h"

namespace cufc {
namespace {

using namespace Fortran::parser;
using llvm::omp::Directive;

struct MinusReductions : StatementVisitor {
  using StatementVisitor::Post;
  void Post(const OmpReductionIdentifier &visited) override {
    auto &identifier = changeable(visited);
    using Operator = DefinedOperator::IntrinsicOperator;
    if (auto *defined = std::get_if<DefinedOperator>(&identifier.u))
      if (auto *intrinsic = std::get_if<Operator>(&defined->u))
        if (*intrinsic == Operator::Subtract)
          *intrinsic = Operator::Add;
  }
};

template <typename... Kinds, typename Union>
bool holdsAny(const Union &value) {
  return (std::holds_alternative<Kinds>(value.u) || ...);
}

bool isNothing(const OmpUtility *construct) {
  return construct && std::holds_alternative<OmpNothingDirective>(construct->u);
}

bool isHint(const OpenMPDeclarativeConstruct &construct) {
  return holdsAny<OmpDeclareSimd, OmpAllocateDirective>(construct) ||
         isNothing(std::get_if<OmpUtility>(&construct.u));
}

bool isHint(const DeclarationConstruct &declaration) {
  using Indirect = Fortran::common::Indirection<OpenMPDeclarativeConstruct>;
  const auto *specification = std::get_if<SpecificationConstruct>(&declaration.u);
  const auto *construct = specification ? std::get_if<Indirect>(&specification->u) : nullptr;
  return construct && isHint(construct->value());
}

bool isNothing(const ExecutionPartConstruct &construct) {
  using Indirect = Fortran::common::Indirection<OpenMPConstruct>;
  const auto *executable = std::get_if<ExecutableConstruct>(&construct.u);
  const auto *openmp = executable ? std::get_if<Indirect>(&executable->u) : nullptr;
  return openmp && isNothing(std::get_if<OmpUtility>(&openmp->value().u));
}

// TASKLOOP for TASKLOOP SIMD, and so on; the same directive if it has no such part.
Directive withoutSimd(Directive directive) {
  switch (directive) {
  case Directive::OMPD_taskloop_simd:
    return Directive::OMPD_taskloop;
  case Directive::OMPD_master_taskloop_simd:
    return Directive::OMPD_master_taskloop;
  case Directive::OMPD_parallel_master_taskloop_simd:
    return Directive::OMPD_parallel_master_taskloop;
  case Directive::OMPD_masked_taskloop_simd:
    return Directive::OMPD_masked_taskloop;
  case Directive::OMPD_parallel_masked_taskloop_simd:
    return Directive::OMPD_parallel_masked_taskloop;
  default:
    return directive;
  }
}

struct Hints : StatementVisitor {
  using StatementVisitor::Post;
  void Post(const SpecificationPart &visited) override {
    SpecificationPart &part = changeable(visited);
    auto hint = [](const auto &each) { return isHint(each); };
    std::get<std::list<OpenMPDeclarativeConstruct>>(part.t).remove_if(hint);
    std::get<std::list<DeclarationConstruct>>(part.t).remove_if(hint);
  }
  void Post(const Block &block) override {
    changeable(block).remove_if([](const ExecutionPartConstruct &each) { return isNothing(each); });
  }

  void Post(const OmpDirectiveSpecification &directive) override { adjust(changeable(directive)); }
  void Post(const OmpClauseList &clauses) override {
    changeable(clauses).v.remove_if([](const OmpClause &clause) {
      return holdsAny<OmpClause::Order, OmpClause::Affinity, OmpClause::Allocate>(clause);
    });
  }

private:
  static void adjust(OmpDirectiveSpecification &directive) {
    auto &name = std::get<OmpDirectiveName>(directive.t);
    Directive plain = withoutSimd(name.v);
    if (plain == name.v)
      return;
    name.v = plain;
    auto &clauses = std::get<std::optional<OmpClauseList>>(directive.t);
    if (clauses)
      clauses->v.remove_if([](const OmpClause &clause) {
        return holdsAny<OmpClause::Simdlen, OmpClause::Safelen, OmpClause::Aligned,
                        OmpClause::Nontemporal>(clause);
      });
  }
};

} // namespace

void replaceMinusReductions(FlangProgram &program) {
  MinusReductions mutator;
  walkTree(*program.parsing->parseTree(), mutator);
}

void dropOpenmpHints(FlangProgram &program) {
  Hints mutator;
  walkTree(*program.parsing->parseTree(), mutator);
}

} // namespace cufc
