// See cuf_kernel_branches.h. An iteration of the parallel loops may end early (CYCLE of the
// innermost one, GO TO its END DO); what leaves the loops, or skips iterations of an outer one, has
// no meaning when all iterations run at the same time. The same holds for loops whose iterations
// are not known before the launch.
#include "frontend/workarounds/cuf_kernel_branches.h"
#include "base/diag.h"
#include "base/language_diag.h"
#include "flang/Evaluate/tools.h"
#include "flang/Parser/tools.h"
#include "flang/Semantics/tools.h"
#include "frontend/findings.h"
#include "frontend/flang_versions.h"
#include "frontend/statement_visitor.h"
#include <set>

namespace cufc {
namespace {

using namespace Fortran;

struct Wrong {
  const char *message;
  DiagnosticId<> diagnostic;
};
constexpr Wrong leavesLoops{"branch out of the parallel loops", Diag::CufKernelExit},
    skipsIterations{"CYCLE of an outer parallel loop", Diag::CufKernelCycle},
    jumpsOut{"GO TO out of the loop body", Diag::CufKernelJump},
    returns{"RETURN in the loop body", Diag::CufKernelReturn},
    dependsOnOuter{"bounds that depend on an outer parallel loop", Diag::CufKernelBounds},
    hasMask{"mask of a parallel DO CONCURRENT", Diag::CufKernelMask},
    standsBetween{"statement between the parallel loops that is more than a scalar's value",
                  LanguageDiag::ValueBetweenLoops};
constexpr const Wrong *all[] = {&leavesLoops,    &skipsIterations, &jumpsOut,     &returns,
                                &dependsOnOuter, &hasMask,         &standsBetween};

void say(semantics::SemanticsContext &context, parser::CharBlock place, const Wrong &wrong) {
  context.Say(place, parser::MessageFixedText{wrong.message, std::string_view(wrong.message).size(),
                                              parser::Severity::Error});
}

using Name = std::optional<parser::Name>;

Name constructName(const parser::DoConstruct &loop) {
  return std::get<Name>(std::get<parser::Statement<parser::NonLabelDoStmt>>(loop.t).statement.t);
}

// The labels of a loop body, with that of the END DO.
class Labels : public StatementVisitor {
public:
  bool enterStatement(const StatementHead &head) override {
    if (head.label)
      labels.insert(*head.label);
    return true;
  }
  std::set<parser::Label> labels;
};

// Finds the wrong branches in the innermost of the parallel loops.
class Branches : public ShallowVisitor {
public:
  Branches(semantics::SemanticsContext &context, Name innermost, std::set<parser::Label> labels)
      : context(context), innermost(std::move(innermost)), labels(std::move(labels)) {}

  using StatementVisitor::Post;
  using StatementVisitor::Pre;
  bool Pre(const parser::DoConstruct &loop) override {
    names.push_back(constructName(loop));
    ++loops;
    return true;
  }
  void Post(const parser::DoConstruct &) override {
    names.pop_back();
    --loops;
  }
  // The other constructs that EXIT may name.
  bool Pre(const parser::IfConstruct &x) override { return named<parser::IfThenStmt>(x); }
  void Post(const parser::IfConstruct &) override { names.pop_back(); }
  bool Pre(const parser::CaseConstruct &x) override { return named<parser::SelectCaseStmt>(x); }
  void Post(const parser::CaseConstruct &) override { names.pop_back(); }
  bool Pre(const parser::AssociateConstruct &x) override { return named<parser::AssociateStmt>(x); }
  void Post(const parser::AssociateConstruct &) override { names.pop_back(); }
  bool Pre(const parser::BlockConstruct &x) override {
    names.push_back(std::get<parser::Statement<parser::BlockStmt>>(x.t).statement.v);
    return true;
  }
  void Post(const parser::BlockConstruct &) override { names.pop_back(); }

  bool Pre(const parser::ExitStmt &exit) override {
    if (exit.v ? !isInside(*exit.v) : loops == 0)
      say(leavesLoops);
    return false;
  }
  bool Pre(const parser::CycleStmt &cycle) override {
    bool ofInnermost = cycle.v && innermost && cycle.v->source == innermost->source;
    if (cycle.v && !ofInnermost && !isInside(*cycle.v))
      say(skipsIterations);
    return false;
  }
  bool Pre(const parser::GotoStmt &jump) override {
    if (!labels.count(jump.v))
      say(jumpsOut);
    return false;
  }
  bool Pre(const parser::ReturnStmt &) override {
    say(returns);
    return false;
  }

private:
  template <typename Statement, typename Construct>
  bool named(const Construct &construct) {
    names.push_back(
        std::get<Name>(std::get<parser::Statement<Statement>>(construct.t).statement.t));
    return true;
  }

  bool isInside(const parser::Name &name) const {
    for (const Name &construct : names)
      if (construct && construct->source == name.source)
        return true;
    return false;
  }

  void say(const Wrong &wrong) { cufc::say(context, source, wrong); }

  semantics::SemanticsContext &context;
  Name innermost;
  std::set<parser::Label> labels;
  std::vector<Name> names; // of the constructs around the statement, inside the body
  int loops = 0;
};

// Whether one of some variables is named.
class Uses : public StatementVisitor {
public:
  explicit Uses(const std::set<const semantics::Symbol *> &variables) : variables(variables) {}

  using StatementVisitor::Post;
  void Post(const parser::Name &name) override { found |= variables.count(name.symbol) != 0; }
  bool found = false;

private:
  const std::set<const semantics::Symbol *> &variables;
};

// Of assignments that stood in front of the innermost loop (nested_statements.h) those that are not
// a scalar's value alone.
class MovedStatements : public StatementVisitor {
public:
  MovedStatements(semantics::SemanticsContext &context, const char *innermost)
      : context(context), innermost(innermost) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::AssignmentStmt &assignment) override {
    const parser::Name &target = parser::GetFirstName(std::get<parser::Variable>(assignment.t));
    isMoved = source.begin() < innermost;
    if (isMoved && target.symbol && target.symbol->Rank() > 0)
      say(context, source, standsBetween);
    return isMoved;
  }
  void Post(const parser::AssignmentStmt &) override { isMoved = false; }
  using StatementVisitor::Post;
  bool Pre(const parser::FunctionReference &call) override {
    const parser::Name &name = parser::GetFirstName(call);
    if (isMoved && name.symbol && !name.symbol->attrs().test(semantics::Attr::INTRINSIC) &&
        !semantics::IsPureProcedure(*name.symbol))
      say(context, source, standsBetween);
    return true;
  }

private:
  semantics::SemanticsContext &context;
  const char *innermost;
  bool isMoved = false;
};

class Kernels : public ShallowVisitor {
public:
  explicit Kernels(semantics::SemanticsContext &context) : context(context) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::CUFKernelDoConstruct &kernel) override {
    const auto &loop = std::get<std::optional<parser::DoConstruct>>(kernel.t);
    if (loop)
      check(*loop, depth(std::get<parser::CUFKernelDoConstruct::Directive>(kernel.t)));
    return false;
  }

private:
  static std::int64_t depth(const parser::CUFKernelDoConstruct::Directive &directive) {
    const auto &number = std::get<std::optional<parser::ScalarIntConstantExpr>>(directive.t);
    const auto *value = number ? semantics::GetExpr(nullptr, *number) : nullptr;
    return value ? evaluate::ToInt64(*value).value_or(1) : 1;
  }

  void check(const parser::DoConstruct &outermost, std::int64_t depth) {
    const parser::DoConstruct *loop = &outermost;
    const parser::Block *body = &std::get<parser::Block>(loop->t);
    std::set<const semantics::Symbol *> outer;
    checkControl(*loop, outer);
    for (; depth > 1 && !loop->IsDoConcurrent() && !body->empty(); --depth) {
      const auto *inner = parser::Unwrap<parser::DoConstruct>(body->front());
      if (!inner)
        return; // which flang has reported
      loop = inner;
      body = &std::get<parser::Block>(loop->t);
      checkControl(*loop, outer);
    }
    Labels inside;
    walkTree(*body, inside);
    if (const auto &end = std::get<parser::Statement<parser::EndDoStmt>>(loop->t); end.label)
      inside.labels.insert(*end.label);
    Branches branches(context, constructName(*loop), std::move(inside.labels));
    walkTree(*body, branches);
    const auto &opening = std::get<parser::Statement<parser::NonLabelDoStmt>>(loop->t);
    MovedStatements moved(context, opening.source.begin());
    walkTree(*body, moved);
  }

  // Adds the loop's variable to those of the loops around it.
  void checkControl(const parser::DoConstruct &loop, std::set<const semantics::Symbol *> &outer) {
    const auto &statement = std::get<parser::Statement<parser::NonLabelDoStmt>>(loop.t);
    const auto &control = loop.GetLoopControl();
    if (!control)
      return;
    if (const auto *concurrent = std::get_if<parser::LoopControl::Concurrent>(&control->u)) {
      const auto &header = std::get<parser::ConcurrentHeader>(concurrent->t);
      if (std::get<std::optional<parser::ScalarLogicalExpr>>(header.t))
        say(context, statement.source, hasMask);
    } else if (const auto *bounds = std::get_if<parser::LoopControl::Bounds>(&control->u)) {
      Uses uses(outer);
      walkTree(*bounds, uses);
      if (uses.found)
        say(context, statement.source, dependsOnOuter);
      outer.insert(variableIn(*bounds).thing.symbol);
    }
  }

  semantics::SemanticsContext &context;
};

} // namespace

bool checkCufKernelBranches(FlangProgram &program) {
  struct Nothing {
  } nothing;
  static constexpr FindingFilter<Nothing> filters[] = {
      {Workaround::CufKernelBranches,
       [](const Finding &finding, Nothing &) { return finding.is(Phrase::KernelStatement); }}};
  bool anyErrors = dropFindings(program, /*errors=*/true, filters, nothing);
  Kernels kernels(*program.context);
  walkTree(*program.parsing->parseTree(), kernels);
  return anyErrors;
}

std::optional<DiagnosticId<>> cufKernelBranch(std::string_view message) {
  for (const Wrong *wrong : all)
    if (message == wrong->message)
      return wrong->diagnostic;
  return std::nullopt;
}

} // namespace cufc
