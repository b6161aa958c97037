// Subscripts made of blockidx and threadidx that no test keeps within the array: a grid has whole
// blocks, so its last threads lie beyond an extent that is no multiple of the block's.
//
// A test is any condition, loop bound or guard of an earlier RETURN, EXIT or CYCLE that mentions
// the same axis. Launches in the file decide further: only grids that are rounded up, or constants
// that go beyond a constant extent, are a hazard; of a kernel without a launch in the file, all
// whose extents are not constant.
#include "checks/hazards/accesses.h"
#include "checks/hazards/hazard.h"
#include <algorithm>

namespace cufc::hazards {
namespace {

using Kind = Statement::Kind;
using Axes = std::array<bool, 3>;

// The largest constant in an expression: of (n + 255) / 256 the n.
long long largestConstant(const Expression &expression) {
  long long largest = 0;
  eachExpression(expression, [&](const Expression &part) {
    if (part.operands.empty() && part.value)
      largest = std::max(largest, *part.value);
  });
  return largest;
}

// Whether the number of blocks is rounded up: (n + 255) / 256, ceiling(real(n) / 256), n / 256 + 1.
bool roundsUp(const Expression &grid) {
  bool found = false;
  eachExpression(grid, [&](const Expression &part) {
    const auto &operands = part.operands;
    const Expression *quotient = nullptr;
    if (part.kind == Expression::Kind::Call && part.name == "ceiling" && !operands.empty())
      quotient = &operands[0];
    else if (part.name == "/" && operands.size() == 2 && operands[0].type == Type::Integer)
      eachExpression(operands[0], [&](const Expression &inner) {
        if (inner.name == "+" && inner.operands.size() == 2)
          quotient = &part;
      });
    else if (part.name == "+" && operands.size() == 2 && operands[1].value == 1)
      eachExpression(operands[0], [&](const Expression &inner) {
        if (inner.name == "/")
          quotient = &inner;
      });
    if (!quotient)
      return;
    bool divides = quotient->operands.size() == 2 && quotient->operands[1].value &&
                   *quotient->operands[1].value > 0 && quotient->value &&
                   largestConstant(quotient->operands[0]) % *quotient->operands[1].value == 0;
    found |= !divides;
  });
  return found;
}

class Kernel {
public:
  Kernel(Hazards &hazards, const Procedure &kernel)
      : hazards(hazards), kernel(kernel), values(hazards.valuesOf(kernel)),
        launches(hazards.launches.of(kernel)) {}

  void check() {
    block(kernel.body, {});
    for (int axis = 0; axis < 3; ++axis)
      if (!found[axis].empty())
        report(axis);
  }

private:
  struct Use {
    Access access;
    size_t dimension;
  };

  Axes axesOf(const Expression &condition) {
    std::string text = values.text(values.of(condition));
    Axes axes;
    for (int axis = 0; axis < 3; ++axis)
      axes[axis] = text.find("value ") != std::string::npos ||
                   text.find(values.text(values.thread(axis))) != std::string::npos ||
                   text.find(values.text(values.block(axis))) != std::string::npos;
    return axes;
  }

  static bool leaves(const Block &body) {
    bool found = false;
    eachStatement(body, [&](const Statement &statement) {
      found |= statement.kind == Kind::Return || statement.kind == Kind::Exit ||
               statement.kind == Kind::Cycle || statement.kind == Kind::Stop ||
               statement.kind == Kind::Goto;
    });
    return found;
  }

  void block(const Block &statements, Axes tested) {
    for (const Statement &statement : statements) {
      for (Access &access : accessesOf(statement, values))
        look(access, tested);
      Axes inside = tested;
      auto add = [&](const Expression &condition) {
        Axes axes = axesOf(condition);
        for (int axis = 0; axis < 3; ++axis)
          inside[axis] |= axes[axis];
      };
      if (statement.kind == Kind::Loop || statement.kind == Kind::Select)
        for (const Expression &operand : statement.operands)
          add(operand);
      bool left = false;
      for (const Branch &branch : statement.branches) {
        if (branch.condition)
          add(*branch.condition);
        left |= leaves(branch.body);
      }
      for (const Branch &branch : statement.branches)
        block(branch.body, inside);
      if (left)
        tested = inside;
    }
  }

  void look(const Access &access, const Axes &tested) {
    const Variable &array = *access.element->variable;
    if (array.memory != Memory::Device && array.memory != Memory::Managed)
      return;
    for (size_t i = 0; i < access.subscripts.size(); ++i)
      for (int axis = 0; axis < 3; ++axis)
        if (!tested[axis] && isGlobalIndex(access.subscripts[i], axis) &&
            mayExceed(access, i, axis))
          found[axis].push_back({access, i});
  }

  bool isGlobalIndex(const Polynomial &index, int axis) {
    for (const auto &[monomial, factor] : index.terms)
      for (Atom atom : monomial)
        if (values.text(atom)[0] == '#')
          return false;
    if (values.dependence(index).loaded || index.coefficient(values.thread(axis)).terms.empty())
      return false;
    auto block = index.coefficient(values.block(axis)).asConstant();
    return index.mentionsProduct(values.block(axis), values.blockSize(axis)) ||
           (block && *block > 1);
  }

  bool mayExceed(const Access &access, size_t dimension, int axis) {
    const Variable &array = *access.element->variable;
    std::optional<long long> extent;
    if (dimension < array.extents.size())
      extent = array.extents[dimension];
    bool seen = false;
    for (const Launch *launch : launches) {
      auto grid = launch->grid[axis], block = launch->block[axis];
      if (grid && block && extent && *grid * *block > *extent)
        return true;
      if (grid && block && extent) {
        seen = true;
      } else if (const Expression *expression = launch->gridExpressions[axis]) {
        seen = true;
        if (roundsUp(*expression))
          return true;
      }
    }
    return !seen && launches.empty() && !extent && array.dummy &&
           !extentOf(array, dimension).empty();
  }

  void report(int axis) {
    const Use &use = found[axis].front();
    const Variable &array = *use.access.element->variable;
    const Expression &index = use.access.element->operands[use.dimension];
    std::string extent = extentOf(array, use.dimension);
    Diagnostic &diagnostic = hazards.report(Hazard::UnboundedIndex, index.place, array.name,
                                            extent.empty() ? "its extent" : extent);
    hazards.relate(diagnostic, Hazard::ArrayHere, array.declaration, array.name);
    for (const Launch *launch : launches)
      if (diagnostic.related.size() < 3)
        hazards.relate(diagnostic, Hazard::LaunchedHere, launch->statement->place);
    bool isName = index.kind == Expression::Kind::Name;
    if (!extent.empty() && isName)
      offerTest(diagnostic, axis, index, extent);
  }

  static std::string extentOf(const Variable &array, size_t dimension) {
    if (dimension < array.extentTexts.size() && !array.extentTexts[dimension].empty())
      return array.extentTexts[dimension];
    if (!array.assumedShape)
      return {};
    return array.rank == 1 ? "size(" + array.name + ")"
                           : "size(" + array.name + ", " + std::to_string(dimension + 1) + ")";
  }

  // A test around the only statement, or a RETURN behind the definition of the index.
  void offerTest(Diagnostic &diagnostic, int axis, const Expression &index,
                 const std::string &extent) {
    const Statement *only = found[axis].front().access.statement, *definition = nullptr;
    bool single = only->kind == Kind::Assignment, waits = false;
    for (const Use &use : found[axis])
      single &= use.access.statement == only;
    eachStatement(kernel.body, [&](const Statement &statement) {
      if (statement.kind == Kind::Assignment && statement.operands[0].variable == index.variable &&
          statement.operands[0].kind == Expression::Kind::Name)
        definition = &statement;
      for (const Branch &branch : statement.branches)
        for (const Statement &inner : branch.body)
          single &= &inner != only || !isOneLine(statement, inner);
      waits |= statement.callee.find("sync") != std::string::npos;
    });
    std::string name(index.place);
    if (single)
      hazards.insertBefore(diagnostic, "test the index against " + extent, only->place,
                           "if (" + name + " <= " + extent + ") ");
    else if (definition && !waits)
      hazards.insertLineAfter(diagnostic, "return from the kernel beyond " + extent,
                              definition->place, "if (" + name + " > " + extent + ") return");
  }

  static bool isOneLine(const Statement &outer, const Statement &inner) {
    return inner.place.data() >= outer.place.data() &&
           inner.place.data() + inner.place.size() <= outer.place.data() + outer.place.size();
  }

  Hazards &hazards;
  const Procedure &kernel;
  ThreadValues &values;
  std::vector<const Launch *> launches;
  std::array<std::vector<Use>, 3> found; // by axis
};

} // namespace

void findUnboundedIndices(Hazards &hazards) {
  for (const Procedure &procedure : hazards.model.procedures)
    if (procedure.kernel)
      Kernel(hazards, procedure).check();
}

} // namespace cufc::hazards
