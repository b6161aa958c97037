// Launches: of what cannot be launched, and with sizes that no GPU takes, as far as these are
// constants or variables that are set once. In cufc a size that fails is only warned of, since a
// program may want to see the error.
#include "base/diag.h"
#include "base/gpus.h"
#include "checks/check.h"
#include "checks/code_visitor.h"
#include "checks/constant_values.h"
#include "checks/sizes.h"
#include "flang/Semantics/expression.h"
#include "frontend/flang_versions.h"

namespace cufc {
namespace {

using namespace Fortran;
using parser::CharBlock;
using semantics::Symbol;

constexpr const char *names[] = {"x", "y", "z"};

class Launches : public CodeVisitor {
public:
  explicit Launches(CheckContext &context) : context(context), values(context) {
    skipsExpressions = true;
  }

  using CodeVisitor::Post;
  using CodeVisitor::Pre;
  bool Pre(const parser::CallStmt &call) override {
    if (!chevronsIn(call))
      return true;
    const auto &designator = std::get<parser::ProcedureDesignator>(callIn(call).t);
    const Symbol *callee =
        call.typedCall ? call.typedCall->proc().GetSymbol() : nameOf(designator).symbol;
    if (callee && (semantics::IsProcedurePointer(*callee) || semantics::IsDummy(*callee)))
      context.report(Diag::IndirectLaunch, nameOf(designator).source, callee->name().ToString());
    Extents grid, block;
    if (const auto &size = std::get<parser::CallStmt::StarOrExpr>(chevronsIn(call)->t); size.v)
      checkGrid(grid = extents(*size.v), sourceOf(*size.v));
    const auto &size = std::get<parser::ScalarExpr>(chevronsIn(call)->t);
    checkBlock(block = extents(size), sourceOf(size));
    const auto &bytes = std::get<std::optional<parser::ScalarExpr>>(chevronsIn(call)->t);
    if (callee)
      checkKernel(callee->GetUltimate(), call, grid, block);
    if (bytes)
      checkShared(callee, *bytes);
    return true;
  }
  bool Pre(const parser::CUFKernelDoConstruct::Directive &directive) override {
    using Configuration = parser::CUFKernelDoConstruct::LaunchConfiguration;
    CodeVisitor::Pre(directive);
    const auto &configuration = std::get<std::optional<Configuration>>(directive.t);
    if (configuration) {
      checkList(std::get<0>(configuration->t), &Launches::checkGrid);
      checkList(std::get<1>(configuration->t), &Launches::checkBlock);
    }
    return true;
  }

private:
  template <typename T>
  static CharBlock sourceOf(const T &expression) {
    if constexpr (std::is_same_v<T, parser::Expr>)
      return expression.source;
    else if constexpr (std::is_same_v<T, common::Indirection<parser::Expr>>)
      return expression.value().source;
    else
      return sourceOf(expression.thing);
  }
  template <typename T>
  Extents extents(const T &expression) const {
    const auto *typed = semantics::GetExpr(*context.program.context, expression);
    return typed ? values.extents(*typed) : Extents{};
  }

  // The numbers of a CUF kernel directive, one a dimension, or one type(dim3).
  template <typename List>
  void checkList(const List &sizes, void (Launches::*check)(const Extents &, CharBlock)) {
    Extents all = {1, 1, 1};
    CharBlock place;
    size_t dimension = 0;
    for (const auto &size : sizes) {
      if (!size.v)
        return;
      Extents one = extents(*size.v);
      if (sizes.size() == 1)
        all = one;
      else if (dimension < 3)
        all[dimension++] = one[0];
      if (place.empty())
        place = sourceOf(*size.v);
      else
        place.ExtendToCover(sourceOf(*size.v));
    }
    if (!place.empty())
      (this->*check)(all, place);
  }

  void tooLarge(const std::string &what, std::int64_t size, std::int64_t limit, CharBlock place) {
    lower(context.report(Diag::LaunchSize, place, what, size, limit, "more"));
  }
  void tooSmall(const std::string &what, std::int64_t size, std::int64_t limit, CharBlock place) {
    lower(context.report(Diag::LaunchSize, place, what, size, limit, "less"));
  }
  void lower(Diagnostic &diagnostic) const {
    if (!context.options.hazards)
      diagnostic.severity = Severity::Warning;
  }

  bool checkDimensions(const std::string &what, const Extents &extents,
                       const std::int64_t (&limits)[3], CharBlock place) {
    for (size_t i = 0; i < 3; ++i) {
      if (!extents[i])
        continue;
      std::string dimension = i == 0 ? what : what + " in " + names[i];
      if (*extents[i] < 1)
        return tooSmall(dimension, *extents[i], 1, place), false;
      if (*extents[i] > limits[i])
        return tooLarge(dimension, *extents[i], limits[i], place), false;
    }
    return true;
  }
  void checkGrid(const Extents &grid, CharBlock place) {
    checkDimensions("grid", grid, {LaunchLimits::gridX, LaunchLimits::gridYz, LaunchLimits::gridYz},
                    place);
  }
  void checkBlock(const Extents &block, CharBlock place) {
    constexpr std::int64_t most = LaunchLimits::blockThreads;
    if (!checkDimensions("block", block, {most, most, LaunchLimits::blockZ}, place))
      return;
    std::int64_t threads = block[0].value_or(1) * block[1].value_or(1) * block[2].value_or(1);
    if (threads > most)
      tooLarge("block", threads, most, place);
  }

  void checkShared(const Symbol *callee, const parser::ScalarExpr &expression) {
    auto bytes = extents(expression)[0];
    CharBlock place = sourceOf(expression);
    if (!bytes)
      return;
    if (*bytes < 0)
      return tooSmall("dynamic shared memory", *bytes, 0, place);
    const Procedure *kernel = callee ? context.procedures.find(callee->GetUltimate()) : nullptr;
    size_t fixed = kernel ? staticSharedBytes(context, *kernel) : 0;
    std::int64_t limit = static_cast<std::int64_t>(context.options.sharedBytes);
    if (*bytes > limit)
      tooLarge("dynamic shared memory", *bytes, limit, place);
    else if (*bytes + static_cast<std::int64_t>(fixed) > limit)
      lower(context.report(Diag::LaunchSharedMemory, place, *bytes, fixed,
                           callee->name().ToString(), limit));
  }

  // What the kernel itself says of its launches.
  void checkKernel(const Symbol &kernel, const parser::CallStmt &call, const Extents &grid,
                   const Extents &block) {
    const auto *details = kernel.detailsIf<semantics::SubprogramDetails>();
    if (!details)
      return;
    const auto &bounds = details->cudaLaunchBounds();
    CharBlock place = sourceOf(std::get<parser::ScalarExpr>(chevronsIn(call)->t));
    std::int64_t threads = block[0].value_or(1) * block[1].value_or(1) * block[2].value_or(1);
    if (!bounds.empty() && threads > bounds.front() && threads <= LaunchLimits::blockThreads) {
      Diagnostic &found = context.report(Diag::LaunchBounds, place, threads,
                                         kernel.name().ToString(), bounds.front());
      context.addDeclaration(found, kernel);
      lower(found);
    }
    const auto &cluster = details->cudaClusterDims();
    const auto &size = std::get<parser::CallStmt::StarOrExpr>(chevronsIn(call)->t);
    for (size_t i = 0; i < 3 && i < cluster.size() && size.v; ++i)
      if (grid[i] && *grid[i] > 0 && cluster[i] > 0 && *grid[i] % cluster[i] != 0) {
        Diagnostic &found = context.report(Diag::LaunchCluster, sourceOf(*size.v), *grid[i],
                                           names[i], kernel.name().ToString(), cluster[i]);
        context.addDeclaration(found, kernel);
        lower(found);
        return;
      }
  }

  CheckContext &context;
  ConstantValues values;
};

} // namespace

void checkLaunches(CheckContext &context) { context.visit<Launches>(context); }

} // namespace cufc
