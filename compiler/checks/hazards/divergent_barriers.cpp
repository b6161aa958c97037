// Barriers that not all threads reach: under a condition or in a loop that differs between the
// threads, or after some of them have left by RETURN, EXIT or CYCLE (CUDA C++ programming guide,
// "Synchronization functions"). A barrier of the grid or of a cluster is also divergent where
// blocks differ. Operations of whole warps are looked at only under tests of the global index, such
// as "i <= n": what selects whole warps looks much like what splits them.
//
// One walk over each procedure's statements, with the conditions and loops around the current one.
#include "checks/hazards/hazard.h"
#include <algorithm>
#include <set>

namespace cufc::hazards {
namespace {

using Kind = Statement::Kind;

enum class Group { None, Warp, Block, Cluster, Grid };
constexpr const char *groupNames[] = {"", "warp", "block", "cluster", "grid"};

Group groupOf(std::string_view type) {
  if (type.find("grid") != std::string_view::npos)
    return Group::Grid;
  if (type.find("cluster") != std::string_view::npos)
    return Group::Cluster;
  return type.find("block") != std::string_view::npos ? Group::Block : Group::None;
}

bool isOfFullWarp(std::string_view name) {
  return (name.starts_with("__shfl") && name.find("_sync") == std::string_view::npos) ||
         name == "ballot" || name == "allthreads" || name == "anythread";
}

Group ofExpression(const Expression &whole) {
  Group found = Group::None;
  eachExpression(whole, [&](const Expression &part) {
    if (part.kind != Expression::Kind::Call || part.module.empty())
      return;
    if (part.name.starts_with("syncthreads_"))
      found = Group::Block;
    else if (isOfFullWarp(part.name))
      found = std::max(found, Group::Warp);
  });
  return found;
}

// The group that waits at the statement itself.
Group barrierOf(const Statement &statement) {
  Group group = Group::None;
  constexpr std::string_view ofGroup = "cufc_group_sync_"; // what syncthreads of a group stands for
  if (statement.kind == Kind::Call && statement.callee.starts_with(ofGroup) &&
      !statement.module.empty())
    return groupOf(std::string_view(statement.callee).substr(ofGroup.size()));
  if (statement.kind == Kind::Call &&
      (statement.callee == "syncthreads" || statement.callee == "__syncthreads") &&
      !statement.module.empty())
    return Group::Block;
  eachOwnExpression(statement, [&](const Expression &expression) {
    group = std::max(group, ofExpression(expression));
  });
  return group;
}

// Procedures that wait, directly or in what they call.
std::map<std::string, Group> waitingProcedures(const Model &model) {
  std::map<std::string, Group> found;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Procedure &procedure : model.procedures) {
      if (!procedure.device)
        continue;
      Group group = Group::None;
      eachStatement(procedure.body, [&](const Statement &statement) {
        group = std::max(group, barrierOf(statement));
        if (auto callee = found.find(statement.callee);
            statement.kind == Kind::Call && callee != found.end())
          group = std::max(group, callee->second);
      });
      if (group > Group::Warp && !found.count(procedure.name)) {
        found[procedure.name] = group;
        changed = true;
      }
    }
  }
  return found;
}

class Walk {
public:
  Walk(Hazards &hazards, const Procedure &procedure, const std::map<std::string, Group> &waiting)
      : hazards(hazards), procedure(procedure), waiting(waiting),
        values(hazards.valuesOf(procedure)), size(hazards.launches.blockOf(procedure)) {}

  void block(const Block &statements) {
    for (const Statement &statement : statements)
      visit(statement);
  }

private:
  struct Condition {
    Place place;
    Dependence dependence;
  };
  struct Loop {
    std::string name;
    size_t conditions;               // around it
    const Statement *left = nullptr; // by which some threads left an iteration
    std::vector<const Statement *> barriers;
  };

  void visit(const Statement &statement) {
    Group group = barrierOf(statement);
    if (auto callee = waiting.find(statement.callee);
        statement.kind == Kind::Call && callee != waiting.end())
      group = std::max(group, callee->second);
    if (group != Group::None)
      barrier(statement, group);
    switch (statement.kind) {
    case Kind::If:
      return branches(statement);
    case Kind::Select:
      return within({statement.place, values.dependence(statement.operands.front())}, statement);
    case Kind::Loop:
      return loop(statement);
    case Kind::Group:
      return within({}, statement);
    case Kind::Return:
    case Kind::Exit:
    case Kind::Cycle:
      return leave(statement);
    default:
      return;
    }
  }

  void within(Condition condition, const Statement &statement) {
    conditions.push_back(condition);
    for (const Branch &branch : statement.branches)
      block(branch.body);
    conditions.pop_back();
  }

  // The condition of a branch is that of those before it too.
  void branches(const Statement &statement) {
    Condition condition;
    for (const Branch &branch : statement.branches) {
      if (branch.condition) {
        Dependence own = values.dependence(*branch.condition);
        if (!condition.dependence.thread || own.thread)
          condition.place = branch.condition->place;
        condition.dependence |= own;
      }
      conditions.push_back(condition);
      block(branch.body);
      conditions.pop_back();
    }
  }

  void loop(const Statement &statement) {
    loops.push_back({statement.construct, conditions.size(), nullptr, {}});
    const Branch &body = statement.branches.front();
    Condition condition;
    condition.place = body.condition ? body.condition->place : statement.place;
    condition.dependence = body.condition ? values.dependence(*body.condition) : trips(statement);
    conditions.push_back(condition);
    block(body.body);
    conditions.pop_back();
    loops.pop_back();
  }

  // Over what the number of iterations differs.
  Dependence trips(const Statement &loop) {
    if (loop.operands.size() < 2)
      return {};
    Polynomial start = values.of(loop.operands[0]), limit = values.of(loop.operands[1]);
    Polynomial step =
        loop.operands.size() > 2 ? values.of(loop.operands[2]) : Polynomial::constant(1);
    Dependence result = values.dependence(limit - start);
    result |= values.dependence(step);
    // From threadidx%x on in steps of the block's size, and the limit is a multiple of it.
    auto last = limit.asConstant(), by = step.asConstant();
    if (!by && step == Polynomial::atom(values.blockSize(0)))
      by = size[0];
    if (start == Polynomial::atom(values.thread(0)) && last && by && *by > 0 && *last % *by == 0)
      result.thread = false;
    return result;
  }

  // Quotients of blockidx often stand for the cluster, in which they are the same.
  static bool selectsBlock(const Condition &condition) {
    return condition.dependence.block && condition.place.find("blockidx") != Place::npos &&
           condition.place.find('/') == Place::npos;
  }

  bool divergent(const Condition &condition, Group group) const {
    if (group == Group::Warp)
      return condition.dependence.thread && condition.dependence.block &&
             !condition.dependence.loaded;
    return condition.dependence.thread || (group == Group::Grid && condition.dependence.block) ||
           (group == Group::Cluster && selectsBlock(condition));
  }

  void barrier(const Statement &statement, Group group) {
    for (size_t i = conditions.size(); i-- > 0;)
      if (divergent(conditions[i], group))
        return divergentBarrier(statement, group, conditions[i]);
    if (group == Group::Warp)
      return;
    const Statement *left = returned;
    for (const Loop &loop : loops)
      left = loop.left ? loop.left : left;
    if (left)
      return leftBarrier(statement, group, *left);
    for (Loop &loop : loops)
      loop.barriers.push_back(&statement);
  }

  void divergentBarrier(const Statement &statement, Group group, const Condition &condition) {
    if (!reported.insert(&statement).second)
      return;
    Diagnostic &diagnostic = hazards.report(Hazard::DivergentBarrier, statement.place,
                                            groupNames[static_cast<int>(group)],
                                            condition.dependence.thread ? "threads" : "blocks");
    hazards.relate(diagnostic, Hazard::DivergentCondition, condition.place);
  }

  void leftBarrier(const Statement &statement, Group group, const Statement &left) {
    if (!reported.insert(&statement).second)
      return;
    Diagnostic &diagnostic = hazards.report(Hazard::BarrierAfterLeave, statement.place,
                                            groupNames[static_cast<int>(group)]);
    hazards.relate(diagnostic, Hazard::LeavesHere, left.place);
  }

  void leave(const Statement &statement) {
    bool returns = statement.kind == Kind::Return;
    size_t outermost = returns ? 0 : loops.size();
    while (!returns && outermost > 0) {
      --outermost;
      if (statement.construct.empty() || loops[outermost].name == statement.construct)
        break;
    }
    size_t from = returns || loops.empty() ? 0 : loops[outermost].conditions + 1;
    bool some = false;
    for (size_t i = from; i < conditions.size(); ++i)
      some |= conditions[i].dependence.thread;
    if (!some || procedure.hasGoto)
      return;
    for (size_t i = outermost; i < loops.size(); ++i) {
      loops[i].left = &statement;
      if (statement.kind != Kind::Cycle)
        for (const Statement *barrier : loops[i].barriers)
          leftBarrier(*barrier, Group::Block, statement);
    }
    if (returns)
      returned = &statement;
  }

  Hazards &hazards;
  const Procedure &procedure;
  const std::map<std::string, Group> &waiting;
  ThreadValues &values;
  Extents size;
  std::vector<Condition> conditions;
  std::vector<Loop> loops;
  const Statement *returned = nullptr;
  std::set<const Statement *> reported;
};

} // namespace

void findDivergentBarriers(Hazards &hazards) {
  auto waiting = waitingProcedures(hazards.model);
  for (const Procedure &procedure : hazards.model.procedures)
    if (procedure.device)
      Walk(hazards, procedure, waiting).block(procedure.body);
}

} // namespace cufc::hazards
