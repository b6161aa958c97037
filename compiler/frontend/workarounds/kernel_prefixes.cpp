// flang 22 evaluates the values of launch_bounds and cluster_dims before it knows any name, and
// does not survive values that it cannot take. So they are checked in the parse tree: their number,
// that they are constants, and what a GPU allows (CUDA C++ Programming Guide, "Compute
// Capabilities").
//
// A prefix with names of constants is taken out of the tree. After the analysis the names have
// values; these stand in the tree of a second one.
#include "frontend/workarounds/kernel_prefixes.h"
#include "base/diag.h"
#include "flang/Evaluate/fold.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/symbol.h"
#include "frontend/messages.h"
#include "frontend/statement_visitor.h"
#include <algorithm>
#include <cstring>

namespace cufc {
namespace {

using namespace Fortran;

constexpr const char *launchBounds = "launch_bounds", *clusterDims = "cluster_dims";

// The largest of all GPUs; 16 blocks of a cluster are more than every program may ask for, but a
// kernel can have the attribute cudaFuncAttributeNonPortableClusterSizeAllowed.
constexpr std::int64_t mostThreads = 1024, mostBlocks = 32, mostClusterBlocks = 16;

// The value of a constant expression; names are looked up in `scope` if there is one.
class Evaluator {
public:
  explicit Evaluator(const semantics::Scope *scope) : scope(scope) {}

  std::optional<std::int64_t> operator()(const parser::Expr &expression) const {
    return common::visit([&](const auto &form) { return value(form); }, expression.u);
  }

private:
  using Result = std::optional<std::int64_t>;

  template <typename T>
  Result value(const T &) const {
    return std::nullopt;
  }
  Result value(const parser::LiteralConstant &literal) const {
    const auto *number = std::get_if<parser::IntLiteralConstant>(&literal.u);
    std::int64_t result = 0;
    if (!number || llvm::StringRef(std::get<0>(number->t).ToString()).getAsInteger(10, result))
      return std::nullopt;
    return result;
  }
  Result value(const common::Indirection<parser::Designator> &designator) const {
    const auto *reference = std::get_if<parser::DataRef>(&designator.value().u);
    const auto *name = reference ? std::get_if<parser::Name>(&reference->u) : nullptr;
    const semantics::Symbol *symbol = name && scope ? scope->FindSymbol(name->source) : nullptr;
    if (!symbol || !symbol->GetUltimate().attrs().test(semantics::Attr::PARAMETER))
      return std::nullopt;
    const auto *object = symbol->GetUltimate().detailsIf<semantics::ObjectEntityDetails>();
    return object && object->init() ? evaluate::ToInt64(*object->init()) : std::nullopt;
  }
  Result value(const parser::Expr::Parentheses &inner) const { return (*this)(inner.v.value()); }
  Result value(const parser::Expr::UnaryPlus &inner) const { return (*this)(inner.v.value()); }
  Result value(const parser::Expr::Negate &inner) const {
    Result result = (*this)(inner.v.value());
    return result ? Result(-*result) : std::nullopt;
  }
  Result value(const parser::Expr::Add &operands) const {
    return combined(operands, [](std::int64_t a, std::int64_t b) { return a + b; });
  }
  Result value(const parser::Expr::Subtract &operands) const {
    return combined(operands, [](std::int64_t a, std::int64_t b) { return a - b; });
  }
  Result value(const parser::Expr::Multiply &operands) const {
    return combined(operands, [](std::int64_t a, std::int64_t b) { return a * b; });
  }
  Result value(const parser::Expr::Divide &operands) const {
    return combined(operands, [](std::int64_t a, std::int64_t b) { return b ? a / b : -1; });
  }

  // Operands that are beyond what any of the values can be give nothing, so nothing overflows.
  template <typename Operation>
  Result combined(const parser::Expr::IntrinsicBinary &operands, Operation operation) const {
    constexpr std::int64_t limit = 1LL << 30;
    Result a = (*this)(std::get<0>(operands.t).value()),
           b = (*this)(std::get<1>(operands.t).value());
    if (!a || !b || std::abs(*a) > limit || std::abs(*b) > limit)
      return std::nullopt;
    return operation(*a, *b);
  }

  const semantics::Scope *scope;
};

parser::Expr &expression(const parser::ScalarIntConstantExpr &value) {
  return const_cast<parser::Expr &>(value.thing.thing.thing.value());
}

bool isKernelPrefix(const parser::PrefixSpec &prefix) {
  const auto *attributes = std::get_if<parser::PrefixSpec::Attributes>(&prefix.u);
  return attributes && std::any_of(attributes->v.begin(), attributes->v.end(), [](auto attribute) {
           return attribute == common::CUDASubprogramAttrs::Global ||
                  attribute == common::CUDASubprogramAttrs::Grid_Global;
         });
}

// A second value of launch_bounds where there is one alone: flang wants two, and takes 0 for blocks
// that nobody asks for.
parser::ScalarIntConstantExpr leftOpen(const parser::ScalarIntConstantExpr &first) {
  parser::IntLiteralConstant zero{parser::CharBlock("0", 1), std::optional<parser::KindParam>{}};
  parser::Expr value{parser::LiteralConstant{std::move(zero)}};
  value.source = expression(first).source;
  using Constant = parser::Constant<common::Indirection<parser::Expr>>;
  return parser::ScalarIntConstantExpr{
      parser::Integer<Constant>{Constant{common::Indirection<parser::Expr>{std::move(value)}}}};
}

// As many as can be evaluated.
std::vector<std::int64_t> evaluateAll(const KernelPrefixes::Values &values,
                                      const semantics::Scope *scope) {
  std::vector<std::int64_t> numbers;
  for (const parser::ScalarIntConstantExpr &value : values)
    if (auto number = Evaluator(scope)(expression(value)))
      numbers.push_back(*number);
  return numbers;
}

// Only names are missing, which the analysis knows.
bool hasName(const KernelPrefixes::Values &values) {
  struct Names : StatementVisitor {
    using StatementVisitor::Pre;
    bool Pre(const parser::Name &) override { return found = true; }
    bool found = false;
  } names;
  for (const parser::ScalarIntConstantExpr &value : values)
    walkTree(expression(value), names);
  return names.found;
}

template <typename Prepare>
class Procedures : public ShallowVisitor {
public:
  explicit Procedures(Prepare prepare) : prepare(prepare) {}
  using StatementVisitor::Pre;
  bool Pre(const parser::SubroutineStmt &statement) override { return visit(statement); }
  bool Pre(const parser::FunctionStmt &statement) override { return visit(statement); }
  bool Pre(const parser::ExecutionPart &) override { return false; }
  bool Pre(const parser::SpecificationPart &) override { return true; }

private:
  template <typename Statement>
  bool visit(const Statement &statement) {
    auto &prefix = std::get<std::list<parser::PrefixSpec>>(statement.t);
    prepare(const_cast<std::list<parser::PrefixSpec> &>(prefix),
            std::get<parser::Name>(statement.t));
    return false;
  }
  Prepare prepare;
};

} // namespace

bool KernelPrefixes::prepare(FlangProgram &analysed, Diagnostics &found) {
  program = &analysed;
  diagnostics = &found;
  takenOut.clear();
  withNames = 0;
  Procedures procedures([&](auto &prefix, const parser::Name &name) { prepare(prefix, name); });
  walkTree(*analysed.parsing->parseTree(), procedures);
  return !found.hasErrors();
}

void KernelPrefixes::prepare(std::list<parser::PrefixSpec> &prefix, const parser::Name &name) {
  // A kernel has nobody to be pure for, and flang does not take the word.
  if (std::any_of(prefix.begin(), prefix.end(), isKernelPrefix))
    prefix.remove_if([](const parser::PrefixSpec &spec) {
      return std::holds_alternative<parser::PrefixSpec::Pure>(spec.u);
    });
  bool bounds = false, cluster = false;
  for (auto it = prefix.begin(); it != prefix.end();) {
    bool keep = true;
    if (auto *spec = std::get_if<parser::PrefixSpec::Launch_Bounds>(&it->u)) {
      keep = bounds ? twice(launchBounds, spec->v) : prepare(launchBounds, spec->v, name);
      bounds = true;
    } else if (auto *spec = std::get_if<parser::PrefixSpec::Cluster_Dims>(&it->u)) {
      keep = cluster ? twice(clusterDims, spec->v) : prepare(clusterDims, spec->v, name);
      cluster = true;
    }
    it = keep ? std::next(it) : prefix.erase(it);
  }
}

// Whether flang may see the prefix.
bool KernelPrefixes::prepare(const char *prefix, Values &values, const parser::Name &name) {
  std::vector<std::int64_t> numbers = evaluateAll(values, nullptr);
  if (numbers.size() == values.size() || !hasName(values)) {
    bool good = checkValues(prefix, values, numbers);
    if (good && numbers.size() == 1)
      values.push_back(leftOpen(values.front()));
    return good;
  }
  size_t number = withNames++;
  if (number >= known.size()) {
    takenOut.push_back({prefix, std::move(values), &name});
    return false;
  }
  auto next = known[number].begin();
  for (parser::ScalarIntConstantExpr &value : values) {
    const std::string &text = digits.emplace_back(std::to_string(*next++));
    parser::IntLiteralConstant literal{parser::CharBlock(text), std::optional<parser::KindParam>{}};
    expression(value).u = parser::LiteralConstant{std::move(literal)};
  }
  if (values.size() == 1)
    values.push_back(leftOpen(values.front()));
  return true;
}

bool KernelPrefixes::evaluate(const FlangProgram &analysed, Diagnostics &found) {
  program = &analysed;
  diagnostics = &found;
  for (const TakenOut &prefix : takenOut) {
    const semantics::Symbol *symbol = prefix.procedure->symbol;
    const semantics::Scope *scope = symbol ? symbol->scope() : nullptr;
    known.push_back(evaluateAll(prefix.values, scope));
    checkValues(prefix.prefix, prefix.values, known.back());
  }
  return !takenOut.empty() && !found.hasErrors();
}

bool KernelPrefixes::checkValues(const char *prefix, const Values &values,
                                 const std::vector<std::int64_t> &numbers) {
  bool isCluster = prefix == clusterDims;
  if (numbers.size() != values.size() || numbers.size() < (isCluster ? 3 : 1) ||
      numbers.size() > 3) {
    reportValues(prefix, values);
    return false;
  }
  struct Limit {
    const char *what;
    std::int64_t least, most;
  };
  constexpr Limit boundsLimits[] = {{"threads of a block", 1, mostThreads},
                                    {"blocks of a multiprocessor", 0, mostBlocks},
                                    {"blocks of a cluster", 0, mostClusterBlocks}};
  constexpr Limit clusterLimit = {"blocks of a cluster", 1, mostClusterBlocks};
  bool good = true;
  auto check = [&](const Limit &limit, std::int64_t number, parser::CharBlock place) {
    if (number < limit.least || number > limit.most) {
      diagnostics->report(Diag::PrefixRange, rangeOf(*program, place), prefix, limit.what,
                          limit.least, limit.most, number);
      good = false;
    }
  };
  size_t i = 0;
  for (const parser::ScalarIntConstantExpr &value : values) {
    check(isCluster ? clusterLimit : boundsLimits[i], numbers[i], expression(value).source);
    ++i;
  }
  parser::CharBlock all = expression(values.front()).source;
  all.ExtendToCover(expression(values.back()).source);
  if (isCluster && good)
    check(clusterLimit, numbers[0] * numbers[1] * numbers[2], all);
  return good;
}

namespace {

parser::CharBlock wholeList(const KernelPrefixes::Values &values) {
  parser::CharBlock all = expression(values.front()).source;
  all.ExtendToCover(expression(values.back()).source);
  return all;
}

} // namespace

bool KernelPrefixes::twice(const char *prefix, const Values &values) {
  diagnostics->report(Diag::PrefixTwice, rangeOf(*program, wholeList(values)), prefix);
  return false;
}

void KernelPrefixes::reportValues(const char *prefix, const Values &values) {
  const char *wanted =
      prefix == clusterDims ? "three constant integers" : "one to three constant integers";
  diagnostics->report(Diag::PrefixValues, rangeOf(*program, wholeList(values)), prefix, wanted);
}

} // namespace cufc
