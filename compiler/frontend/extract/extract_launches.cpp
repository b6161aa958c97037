// Kernels and launches, with the extents of grid and block as far as they are constant: flang has
// folded constants and dim3(...); variables count if the file assigns them one constant and does
// nothing else to them.
#include "flang/Evaluate/expression.h"
#include "flang/Evaluate/tools.h"
#include "flang/Semantics/expression.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/tools.h"
#include "frontend/extract/extract_parts.h"
#include "frontend/flang_versions.h"
#include "frontend/statement_visitor.h"
#include "frontend/workarounds/assumed_sizes.h"
#include <map>
#include <unordered_map>

namespace cufc {
namespace {

using namespace Fortran;
using semantics::Symbol;
using Extents = std::vector<std::optional<std::int64_t>>;
using SomeExpr = evaluate::Expr<evaluate::SomeType>;

// The values of what a file assigns to variables: of a whole one under "", of a component under its
// name.
class Assigned : public ShallowVisitor {
public:
  explicit Assigned(Extraction &extraction) : extraction(extraction) {
    for (const Occurrence &occurrence : extraction.analysis.occurrences)
      if (occurrence.role == Role::Write || occurrence.role == Role::ReadWrite)
        ++changes[occurrence.symbol];
  }

  using StatementVisitor::Pre;
  bool Pre(const parser::AssignmentStmt &assignment) override {
    const auto *typed = assignment.typedAssignment ? &assignment.typedAssignment->v : nullptr;
    if (!typed || !*typed)
      return false;
    const Symbol *component = evaluate::GetLastSymbol((*typed)->lhs);
    const Symbol *variable = evaluate::GetFirstSymbol((*typed)->lhs);
    if (!variable || !component || (*typed)->lhs.Rank() > 0)
      return false;
    Values &known = values[extraction.symbols.indexOf(variable)];
    std::string name = component == variable ? "" : component->name().ToString();
    ++known.assignments;
    known.parts[name] = &(*typed)->rhs;
    return false;
  }

  // The value of the variable or, of a component, of that.
  const SomeExpr *valueOf(const Symbol &variable, const std::string &component) const {
    if (semantics::IsDummy(variable) || variable.owner().IsModule())
      return nullptr;
    int row = extraction.symbols.indexOf(&variable);
    auto found = values.find(row);
    auto changed = changes.find(row);
    if (changed == changes.end()) {
      const auto *object = variable.detailsIf<semantics::ObjectEntityDetails>();
      return component.empty() && object && object->init() ? &*object->init() : nullptr;
    }
    if (found == values.end() || found->second.assignments != changed->second ||
        found->second.parts.size() != static_cast<size_t>(found->second.assignments) ||
        (found->second.parts.count("") && found->second.parts.size() > 1))
      return nullptr;
    auto part = found->second.parts.find(component);
    return part == found->second.parts.end() ? nullptr : part->second;
  }

private:
  struct Values {
    int assignments = 0;
    std::map<std::string, const SomeExpr *> parts;
  };
  Extraction &extraction;
  std::unordered_map<int, int> changes; // of a symbol
  std::unordered_map<int, Values> values;
};

class Launches : public StatementVisitor {
public:
  Launches(Extraction &extraction, const Assigned &assigned)
      : extraction(extraction), assigned(assigned) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::Expr &) override { return false; }
  bool Pre(const parser::Variable &) override { return false; }
  bool Pre(const parser::CallStmt &call) override {
    if (!chevronsIn(call))
      return false;
    LaunchInfo launch;
    launch.place = extraction.places.of(call.source);
    const auto &callee = std::get<parser::ProcedureDesignator>(callIn(call).t);
    if (const auto *name = std::get_if<parser::Name>(&callee.u))
      launch.kernel = extraction.symbols.indexOf(name->symbol);
    if (const auto &grid = std::get<parser::CallStmt::StarOrExpr>(chevronsIn(call)->t); grid.v)
      launch.grid = extent(*grid.v);
    else
      launch.grid.text = "*";
    launch.block = extent(std::get<parser::ScalarExpr>(chevronsIn(call)->t));
    if (const auto &bytes = std::get<std::optional<parser::ScalarExpr>>(chevronsIn(call)->t)) {
      LaunchExtent shared = extent(*bytes);
      launch.shared = shared.text;
      launch.sharedBytes = shared.extents.size() == 1 ? shared.extents[0] : std::nullopt;
    } else {
      launch.sharedBytes = 0;
    }
    if (const auto &stream = std::get<std::optional<parser::ScalarIntExpr>>(chevronsIn(call)->t))
      launch.stream = textOf(*stream);
    extraction.analysis.launches.push_back(std::move(launch));
    return true;
  }

  bool Pre(const parser::CUFKernelDoConstruct &construct) override {
    using Configuration = parser::CUFKernelDoConstruct::LaunchConfiguration;
    const auto &directive = std::get<0>(construct.t);
    LaunchInfo launch;
    launch.place = extraction.places.of(directive.source);
    launch.loops = 1;
    if (const auto &loops = std::get<0>(directive.t)) {
      const auto *count = semantics::GetExpr(*extraction.program.context, *loops);
      if (auto number = count ? evaluate::ToInt64(*count) : std::nullopt)
        launch.loops = static_cast<int>(std::min<std::int64_t>(*number, 100));
    }
    if (const auto &configuration = std::get<std::optional<Configuration>>(directive.t)) {
      launch.grid = extent(std::get<0>(configuration->t));
      launch.block = extent(std::get<1>(configuration->t));
      if (const auto &stream = std::get<2>(configuration->t))
        launch.stream = textOf(*stream);
    }
    extraction.analysis.launches.push_back(std::move(launch));
    return true;
  }

private:
  template <typename T>
  std::string textOf(const T &node) const {
    return extraction.places.joinedText(
        extraction.places.of(parser::UnwrapRef<parser::Expr>(node).source));
  }

  template <typename T>
  LaunchExtent extent(const T &node) const {
    const SomeExpr *expression = semantics::GetExpr(*extraction.program.context, node);
    return {textOf(node), expression ? extentsOf(*expression, 8) : Extents(1)};
  }

  LaunchExtent extent(const std::list<parser::CUFKernelDoConstruct::StarOrExpr> &sizes) const {
    LaunchExtent result;
    for (const auto &size : sizes) {
      LaunchExtent one = size.v ? extent(*size.v) : LaunchExtent{"*", Extents(1)};
      result.text += (result.text.empty() ? "" : ", ") + one.text;
      result.extents.push_back(one.extents.front());
    }
    if (sizes.size() > 1)
      result.text = "(" + result.text + ")";
    return result;
  }

  // `depth` bounds the variables that are followed.
  std::optional<std::int64_t> number(const SomeExpr &expression, int depth) const {
    if (auto value = evaluate::ToInt64(expression))
      return value;
    const Symbol *variable = evaluate::UnwrapWholeSymbolDataRef(expression);
    const SomeExpr *value =
        variable && depth > 0 ? assigned.valueOf(variable->GetUltimate(), "") : nullptr;
    return value ? number(*value, depth - 1) : std::nullopt;
  }

  Extents extentsOf(const SomeExpr &expression, int depth) const {
    auto type = expression.GetType();
    if (!type || type->category() != common::TypeCategory::Derived)
      return {number(expression, depth)};
    if (auto components = constructorOf(expression))
      return fromConstructor(*components, depth);
    const Symbol *variable = evaluate::UnwrapWholeSymbolDataRef(expression);
    if (!variable || depth == 0)
      return Extents(3);
    if (const SomeExpr *whole = assigned.valueOf(variable->GetUltimate(), ""))
      return extentsOf(*whole, depth - 1);
    Extents found;
    for (const char *name : {"x", "y", "z"}) {
      const SomeExpr *part = assigned.valueOf(variable->GetUltimate(), name);
      found.push_back(part ? number(*part, depth - 1) : std::nullopt);
    }
    return found;
  }

  static std::optional<evaluate::StructureConstructor> constructorOf(const SomeExpr &expression) {
    if (const auto *constant = evaluate::UnwrapConstantValue<evaluate::SomeDerived>(expression))
      return constant->GetScalarValue();
    if (const auto *constructor = evaluate::UnwrapExpr<evaluate::StructureConstructor>(expression))
      return *constructor;
    return std::nullopt;
  }

  Extents fromConstructor(const evaluate::StructureConstructor &constructor, int depth) const {
    Extents found(3);
    static constexpr const char *names[] = {"x", "y", "z"};
    for (const auto &[component, value] : constructor.values())
      for (size_t i = 0; i < 3; ++i)
        if (component->name() == names[i])
          found[i] = number(value.value(), depth);
    return found;
  }

  Extraction &extraction;
  const Assigned &assigned;
};

bool isDynamic(const Symbol &symbol) {
  const auto *object = symbol.detailsIf<semantics::ObjectEntityDetails>();
  for (const semantics::ShapeSpec &dimension : object->shape()) {
    const auto &high = dimension.ubound().GetExplicit();
    auto extent = high ? evaluate::ToInt64(*high) : std::nullopt;
    if (!extent || *extent == assumedExtent)
      return true;
  }
  return false;
}

void addSharedMemory(const semantics::Scope &scope, KernelInfo &kernel) {
  constexpr std::int64_t alignment = 16;
  std::int64_t total = 0;
  for (const auto &[name, symbol] : scope) {
    if (!semantics::IsCUDAShared(*symbol) || semantics::IsDummy(*symbol) ||
        !symbol->has<semantics::ObjectEntityDetails>())
      continue;
    if (isDynamic(*symbol))
      kernel.dynamicShared = true;
    else
      total = (total + alignment - 1) / alignment * alignment +
              static_cast<std::int64_t>(symbol->size());
  }
  kernel.sharedBytes = total;
}

// All kernels whose text is in the file.
class Kernels : public ShallowVisitor {
public:
  explicit Kernels(Extraction &extraction) : extraction(extraction) {}
  using StatementVisitor::Pre;
  bool Pre(const parser::SubroutineSubprogram &subprogram) override {
    const auto &statement = std::get<0>(subprogram.t);
    const Symbol *symbol = std::get<parser::Name>(statement.statement.t).symbol;
    add(symbol ? &symbol->GetUltimate() : nullptr, std::get<4>(subprogram.t).source,
        statement.source);
    return true;
  }
  bool Pre(const parser::SeparateModuleSubprogram &subprogram) override {
    const auto &statement = std::get<0>(subprogram.t);
    const Symbol *symbol = statement.statement.v.symbol;
    add(symbol ? &symbol->GetUltimate() : nullptr, std::get<4>(subprogram.t).source,
        statement.source);
    return true;
  }
  bool Pre(const parser::ExecutionPart &) override { return false; }
  bool Pre(const parser::SpecificationPart &) override { return false; }

private:
  void add(const Symbol *symbol, parser::CharBlock last, parser::CharBlock first) {
    const auto *details = symbol ? symbol->detailsIf<semantics::SubprogramDetails>() : nullptr;
    auto attributes = details ? details->cudaSubprogramAttrs() : std::nullopt;
    bool grid = attributes == common::CUDASubprogramAttrs::Grid_Global;
    if (!grid && attributes != common::CUDASubprogramAttrs::Global)
      return;
    KernelInfo kernel;
    kernel.symbol = extraction.symbols.indexOf(symbol);
    kernel.place = extraction.places.of(first, last);
    kernel.grid = grid;
    kernel.cluster = details->cudaClusterDims();
    const std::vector<std::int64_t> &bounds = details->cudaLaunchBounds();
    if (bounds.size() > 0)
      kernel.maxThreads = bounds[0];
    if (bounds.size() > 1)
      kernel.minBlocks = bounds[1];
    if (symbol->scope())
      addSharedMemory(*symbol->scope(), kernel);
    extraction.analysis.kernels.push_back(std::move(kernel));
  }
  Extraction &extraction;
};

} // namespace

void extractLaunches(Extraction &extraction) {
  const parser::Program &tree = *extraction.program.parsing->parseTree();
  Kernels kernels(extraction);
  walkTree(tree, kernels);
  Assigned assigned(extraction);
  walkTree(tree, assigned);
  Launches launches(extraction, assigned);
  walkTree(tree, launches);
}

} // namespace cufc
