// Launches: of what cannot be launched, and with sizes that no GPU takes where these are constants.
// A size that fails is only warned of, since a program may want to see the error.
#include "base/diag.h"
#include "checks/check.h"
#include "flang/Semantics/expression.h"

namespace cufc {
namespace {

using namespace Fortran;
using Extents = std::vector<std::int64_t>; // x, y, z as far as they are known; none if not

// CUDA C++ programming guide, "Technical specifications".
constexpr std::int64_t maxThreads = 1024, maxBlockZ = 64, maxGridX = 2147483647, maxGridYz = 65535,
                       maxShared = 227 * 1024;

Extents extentsOf(const evaluate::Expr<evaluate::SomeType> *expression) {
  if (!expression)
    return {};
  if (auto value = evaluate::ToInt64(*expression))
    return {*value};
  const auto *dimensions = evaluate::UnwrapConstantValue<evaluate::SomeDerived>(*expression);
  auto constructor = dimensions ? dimensions->GetScalarValue() : std::nullopt;
  if (!constructor)
    return {};
  Extents found;
  for (const char *name : {"x", "y", "z"})
    for (const auto &[component, value] : constructor->values())
      if (component->name() == name)
        if (auto extent = evaluate::ToInt64(value.value()))
          found.push_back(*extent);
  return found.size() == 3 ? found : Extents{};
}

class Launches : public StatementVisitor {
public:
  explicit Launches(CheckContext &context) : context(context) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::CallStmt &call) {
    if (!call.chevrons)
      return true;
    const semantics::Symbol *callee = call.typedCall ? call.typedCall->proc().GetSymbol() : nullptr;
    if (callee && (semantics::IsProcedurePointer(*callee) || semantics::IsDummy(*callee)))
      context.report(Diag::IndirectLaunch, call.source, callee->name().ToString());
    if (const auto &grid = std::get<parser::CallStmt::StarOrExpr>(call.chevrons->t); grid.v)
      checkGrid(extents(*grid.v), call.source);
    checkBlock(extents(std::get<parser::ScalarExpr>(call.chevrons->t)), call.source);
    if (const auto &bytes = std::get<std::optional<parser::ScalarExpr>>(call.chevrons->t))
      checkShared(extents(*bytes), call.source);
    return true;
  }
  bool Pre(const parser::CUFKernelDoConstruct::Directive &directive) {
    using Configuration = parser::CUFKernelDoConstruct::LaunchConfiguration;
    const auto &configuration = std::get<std::optional<Configuration>>(directive.t);
    if (!configuration)
      return true;
    Extents block;
    for (const auto &size : std::get<1>(configuration->t)) {
      Extents one = size.v ? extents(*size.v) : Extents{};
      if (one.size() != 1)
        return true;
      block.push_back(one.front());
    }
    checkBlock(block, directive.source);
    return true;
  }

private:
  template <typename T>
  Extents extents(const T &expression) {
    return extentsOf(semantics::GetExpr(*context.program.context, expression));
  }

  void checkBlock(const Extents &block, parser::CharBlock place) {
    std::int64_t threads = 1;
    for (std::int64_t extent : block) {
      if (extent < 1 || extent > maxThreads)
        return void(context.report(Diag::LaunchSize, place, "block", extent,
                                   extent < 1 ? 1 : maxThreads, extent < 1 ? "less" : "more"));
      threads *= extent;
    }
    if (threads > maxThreads)
      context.report(Diag::LaunchSize, place, "block", threads, maxThreads, "more");
    else if (block.size() == 3 && block[2] > maxBlockZ)
      context.report(Diag::LaunchSize, place, "block in z", block[2], maxBlockZ, "more");
  }

  void checkShared(const Extents &bytes, parser::CharBlock place) {
    if (bytes.size() == 1 && bytes[0] > maxShared)
      context.report(Diag::LaunchSize, place, "dynamic shared memory", bytes[0], maxShared, "more");
  }

  void checkGrid(const Extents &grid, parser::CharBlock place) {
    for (size_t i = 0; i < grid.size(); ++i) {
      std::int64_t limit = i == 0 ? maxGridX : maxGridYz;
      if (grid[i] < 1 || grid[i] > limit)
        return void(context.report(Diag::LaunchSize, place, "grid", grid[i],
                                   grid[i] < 1 ? 1 : limit, grid[i] < 1 ? "less" : "more"));
    }
  }

  CheckContext &context;
};

} // namespace

void checkLaunches(CheckContext &context) {
  Launches launches(context);
  context.walk(launches);
}

} // namespace cufc
