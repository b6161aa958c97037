// See cuf_kernel_places.h. flang's tree holds the statements of a block in a list; flang joins a
// directive with a loop that is its neighbour there.
//
// DO CONCURRENT becomes loops inside each other, the last index innermost: flang 22 gives its
// indices another type than they have, and does not survive do(2). Its iterations may run in any
// order, and a CUF kernel gives each its own copy of scalars, which is what LOCAL asks for. A mask,
// which counts before any iteration runs, and an index with a type of its own are left to flang and
// the checks.
#include "frontend/cuf_kernel_places.h"
#include "base/language_diag.h"
#include "flang/Parser/parse-tree-visitor.h"
#include "flang/Parser/parse-tree.h"
#include "flang/Parser/tools.h"
#include "frontend/messages.h"

namespace cufc {
namespace {

using namespace Fortran;

bool isDirectiveAlone(const parser::ExecutionPartConstruct &part) {
  const auto *kernel = parser::Unwrap<parser::CUFKernelDoConstruct>(part);
  return kernel && !std::get<std::optional<parser::DoConstruct>>(kernel->t);
}

bool isLoop(const parser::ExecutionPartConstruct &part) {
  return parser::Unwrap<parser::DoConstruct>(part) || parser::Unwrap<parser::LabelDoStmt>(part);
}

// The literals of flang's tree lie in a text.
constexpr const char *digits[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};

void setDepth(parser::CUFKernelDoConstruct::Directive &directive, size_t depth) {
  parser::IntLiteralConstant number{parser::CharBlock(digits[depth], 1),
                                    std::optional<parser::KindParam>{}};
  parser::Expr value{parser::LiteralConstant{std::move(number)}};
  value.source = directive.source;
  using Constant = parser::Constant<common::Indirection<parser::Expr>>;
  std::get<0>(directive.t) = parser::ScalarIntConstantExpr{
      parser::Integer<Constant>{Constant{common::Indirection<parser::Expr>{std::move(value)}}}};
}

// The number in do(2), if it is a literal.
size_t depthOf(const parser::CUFKernelDoConstruct::Directive &directive) {
  const auto &number = std::get<0>(directive.t);
  const auto *literal =
      number ? std::get_if<parser::LiteralConstant>(&number->thing.thing.thing.value().u) : nullptr;
  const auto *integer = literal ? std::get_if<parser::IntLiteralConstant>(&literal->u) : nullptr;
  std::string text = integer ? std::get<0>(integer->t).ToString() : "";
  return text.size() == 1 ? static_cast<size_t>(text[0] - '0') : 0;
}

using DoStatement = parser::Statement<parser::NonLabelDoStmt>;
using EndStatement = parser::Statement<parser::EndDoStmt>;

// The controls of a DO CONCURRENT that ordinary loops can stand for.
std::list<parser::ConcurrentControl> *plainControls(parser::DoConstruct &loop) {
  auto &control =
      std::get<std::optional<parser::LoopControl>>(std::get<DoStatement>(loop.t).statement.t);
  auto *concurrent = control ? std::get_if<parser::LoopControl::Concurrent>(&control->u) : nullptr;
  if (!concurrent)
    return nullptr;
  auto &header = std::get<parser::ConcurrentHeader>(concurrent->t);
  if (std::get<std::optional<parser::IntegerTypeSpec>>(header.t) ||
      std::get<std::optional<parser::ScalarLogicalExpr>>(header.t))
    return nullptr;
  return &std::get<std::list<parser::ConcurrentControl>>(header.t);
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

// A loop around a block. CYCLE and a label of END DO mean the innermost of the loops.
parser::DoConstruct loopAround(parser::Block &&body, parser::LoopControl &&control,
                               parser::CharBlock source, parser::CharBlock endSource,
                               std::optional<parser::Name> &&name,
                               std::optional<parser::Label> &&endLabel) {
  std::optional<parser::Name> endName;
  if (name)
    endName = *name;
  DoStatement opening{
      std::nullopt, parser::NonLabelDoStmt{std::move(name), std::optional<parser::Label>{},
                                           std::optional<parser::LoopControl>{std::move(control)}}};
  opening.source = source;
  EndStatement closing{std::move(endLabel), parser::EndDoStmt{std::move(endName)}};
  closing.source = endSource;
  return parser::DoConstruct{std::move(opening), std::move(body), std::move(closing)};
}

void spread(parser::CUFKernelDoConstruct::Directive &directive, parser::DoConstruct &loop) {
  auto *controls = plainControls(loop);
  if (!controls || controls->size() >= std::size(digits))
    return;
  size_t depth = controls->size();
  if (depthOf(directive) < depth)
    setDepth(directive, depth);
  auto &opening = std::get<DoStatement>(loop.t);
  auto &closing = std::get<EndStatement>(loop.t);
  parser::CharBlock source = opening.source, endSource = closing.source;
  auto name = std::move(std::get<std::optional<parser::Name>>(opening.statement.t));
  auto label = std::move(opening.label), endLabel = std::move(closing.label);
  parser::Block body = std::move(std::get<parser::Block>(loop.t));
  std::list<parser::ConcurrentControl> all = std::move(*controls);
  for (; all.size() > 1; all.pop_back()) {
    parser::DoConstruct inner = loopAround(std::move(body), controlOf(std::move(all.back())),
                                           source, endSource, std::move(name), std::move(endLabel));
    name.reset();
    endLabel.reset();
    body.clear();
    body.emplace_back(
        parser::ExecutableConstruct{common::Indirection<parser::DoConstruct>{std::move(inner)}});
  }
  loop = loopAround(std::move(body), controlOf(std::move(all.back())), source, endSource,
                    std::move(name), std::move(endLabel));
  std::get<DoStatement>(loop.t).label = std::move(label);
}

class Directives {
public:
  explicit Directives(std::vector<parser::CharBlock> &moved) : moved(moved) {}

  template <typename T>
  bool Pre(T &) {
    return true;
  }
  template <typename T>
  void Post(T &) {}
  void Post(parser::CUFKernelDoConstruct &kernel) {
    if (auto &loop = std::get<std::optional<parser::DoConstruct>>(kernel.t))
      spread(std::get<parser::CUFKernelDoConstruct::Directive>(kernel.t), *loop);
  }
  void Post(parser::Block &block) {
    for (auto part = block.begin(); part != block.end();) {
      auto directive = part++;
      if (!isDirectiveAlone(*directive))
        continue;
      auto loop = part;
      while (loop != block.end() && parser::Unwrap<parser::AssignmentStmt>(*loop))
        ++loop;
      if (loop == part || loop == block.end() || !isLoop(*loop))
        continue;
      const auto *kernel = parser::Unwrap<parser::CUFKernelDoConstruct>(*directive);
      moved.push_back(std::get<parser::CUFKernelDoConstruct::Directive>(kernel->t).source);
      block.splice(loop, block, directive);
      spreadNext(*directive, *loop);
    }
  }

private:
  static void spreadNext(parser::ExecutionPartConstruct &directive,
                         parser::ExecutionPartConstruct &loop) {
    auto *kernel = const_cast<parser::CUFKernelDoConstruct *>(
        parser::Unwrap<parser::CUFKernelDoConstruct>(directive));
    if (const auto *construct = parser::Unwrap<parser::DoConstruct>(loop))
      spread(std::get<parser::CUFKernelDoConstruct::Directive>(kernel->t),
             const_cast<parser::DoConstruct &>(*construct));
  }

  std::vector<parser::CharBlock> &moved;
};

} // namespace

void moveDirectivesToLoops(FlangProgram &program, Diagnostics &diagnostics) {
  std::vector<parser::CharBlock> moved;
  Directives directives(moved);
  parser::Walk(*program.parsing->parseTree(), directives);
  for (parser::CharBlock directive : moved)
    diagnostics.report(LanguageDiag::DistantDirective, rangeOf(program, directive));
}

} // namespace cufc
