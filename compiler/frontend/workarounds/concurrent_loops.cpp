// See concurrent_loops.h. DO CONCURRENT becomes loops inside each other, the last index innermost:
// flang 22 gives its indices another type than they have, and does not survive do(2). Its
// iterations may run in any order, and a CUF kernel gives each its own copy of scalars, which is
// what LOCAL asks for.
//
//   !$cuf kernel do <<<*, *>>>                                block
//   do concurrent (integer(8) :: i = 1:n, j = 1:n, i /= j) &    integer(8) :: i, j
//       reduce(+:s)                                             !$cuf kernel do(2) <<<*, *>>>
//       reduce(+:s)
//     s = s + a(i, j)                                           do i = 1, n
//   end do                                                        do j = 1, n
//                                                                   if (i /= j) then
//                                                                     s = s + a(i, j)
//
// A mask counts before any iteration runs. As an IF it is asked in each iteration, which is the
// same if the loop does not change what it reads (concurrent_masks.h); other masks are left to
// flang and to cuf_kernel_branches.cpp, which reports them.
#include "frontend/workarounds/concurrent_loops.h"
#include "base/language_diag.h"
#include "flang/Parser/tools.h"
#include "frontend/flang_versions.h"
#include "frontend/lenient/nested_statements.h"
#include "frontend/messages.h"
#include "frontend/statement_visitor.h"
#include "frontend/workarounds/concurrent_masks.h"

namespace cufc {
namespace {

using namespace Fortran;
using Directive = parser::CUFKernelDoConstruct::Directive;
using DoStatement = parser::Statement<parser::NonLabelDoStmt>;
using EndStatement = parser::Statement<parser::EndDoStmt>;
using Controls = std::list<parser::ConcurrentControl>;

// The literals of flang's tree lie in a text.
constexpr const char *digits[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};

void setDepth(Directive &directive, size_t depth) {
  parser::IntLiteralConstant number{parser::CharBlock(digits[depth], 1),
                                    std::optional<parser::KindParam>{}};
  parser::Expr value{parser::LiteralConstant{std::move(number)}};
  value.source = directive.source;
  using Constant = parser::Constant<common::Indirection<parser::Expr>>;
  std::get<0>(directive.t) = parser::ScalarIntConstantExpr{
      parser::Integer<Constant>{Constant{common::Indirection<parser::Expr>{std::move(value)}}}};
}

parser::LoopControl::Concurrent *concurrentControl(parser::DoConstruct &loop) {
  auto &control =
      std::get<std::optional<parser::LoopControl>>(std::get<DoStatement>(loop.t).statement.t);
  return control ? std::get_if<parser::LoopControl::Concurrent>(&control->u) : nullptr;
}

parser::LoopControl controlOf(parser::ConcurrentControl &&from) {
  auto expression = [](parser::ScalarIntExpr &&value) {
    return parser::ScalarExpr{std::move(value.thing.thing)};
  };
  auto &step = std::get<std::optional<parser::ScalarIntExpr>>(from.t);
  std::optional<parser::ScalarExpr> by;
  if (step)
    by = expression(std::move(*step));
  return parser::LoopControl{
      parser::LoopControl::Bounds{parser::ScalarName{std::move(std::get<parser::Name>(from.t))},
                                  expression(std::move(std::get<1>(from.t))),
                                  expression(std::move(std::get<2>(from.t))), std::move(by)}};
}

template <typename T>
parser::Statement<T> statementAt(parser::CharBlock source, T &&content) {
  parser::Statement<T> statement{std::nullopt, std::move(content)};
  statement.source = source;
  return statement;
}

template <typename T>
void append(parser::Block &block, T &&construct) {
  block.emplace_back(
      parser::ExecutableConstruct{common::Indirection<std::decay_t<T>>{std::move(construct)}});
}

// The parts of a DO CONCURRENT that the loops in its place are made of.
struct Parts {
  parser::CharBlock source, endSource;
  std::optional<parser::Name> name;
  std::optional<parser::Label> label, endLabel;
  parser::Block body;
};

Parts takeParts(parser::DoConstruct &loop) {
  auto &opening = std::get<DoStatement>(loop.t);
  auto &closing = std::get<EndStatement>(loop.t);
  return {opening.source,
          closing.source,
          std::move(std::get<std::optional<parser::Name>>(opening.statement.t)),
          std::move(opening.label),
          std::move(closing.label),
          std::move(std::get<parser::Block>(loop.t))};
}

// A loop around the body. CYCLE and a label of END DO mean the innermost of the loops, which is
// made first.
parser::DoConstruct loopAround(Parts &parts, parser::LoopControl &&control) {
  std::optional<parser::Name> endName;
  if (parts.name)
    endName = *parts.name;
  auto opening = statementAt(
      parts.source, parser::NonLabelDoStmt{std::move(parts.name), std::optional<parser::Label>{},
                                           std::optional<parser::LoopControl>{std::move(control)}});
  auto closing = statementAt(parts.endSource, parser::EndDoStmt{std::move(endName)});
  closing.label = std::move(parts.endLabel);
  parser::Block body = std::move(parts.body);
  parts.name.reset();
  parts.endLabel.reset();
  parts.body.clear();
  return parser::DoConstruct{std::move(opening), std::move(body), std::move(closing)};
}

void putUnderMask(Parts &parts, parser::ScalarLogicalExpr &&mask) {
  parser::IfConstruct branch{
      statementAt(parts.source, parser::IfThenStmt{std::optional<parser::Name>{}, std::move(mask)}),
      std::move(parts.body), std::list<parser::IfConstruct::ElseIfBlock>{},
      std::optional<parser::IfConstruct::ElseBlock>{},
      statementAt(parts.endSource, parser::EndIfStmt{std::optional<parser::Name>{}})};
  parts.body.clear();
  append(parts.body, std::move(branch));
}

// Whether a block has subscripts behind a name.
class HasSubscripts : public StatementVisitor {
public:
  explicit HasSubscripts(const parser::Name &name) : name(name) {}
  using StatementVisitor::Pre;
  bool Pre(const parser::ArrayElement &element) override {
    return look(parser::GetFirstName(baseIn(element)));
  }
  bool Pre(const parser::FunctionReference &call) override {
    return look(parser::GetFirstName(call));
  }
  bool found = false;

private:
  bool look(const parser::Name &first) { return !(found |= first.source == name.source); }
  const parser::Name &name;
};

parser::CUFReduction reductionOf(parser::LocalitySpec::Reduce &&from) {
  std::list<parser::Scalar<parser::Variable>> variables;
  for (parser::Name &name : std::get<std::list<parser::Name>>(from.t)) {
    parser::CharBlock source = name.source;
    parser::Designator designator{parser::DataRef{std::move(name)}};
    designator.source = source;
    variables.emplace_back(
        parser::Variable{common::Indirection<parser::Designator>{std::move(designator)}});
  }
  return parser::CUFReduction{std::move(std::get<0>(from.t)), std::move(variables)};
}

// REDUCE is a clause of the directive. What LOCAL means for scalars, a CUF kernel does by itself;
// SHARED is what arrays are, and DEFAULT(NONE) has no meaning of its own.
void takeLocality(std::list<parser::LocalitySpec> &specs, Directive &directive,
                  const parser::Block &body, const FlangProgram &program,
                  Diagnostics &diagnostics) {
  auto refuse = [&](const parser::Name &name, const char *what) {
    diagnostics.report(LanguageDiag::LocalityUnsupported, rangeOf(program, name.source),
                       name.source.ToString(), what);
  };
  for (parser::LocalitySpec &spec : specs) {
    if (auto *reduce = std::get_if<parser::LocalitySpec::Reduce>(&spec.u))
      std::get<std::list<parser::CUFReduction>>(directive.t)
          .push_back(reductionOf(std::move(*reduce)));
    else if (const auto *initial = std::get_if<parser::LocalitySpec::LocalInit>(&spec.u))
      for (const parser::Name &name : initial->v)
        refuse(name, "LOCAL_INIT");
    else if (const auto *local = std::get_if<parser::LocalitySpec::Local>(&spec.u))
      for (const parser::Name &name : local->v) {
        HasSubscripts array(name);
        walkTree(body, array);
        if (array.found)
          refuse(name, "LOCAL as an array");
      }
  }
}

// Declares the indices with their type in a BLOCK around [first, last) of `block`.
void declareIndices(parser::Block &block, parser::Block::iterator first,
                    parser::Block::iterator last, parser::IntegerTypeSpec &&type,
                    const std::vector<parser::Name> &indices, parser::CharBlock source,
                    parser::CharBlock endSource) {
  std::list<parser::EntityDecl> entities;
  for (const parser::Name &name : indices)
    entities.emplace_back(parser::ObjectName{name}, std::optional<parser::ArraySpec>{},
                          std::optional<parser::CoarraySpec>{}, std::optional<parser::CharLength>{},
                          std::optional<parser::Initialization>{});
  using Declaration = common::Indirection<parser::TypeDeclarationStmt>;
  std::list<parser::DeclarationConstruct> declarations;
  declarations.emplace_back(parser::SpecificationConstruct{statementAt(
      source, Declaration{parser::TypeDeclarationStmt{
                  parser::DeclarationTypeSpec{parser::IntrinsicTypeSpec{std::move(type)}},
                  std::list<parser::AttrSpec>{}, std::move(entities)}})});
  parser::SpecificationPart specification{
      std::list<parser::OpenACCDeclarativeConstruct>{},
      std::list<parser::OpenMPDeclarativeConstruct>{},
      std::list<common::Indirection<parser::CompilerDirective>>{},
      std::list<parser::Statement<common::Indirection<parser::UseStmt>>>{},
      std::list<parser::Statement<common::Indirection<parser::ImportStmt>>>{},
      parser::ImplicitPart{std::list<parser::ImplicitPartStmt>{}},
      std::move(declarations)};
  parser::Block body;
  body.splice(body.end(), block, first, last);
  parser::BlockConstruct around{
      statementAt(source, parser::BlockStmt{std::optional<parser::Name>{}}),
      parser::BlockSpecificationPart{std::move(specification)}, std::move(body),
      statementAt(endSource, parser::EndBlockStmt{std::optional<parser::Name>{}})};
  parser::Block made;
  append(made, std::move(around));
  block.splice(last, made);
}

// The loops in place of one; its header has only the controls left.
void spread(parser::DoConstruct &loop, Controls &&controls,
            std::optional<parser::ScalarLogicalExpr> &&mask) {
  Parts parts = takeParts(loop);
  std::optional<parser::Label> label = std::move(parts.label);
  if (mask)
    putUnderMask(parts, std::move(*mask));
  for (; controls.size() > 1; controls.pop_back())
    append(parts.body, loopAround(parts, controlOf(std::move(controls.back()))));
  loop = loopAround(parts, controlOf(std::move(controls.back())));
  std::get<DoStatement>(loop.t).label = std::move(label);
}

} // namespace

size_t depthOf(const Directive &directive) {
  const auto &number = std::get<0>(directive.t);
  const auto *literal =
      number ? std::get_if<parser::LiteralConstant>(&number->thing.thing.thing.value().u) : nullptr;
  const auto *integer = literal ? std::get_if<parser::IntLiteralConstant>(&literal->u) : nullptr;
  std::string text = integer ? std::get<0>(integer->t).ToString() : "";
  return text.size() == 1 ? static_cast<size_t>(text[0] - '0') : 0;
}

parser::Block::iterator spreadConcurrentLoop(parser::Block &block,
                                             parser::Block::iterator directive,
                                             const FlangProgram &program,
                                             Diagnostics &diagnostics) {
  auto *kernel = const_cast<parser::CUFKernelDoConstruct *>(
      parser::Unwrap<parser::CUFKernelDoConstruct>(*directive));
  auto next = std::next(directive), last = next;
  auto &own = std::get<std::optional<parser::DoConstruct>>(kernel->t);
  auto *loop = own ? &*own : nullptr;
  if (!loop && last != block.end())
    loop = const_cast<parser::DoConstruct *>(parser::Unwrap<parser::DoConstruct>(*last++));
  auto *concurrent = loop ? concurrentControl(*loop) : nullptr;
  if (!concurrent)
    return next;
  auto &header = std::get<parser::ConcurrentHeader>(concurrent->t);
  auto &mask = std::get<std::optional<parser::ScalarLogicalExpr>>(header.t);
  Controls &controls = std::get<Controls>(header.t);
  std::vector<parser::Name> indices;
  for (const parser::ConcurrentControl &control : controls)
    indices.push_back(std::get<parser::Name>(control.t));
  const auto &body = std::get<parser::Block>(loop->t);
  if (controls.size() >= std::size(digits) ||
      (mask && !canMaskEachIteration(mask->thing.thing.value(), body, indices)))
    return next;
  auto &clauses = std::get<Directive>(kernel->t);
  takeLocality(std::get<std::list<parser::LocalitySpec>>(concurrent->t), clauses, body, program,
               diagnostics);
  if (depthOf(clauses) < controls.size())
    setDepth(clauses, controls.size());
  std::optional<parser::IntegerTypeSpec> type =
      std::move(std::get<std::optional<parser::IntegerTypeSpec>>(header.t));
  parser::CharBlock source = std::get<DoStatement>(loop->t).source,
                    endSource = std::get<EndStatement>(loop->t).source;
  spread(*loop, std::move(controls), std::move(mask));
  if (type)
    declareIndices(block, directive, last, std::move(*type), indices, source, endSource);
  return last;
}

} // namespace cufc
