// Shared memory that one thread writes and another reads, or reads and another overwrites, without
// a barrier between (CUDA C++ programming guide, "Synchronization functions").
//
// A walk over the statements keeps the accesses since the last barrier. An access is a race with an
// earlier one of the same array if another thread may mean the same element: the subscripts differ,
// or they are the same for all threads and only some threads write. Loops are walked twice, so that
// the end of an iteration meets the head of the next. In doubt there is no race: under a common
// test of the thread's index (as in reductions), for double buffers, volatile arrays, blocks of one
// warp, after syncwarp and calls of procedures that are not known, and between the last step of a
// loop that halves the number of threads and what one thread does behind it.
#include "checks/hazards/accesses.h"
#include "checks/hazards/hazard.h"
#include <algorithm>
#include <set>

namespace cufc::hazards {
namespace {

using Kind = Statement::Kind;

struct Past {
  Access access;
  std::vector<const Statement *> path;       // the statements around it, itself last
  std::vector<const Expression *> selectors; // conditions on the thread's index around it
  std::vector<const Expression *> holding;   // conditions that are true there
  bool single = false;                       // a single thread does it
  bool carried = false;                      // in an earlier iteration
  bool last = false; // by a single thread in the last iteration, all others before a barrier
};
using State = std::vector<Past>;

constexpr size_t mostAccesses = 64;

bool isName(const Expression &expression, const Variable *variable) {
  return expression.kind == Expression::Kind::Name && expression.variable == variable;
}

// "d / 2", "ishft(d, -1)", "shiftr(d, 1)"
bool isPartOf(const Expression &value, const Variable *variable) {
  bool divides = value.kind == Expression::Kind::Operation && value.name == "/";
  bool shifts = value.kind == Expression::Kind::Call &&
                (value.name == "ishft" || value.name == "shiftr" || value.name == "rshift");
  return (divides || shifts) && !value.operands.empty() && isName(value.operands[0], variable);
}

// The variable of "do while (d > 0)" with "d = d / 2" in it, as reductions and scans have it: it is
// 1 in the last iteration. Null for another loop.
const Variable *halvedBy(const Statement &loop) {
  const std::optional<Expression> &condition = loop.branches.front().condition;
  if (!condition || condition->kind != Expression::Kind::Operation ||
      condition->operands.size() != 2)
    return nullptr;
  const Variable *found = nullptr;
  for (const Expression &side : condition->operands)
    if (side.kind == Expression::Kind::Name)
      eachStatement(loop.branches.front().body, [&](const Statement &statement) {
        if (statement.kind == Kind::Assignment && isName(statement.operands[0], side.variable) &&
            isPartOf(statement.operands[1], side.variable))
          found = side.variable;
      });
  return found;
}

// "threadidx%x - 1 < d" and the like: one thread is left when d is 1.
bool isBelow(const Expression &condition, const Variable *limit) {
  return condition.kind == Expression::Kind::Operation && condition.operands.size() == 2 &&
         (((condition.name == "<" || condition.name == "<=") &&
           isName(condition.operands[1], limit)) ||
          ((condition.name == ">" || condition.name == ">=") &&
           isName(condition.operands[0], limit)));
}

bool isTransparent(const Statement &call) {
  return call.callee.starts_with("atomic") || call.callee.starts_with("threadfence");
}

class Walk {
public:
  Walk(Hazards &hazards, const Procedure &procedure)
      : hazards(hazards), procedure(procedure), values(hazards.valuesOf(procedure)),
        size(hazards.launches.blockOf(procedure)) {}

  void check() {
    State state;
    block(procedure.body, state);
  }

private:
  // Whether the block's end is reached.
  bool block(const Block &statements, State &state) {
    for (const Statement &statement : statements) {
      path.push_back(&statement);
      bool goesOn = visit(statement, state);
      path.pop_back();
      if (!goesOn)
        return false;
    }
    return true;
  }

  struct Loop {
    const Statement *loop;
    State left; // what has been accessed where EXIT leaves it
  };

  bool visit(const Statement &statement, State &state) {
    switch (statement.kind) {
    case Kind::Exit:
      exit(statement, state);
      return false;
    case Kind::Return:
    case Kind::Cycle:
    case Kind::Stop:
      return false;
    case Kind::Call:
      if (isTransparent(statement))
        return true;
      barriers += 1;
      state.clear(); // a barrier, or it may have one
      return true;
    case Kind::If:
    case Kind::Select:
      branches(statement, state);
      return true;
    case Kind::Loop:
      loop(statement, state);
      return true;
    case Kind::Group:
      block(statement.branches.front().body, state);
      return true;
    default:
      simple(statement, state);
      return true;
    }
  }

  void simple(const Statement &statement, State &state) {
    bool waits = false;
    eachOwnExpression(statement, [&](const Expression &expression) {
      eachExpression(expression, [&](const Expression &part) {
        waits |= part.kind == Expression::Kind::Call &&
                 (part.name.starts_with("syncthreads") || hazards.model.find(part.name));
      });
    });
    for (Access &access : accessesOf(statement, values))
      if (access.element->variable->memory == Memory::Shared &&
          !access.element->variable->isVolatile)
        add(std::move(access), state);
    if (waits)
      state.clear();
  }

  void branches(const Statement &statement, State &state) {
    simple(statement, state);
    State before = std::move(state), after;
    bool hasElse = statement.kind == Kind::Select, uniform = true, anyBarrier = false;
    size_t selectorsBefore = selectors.size(), singlesBefore = singles;
    for (const Branch &branch : statement.branches) {
      if (branch.condition) {
        Dependence dependence = values.dependence(*branch.condition);
        uniform &= !dependence.thread;
        if (dependence.thread && !dependence.block)
          selectors.push_back(&*branch.condition);
        singles = singlesBefore + (selectsThread(*branch.condition, values) ? 1 : 0);
      } else {
        hasElse = true;
        singles = singlesBefore;
      }
      State own = before;
      int barriersBefore = barriers;
      if (branch.condition)
        holding.push_back(&*branch.condition);
      bool goesOn = block(branch.body, own);
      if (branch.condition)
        holding.pop_back();
      bool waits = barriers != barriersBefore;
      if (waits && uniform && !anyBarrier)
        after.clear(); // the branch without one is taken where none is needed
      if (goesOn && (waits || !anyBarrier || !uniform))
        merge(after, own);
      anyBarrier |= waits && uniform;
    }
    selectors.resize(selectorsBefore);
    singles = singlesBefore;
    if (!hasElse && !anyBarrier)
      merge(after, before);
    state = std::move(after);
  }

  static void merge(State &into, const State &from) {
    for (const Past &past : from) {
      bool known = std::any_of(into.begin(), into.end(), [&](const Past &other) {
        return other.access.element == past.access.element && other.carried == past.carried;
      });
      if (!known && into.size() < mostAccesses)
        into.push_back(past);
    }
  }

  void loop(const Statement &statement, State &state) {
    const Branch &body = statement.branches.front();
    simple(statement, state);
    loops.push_back({&statement, {}});
    block(body.body, state);
    for (Past &past : state)
      past.carried |= within(past, statement);
    const Statement *outer = carrier;
    const int barriersBefore = barriers;
    carrier = &statement;
    block(body.body, state);
    carrier = outer;
    if (barriers != barriersBefore)
      markLast(statement, state);
    // A loop without a control ends where it is left.
    if (!body.condition && statement.operands.empty() && !statement.variable)
      state = std::move(loops.back().left);
    loops.pop_back();
    for (Past &past : state)
      past.carried = false;
  }

  static void markLast(const Statement &loop, State &state) {
    if (const Variable *halved = halvedBy(loop))
      for (Past &past : state)
        past.last |= within(past, loop) &&
                     std::any_of(past.selectors.begin(), past.selectors.end(),
                                 [&](const Expression *one) { return isBelow(*one, halved); });
  }

  void exit(const Statement &statement, const State &state) {
    for (size_t i = loops.size(); i-- > 0;)
      if (statement.construct.empty() || loops[i].loop->construct == statement.construct)
        return merge(loops[i].left, state);
  }

  static bool within(const Past &past, const Statement &statement) {
    return std::find(past.path.begin(), past.path.end(), &statement) != past.path.end();
  }

  void add(Access access, State &state) {
    Past now{std::move(access), path, selectors, holding, singles > 0, false, false};
    for (const Past &past : state)
      if (past.access.element->variable == now.access.element->variable && isRace(past, now)) {
        report(past, now);
        break;
      }
    if (state.size() < mostAccesses)
      state.push_back(std::move(now));
  }

  bool isRace(const Past &past, const Past &now) {
    if (past.access.write == now.access.write || past.access.statement == now.access.statement)
      return false;
    if (past.last && now.single)
      return false;
    const auto &x = size[0], &y = size[1], &z = size[2];
    if (x && y && z && *x * *y * *z <= 32)
      return false;
    for (const Expression *selector : past.selectors)
      if (std::find(now.selectors.begin(), now.selectors.end(), selector) != now.selectors.end())
        return false;
    if (past.carried && carrier && (varies(past.access) || varies(now.access)))
      return false;
    const auto &one = past.access.subscripts, &other = now.access.subscripts;
    if (one.size() != other.size())
      return false;
    bool equal = true, threads = false, apart = false;
    for (size_t i = 0; i < one.size(); ++i) {
      Dependence left = values.dependence(one[i]), right = values.dependence(other[i]);
      if (left.loaded || right.loaded)
        return false;
      bool same = one[i] == other[i];
      equal &= same;
      threads |= left.thread || right.thread;
      apart |= !same && (isApart(one[i] - other[i]) || (!left.thread && !right.thread) ||
                         areDisjoint(one[i], past.holding, other[i], now.holding));
    }
    const Past &writer = past.access.write ? past : now, &reader = past.access.write ? now : past;
    if (equal)
      return !threads && writer.single && !reader.single;
    return !apart && (threads || (writer.single && !reader.single));
  }

  struct Range {
    long long low, high;
  };

  // Whether the conditions around two accesses keep their subscripts apart, as where
  // "if (i > n-5) s(i-n+1) = s(i)" fills the margin of a tile.
  bool areDisjoint(const Polynomial &one, const std::vector<const Expression *> &whereOne,
                   const Polynomial &other, const std::vector<const Expression *> &whereOther) {
    std::optional<Range> first = rangeOf(one, whereOne), second = rangeOf(other, whereOther);
    return first && second && (first->high < second->low || second->high < first->low);
  }

  // Of a thread's index and a constant.
  std::optional<Range> rangeOf(const Polynomial &subscript,
                               const std::vector<const Expression *> &conditions) {
    for (int axis = 0; axis < 3; ++axis) {
      Polynomial thread = Polynomial::atom(values.thread(axis));
      std::optional<long long> shift = (subscript - thread).asConstant();
      if (!shift)
        continue;
      Range range{1, size[static_cast<size_t>(axis)].value_or(1024)};
      for (const Expression *condition : conditions)
        narrow(*condition, thread, range);
      return Range{range.low + *shift, range.high + *shift};
    }
    return {};
  }

  void narrow(const Expression &condition, const Polynomial &thread, Range &range) {
    if (condition.kind != Expression::Kind::Operation || condition.operands.size() != 2)
      return;
    const Expression &left = condition.operands[0], &right = condition.operands[1];
    if (condition.name == ".and.") {
      narrow(left, thread, range);
      narrow(right, thread, range);
      return;
    }
    Polynomial difference = values.of(left) - values.of(right);
    std::optional<long long> below = (thread - difference).asConstant(),
                             above = (thread + difference).asConstant();
    if (!below && !above)
      return;
    long long limit = below ? *below : *above;
    bool strict = condition.name == "<" || condition.name == ">";
    bool less = condition.name == "<" || condition.name == "<=";
    bool greater = condition.name == ">" || condition.name == ">=";
    if (condition.name == "==")
      range = {std::max(range.low, limit), std::min(range.high, limit)};
    else if (below ? less : greater)
      range.high = std::min(range.high, limit - (strict ? 1 : 0));
    else if (below ? greater : less)
      range.low = std::max(range.low, limit + (strict ? 1 : 0));
  }

  // Whether two subscripts with this difference never meet: it is a multiple of the block's size.
  bool isApart(const Polynomial &difference) {
    if (values.dependence(difference).thread)
      return false;
    auto known = difference.asConstant();
    if (known)
      return std::abs(*known) >= size[0].value_or(1024);
    for (const auto &[monomial, factor] : difference.terms) {
      bool blocks = false;
      for (Atom atom : monomial)
        for (int axis = 0; axis < 3; ++axis)
          blocks |= atom == values.blockSize(axis);
      if (!blocks)
        return false;
    }
    return true;
  }

  // Whether the subscripts move with the loop that is walked a second time.
  bool varies(const Access &access) {
    std::set<std::string> moving;
    if (carrier->variable)
      moving.insert("#" + carrier->variable->name);
    eachStatement(carrier->branches.front().body, [&](const Statement &statement) {
      if (statement.kind == Kind::Assignment && statement.operands[0].variable &&
          statement.operands[0].kind == Expression::Kind::Name) {
        moving.insert("#" + statement.operands[0].variable->name);
        moving.insert(statement.operands[0].variable->name);
      }
    });
    for (const Polynomial &subscript : access.subscripts)
      for (const auto &[monomial, factor] : subscript.terms)
        for (Atom atom : monomial)
          if (const std::string &text = values.text(atom);
              moving.count(text) || text.find('(') != std::string::npos)
            return true;
    return false;
  }

  void report(const Past &past, const Past &now) {
    if (!reported.insert(now.access.statement).second)
      return;
    const Expression &element = *now.access.element;
    Diagnostic &diagnostic =
        now.access.write
            ? hazards.report(Hazard::SharedOverwritten, element.place, element.variable->name)
            : hazards.report(Hazard::SharedReadEarly, element.place, element.variable->name);
    Place other = past.access.element->place;
    if (now.access.write)
      hazards.relate(diagnostic, Hazard::ReadHere, other,
                     past.carried ? " in the iteration before" : "");
    else
      hazards.relate(diagnostic, Hazard::WrittenHere, other,
                     past.carried ? " in the iteration before" : "");
    offerBarrier(diagnostic, past, now);
  }

  // Where the ways to the two accesses part, unless that is under a condition of the thread.
  void offerBarrier(Diagnostic &diagnostic, const Past &past, const Past &now) {
    size_t depth = 0;
    while (depth + 1 < now.path.size() && depth < past.path.size() &&
           now.path[depth] == past.path[depth])
      ++depth;
    for (size_t i = 0; i < depth; ++i)
      for (const Branch &branch : now.path[i]->branches)
        if (branch.condition && values.dependence(*branch.condition).thread)
          return;
    hazards.insertLineBefore(diagnostic, "insert a barrier", now.path[depth]->place,
                             "call syncthreads()");
  }

  Hazards &hazards;
  const Procedure &procedure;
  ThreadValues &values;
  Extents size;
  std::vector<const Statement *> path;
  std::vector<Loop> loops; // around the statement
  std::vector<const Expression *> selectors, holding;
  size_t singles = 0;
  int barriers = 0;
  const Statement *carrier = nullptr; // the loop that is walked a second time
  std::set<const Statement *> reported;
};

} // namespace

void findSharedRaces(Hazards &hazards) {
  for (const Procedure &procedure : hazards.model.procedures)
    if (procedure.device && !procedure.hasGoto)
      Walk(hazards, procedure).check();
}

} // namespace cufc::hazards
