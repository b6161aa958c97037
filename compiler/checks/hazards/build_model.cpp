// Procedures and statements of the model.
#include "checks/hazards/build_model.h"
#include "checks/hazards/builder.h"
#include "checks/hazards/live_ranges.h"
#include "checks/procedures.h"
#include "frontend/flang_versions.h"
#include "frontend/statement_visitor.h"

namespace cufc::hazards {
namespace {

using namespace Fortran;
using Kind = Statement::Kind;

// All expressions that a node contains, from the outermost ones on.
class Contained : public StatementVisitor {
public:
  Contained(Expressions &expressions, std::vector<Expression> &found)
      : expressions(expressions), found(found) {}
  using StatementVisitor::Pre;
  bool Pre(const parser::Expr &node) override {
    found.push_back(expressions.of(node));
    return false;
  }
  bool Pre(const parser::Variable &node) override {
    found.push_back(expressions.of(node));
    return false;
  }

private:
  Expressions &expressions;
  std::vector<Expression> &found;
};

class Statements {
public:
  Statements(Expressions &expressions, Variables &variables)
      : expressions(expressions), variables(variables) {}

  Block block(const parser::Block &constructs) {
    Block result;
    for (const parser::ExecutionPartConstruct &construct : constructs)
      if (const auto *executable = std::get_if<parser::ExecutableConstruct>(&construct.u))
        common::visit([&](const auto &node) { add(node, result); }, executable->u);
    return result;
  }
  bool sawGoto = false;

private:
  static Statement &append(Block &block, Kind kind, parser::CharBlock source) {
    Statement statement;
    statement.kind = kind;
    statement.place = placeOf(source);
    block.push_back(std::move(statement));
    return block.back();
  }

  // What is not looked into: its expressions are kept.
  template <typename T>
  void add(const T &, Block &) {}
  template <typename T>
  void add(const common::Indirection<T> &node, Block &result) {
    construct(node.value(), result);
  }
  void add(const parser::Statement<parser::ActionStmt> &node, Block &result) {
    action(node.statement, node.source, result);
  }

  template <typename T>
  void construct(const T &node, Block &result) {
    Contained contained(expressions, append(result, Kind::Other, {}).operands);
    walkTree(node, contained);
  }
  void construct(const parser::IfConstruct &node, Block &result) {
    const auto &first = std::get<0>(node.t);
    Statement statement;
    statement.kind = Kind::If;
    statement.place = placeOf(first.source);
    statement.branches.push_back({expressions.within(std::get<1>(first.statement.t)),
                                  block(std::get<parser::Block>(node.t))});
    for (const auto &branch : std::get<2>(node.t))
      statement.branches.push_back(
          {expressions.within(std::get<0>(std::get<0>(branch.t).statement.t)),
           block(std::get<parser::Block>(branch.t))});
    if (const auto &last = std::get<3>(node.t))
      statement.branches.push_back({std::nullopt, block(std::get<parser::Block>(last->t))});
    result.push_back(std::move(statement));
  }
  void construct(const parser::CaseConstruct &node, Block &result) {
    const auto &head = std::get<0>(node.t);
    Statement statement;
    statement.kind = Kind::Select;
    statement.place = placeOf(head.source);
    statement.operands.push_back(expressions.within(std::get<1>(head.statement.t)));
    for (const auto &branch : std::get<1>(node.t))
      statement.branches.push_back({std::nullopt, block(std::get<parser::Block>(branch.t))});
    result.push_back(std::move(statement));
  }
  void construct(const parser::BlockConstruct &node, Block &result) {
    Statement statement;
    statement.kind = Kind::Group;
    statement.place = placeOf(std::get<0>(node.t).source);
    statement.branches.push_back({std::nullopt, block(std::get<parser::Block>(node.t))});
    result.push_back(std::move(statement));
  }
  void construct(const parser::AssociateConstruct &node, Block &result) {
    Statement statement;
    statement.kind = Kind::Group;
    statement.place = placeOf(std::get<0>(node.t).source);
    Contained contained(expressions, statement.operands);
    walkTree(std::get<0>(node.t), contained);
    statement.branches.push_back({std::nullopt, block(std::get<parser::Block>(node.t))});
    result.push_back(std::move(statement));
  }
  void construct(const parser::DoConstruct &node, Block &result) {
    const auto &head = std::get<0>(node.t);
    Statement statement;
    statement.kind = Kind::Loop;
    statement.place = placeOf(head.source);
    if (const auto &name = std::get<0>(head.statement.t))
      statement.construct = name->source.ToString();
    std::optional<Expression> condition;
    if (const auto &control = node.GetLoopControl()) {
      if (const auto *bounds = std::get_if<parser::LoopControl::Bounds>(&control->u)) {
        statement.variable = variables.of(variableIn(*bounds).thing.symbol);
        statement.operands.push_back(expressions.within(lowerIn(*bounds)));
        statement.operands.push_back(expressions.within(upperIn(*bounds)));
        if (stepIn(*bounds))
          statement.operands.push_back(expressions.within(*stepIn(*bounds)));
      } else if (const auto *test = std::get_if<parser::ScalarLogicalExpr>(&control->u)) {
        condition = expressions.within(*test);
      } else {
        addConcurrent(std::get<parser::LoopControl::Concurrent>(control->u), statement);
      }
    }
    statement.branches.push_back({std::move(condition), block(std::get<parser::Block>(node.t))});
    result.push_back(std::move(statement));
  }
  void addConcurrent(const parser::LoopControl::Concurrent &node, Statement &statement) {
    const auto &header = std::get<parser::ConcurrentHeader>(node.t);
    for (const auto &control : std::get<std::list<parser::ConcurrentControl>>(header.t)) {
      statement.variable = variables.of(std::get<parser::Name>(control.t).symbol);
      statement.operands.push_back(expressions.within(std::get<1>(control.t)));
      statement.operands.push_back(expressions.within(std::get<2>(control.t)));
      return;
    }
  }
  void construct(const parser::CUFKernelDoConstruct &node, Block &result) {
    using Configuration = parser::CUFKernelDoConstruct::LaunchConfiguration;
    const auto &directive = std::get<0>(node.t);
    Statement statement;
    statement.kind = Kind::CufKernel;
    statement.place = placeOf(directive.source);
    statement.reduces = !std::get<std::list<parser::CUFReduction>>(directive.t).empty();
    if (const auto &configuration = std::get<std::optional<Configuration>>(directive.t)) {
      std::optional<Expression> size[2];
      const auto &grid = std::get<0>(configuration->t), &threads = std::get<1>(configuration->t);
      if (grid.size() == 1 && grid.front().v)
        size[0] = expressions.within(*grid.front().v);
      if (threads.size() == 1 && threads.front().v)
        size[1] = expressions.within(*threads.front().v);
      statement.configuration = {std::move(size[0]), std::move(size[1]), std::nullopt,
                                 std::nullopt};
      if (const auto &stream = std::get<2>(configuration->t))
        statement.configuration[3] = expressions.within(*stream);
    }
    Block loops;
    if (const auto &loop = std::get<1>(node.t))
      construct(*loop, loops);
    statement.branches.push_back({std::nullopt, std::move(loops)});
    result.push_back(std::move(statement));
  }

  // Action statements
  void action(const parser::ActionStmt &node, parser::CharBlock source, Block &result) {
    common::visit(common::visitors{
                      [&](const auto &other) { simple(other, source, result); },
                      [&](const parser::ContinueStmt &) {},
                      [&](const parser::FailImageStmt &) {},
                  },
                  node.u);
  }
  template <typename T>
  void simple(const common::Indirection<T> &node, parser::CharBlock source, Block &result) {
    simple(node.value(), source, result);
  }
  template <typename T>
  void simple(const T &node, parser::CharBlock source, Block &result) {
    sawGoto |= std::is_same_v<T, parser::ComputedGotoStmt> ||
               std::is_same_v<T, parser::AssignedGotoStmt> ||
               std::is_same_v<T, parser::ArithmeticIfStmt>;
    Contained contained(expressions, append(result, Kind::Other, source).operands);
    walkTree(node, contained);
  }
  void simple(const parser::AssignmentStmt &node, parser::CharBlock source, Block &result) {
    Statement &statement = append(result, Kind::Assignment, source);
    statement.operands.push_back(expressions.of(std::get<parser::Variable>(node.t)));
    statement.operands.push_back(expressions.of(std::get<parser::Expr>(node.t)));
  }
  void simple(const parser::PointerAssignmentStmt &node, parser::CharBlock source, Block &result) {
    Statement &statement = append(result, Kind::PointerAssignment, source);
    statement.operands.push_back(expressions.of(std::get<parser::DataRef>(node.t)));
    statement.operands.push_back(expressions.of(std::get<parser::Expr>(node.t)));
  }
  void simple(const parser::CallStmt &node, parser::CharBlock source, Block &result) {
    Statement statement;
    statement.kind = chevronsIn(node) ? Kind::Launch : Kind::Call;
    statement.place = placeOf(source);
    expressions.addCall(callIn(node), statement.callee, statement.module, statement.operands,
                        statement.keywords);
    bool ours = statement.module != "cudafor" && statement.module != "cudadevice" &&
                statement.module != "cooperative_groups";
    if (ours && node.typedCall && node.typedCall->proc().GetSymbol())
      statement.callee = node.typedCall->proc().GetSymbol()->GetUltimate().name().ToString();
    if (chevronsIn(node)) {
      const auto &[grid, threads, bytes, stream] = chevronsIn(node)->t;
      statement.configuration.resize(4);
      if (grid.v)
        statement.configuration[0] = expressions.within(*grid.v);
      statement.configuration[1] = expressions.within(threads);
      if (bytes)
        statement.configuration[2] = expressions.within(*bytes);
      if (stream)
        statement.configuration[3] = expressions.within(*stream);
    }
    result.push_back(std::move(statement));
  }
  void simple(const parser::IfStmt &node, parser::CharBlock source, Block &result) {
    const auto &inner = std::get<parser::UnlabeledStatement<parser::ActionStmt>>(node.t);
    Block body;
    action(inner.statement, inner.source, body);
    Statement &statement = append(result, Kind::If, source);
    statement.branches.push_back(
        {expressions.within(std::get<parser::ScalarLogicalExpr>(node.t)), std::move(body)});
  }
  void simple(const parser::ReturnStmt &, parser::CharBlock source, Block &result) {
    append(result, Kind::Return, source);
  }
  void simple(const parser::StopStmt &, parser::CharBlock source, Block &result) {
    append(result, Kind::Stop, source);
  }
  void simple(const parser::GotoStmt &, parser::CharBlock source, Block &result) {
    append(result, Kind::Goto, source);
    sawGoto = true;
  }
  void simple(const parser::ExitStmt &node, parser::CharBlock source, Block &result) {
    append(result, Kind::Exit, source).construct = node.v ? node.v->source.ToString() : "";
  }
  void simple(const parser::CycleStmt &node, parser::CharBlock source, Block &result) {
    append(result, Kind::Cycle, source).construct = node.v ? node.v->source.ToString() : "";
  }
  template <typename T>
  void addObject(const T &object, Statement &statement) {
    common::visit([&](const auto &node) { statement.operands.push_back(expressions.of(node)); },
                  object.u);
  }
  void simple(const parser::AllocateStmt &node, parser::CharBlock source, Block &result) {
    Statement &statement = append(result, Kind::Allocate, source);
    for (const auto &allocation : std::get<std::list<parser::Allocation>>(node.t))
      addObject(std::get<parser::AllocateObject>(allocation.t), statement);
    Statement &sizes = append(result, Kind::Other, source); // what the bounds and options name
    Contained contained(expressions, sizes.operands);
    walkTree(node, contained);
  }
  void simple(const parser::DeallocateStmt &node, parser::CharBlock source, Block &result) {
    Statement &statement = append(result, Kind::Deallocate, source);
    for (const auto &object : std::get<std::list<parser::AllocateObject>>(node.t))
      addObject(object, statement);
  }
  void simple(const parser::NullifyStmt &node, parser::CharBlock source, Block &result) {
    Statement &statement = append(result, Kind::Nullify, source);
    for (const parser::PointerObject &object : node.v)
      addObject(object, statement);
  }

  Expressions &expressions;
  Variables &variables;
};

// Finds the procedures, and the bounds in their declarations.
class Units : public ShallowVisitor {
public:
  Units(FlangProgram &program, Model &model)
      : model(model), variables(model), expressions(*program.context, variables) {}
  using StatementVisitor::Pre;
  bool Pre(const parser::InterfaceBlock &) override { return false; }
  bool Pre(const parser::ExecutionPart &) override { return false; }
  bool Pre(const parser::MainProgram &unit) override {
    const auto &head = std::get<std::optional<parser::Statement<parser::ProgramStmt>>>(unit.t);
    add(head ? &head->statement.v : nullptr, std::get<parser::ExecutionPart>(unit.t)).mainProgram =
        true;
    return true;
  }
  bool Pre(const parser::SubroutineSubprogram &unit) override {
    const auto &head = std::get<parser::Statement<parser::SubroutineStmt>>(unit.t);
    add(&std::get<parser::Name>(head.statement.t), std::get<parser::ExecutionPart>(unit.t));
    return true;
  }
  bool Pre(const parser::FunctionSubprogram &unit) override {
    const auto &head = std::get<parser::Statement<parser::FunctionStmt>>(unit.t);
    add(&std::get<parser::Name>(head.statement.t), std::get<parser::ExecutionPart>(unit.t));
    return true;
  }
  bool Pre(const parser::SeparateModuleSubprogram &unit) override {
    const auto &head = std::get<parser::Statement<parser::MpSubprogramStmt>>(unit.t);
    add(&head.statement.v, std::get<parser::ExecutionPart>(unit.t));
    return true;
  }
  bool Pre(const parser::TypeDeclarationStmt &declaration) override {
    const parser::ArraySpec *common = nullptr; // DIMENSION
    for (const auto &attribute : std::get<std::list<parser::AttrSpec>>(declaration.t))
      if (const auto *spec = std::get_if<parser::ArraySpec>(&attribute.u))
        common = spec;
    for (const auto &entity : std::get<std::list<parser::EntityDecl>>(declaration.t)) {
      const auto &own = std::get<std::optional<parser::ArraySpec>>(entity.t);
      if (const parser::ArraySpec *spec = own ? &*own : common)
        variables.addBounds(std::get<parser::Name>(entity.t), *spec);
    }
    return false;
  }

private:
  Procedure &add(const parser::Name *name, const parser::ExecutionPart &body) {
    Procedure procedure;
    const semantics::Symbol *symbol = name ? name->symbol : nullptr;
    if (name) {
      procedure.name = name->source.ToString();
      procedure.place = placeOf(name->source);
    }
    procedure.kernel = isKernel(symbol);
    procedure.device = runsOnDevice(symbol);
    procedure.host = runsOnHost(symbol);
    if (const auto *details =
            symbol ? symbol->GetUltimate().detailsIf<semantics::SubprogramDetails>() : nullptr) {
      for (const semantics::Symbol *dummy : details->dummyArgs())
        procedure.dummies.push_back(variables.of(dummy));
      if (details->isFunction())
        procedure.result = variables.of(&details->result());
    }
    Statements statements(expressions, variables);
    procedure.body = statements.block(body.v);
    procedure.hasGoto = statements.sawGoto;
    model.procedures.push_back(std::move(procedure));
    return model.procedures.back();
  }

  Model &model;
  Variables variables;
  Expressions expressions;
};

} // namespace

Model buildModel(FlangProgram &program) {
  Model model;
  if (const auto &tree = program.parsing->parseTree()) {
    Units units(program, model);
    walkTree(*tree, units);
  }
  splitLiveRanges(model);
  return model;
}

} // namespace cufc::hazards
