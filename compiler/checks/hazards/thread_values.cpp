// See thread_values.h.
#include "checks/hazards/thread_values.h"
#include <algorithm>

namespace cufc::hazards {
namespace {

using Kind = Expression::Kind;
using namespace std::string_view_literals;

constexpr size_t mostTerms = 16, longestText = 160;
constexpr int deepest = 60; // of nested expressions and definitions

// Results that are the same in all threads, whatever the arguments.
bool isUniformResult(std::string_view function) {
  return function.starts_with("syncthreads_") || function.starts_with("all") ||
         function.starts_with("any") || function.starts_with("ballot") ||
         function.starts_with("__all") || function.starts_with("__any") ||
         function.starts_with("__ballot") || function.starts_with("match_");
}

bool isConversion(const Expression &call) {
  return (call.name == "int" || call.name == "nint") && !call.operands.empty() &&
         call.operands[0].type == Type::Integer;
}

} // namespace

ThreadValues::ThreadValues(const Procedure &procedure, const Summaries &summaries)
    : procedure(procedure), summaries(summaries) {
  std::vector<const Expression *> conditions;
  collect(procedure.body, conditions);
}

void ThreadValues::define(const Statement &statement,
                          const std::vector<const Expression *> &conditions) {
  auto add = [&](const Expression &target, const Expression *value,
                 std::vector<const Expression *> operands) {
    if (target.kind == Kind::Name && target.variable)
      definitions[target.variable].list.push_back({value, std::move(operands), conditions});
  };
  if (statement.kind == Statement::Kind::Assignment && statement.operands.size() == 2) {
    add(statement.operands[0], &statement.operands[1], {});
  } else if (statement.kind == Statement::Kind::Loop && statement.variable) {
    const Expression *start = statement.operands.empty() ? nullptr : &statement.operands.front();
    std::vector<const Expression *> all = conditions;
    for (size_t i = 1; i < statement.operands.size(); ++i)
      all.push_back(&statement.operands[i]);
    definitions[statement.variable].list.push_back({start, {}, all, true});
  } else if (statement.kind == Statement::Kind::Call) {
    std::vector<const Expression *> operands;
    for (const Expression &operand : statement.operands)
      operands.push_back(&operand);
    for (const Expression &operand : statement.operands)
      add(operand, nullptr, operands);
  } else if (statement.kind == Statement::Kind::Other) {
    for (const Expression &operand : statement.operands)
      if (!statement.place.starts_with("print") && !statement.place.starts_with("write"))
        add(operand, nullptr, {});
  }
}

void ThreadValues::collect(const Block &block, std::vector<const Expression *> &conditions) {
  for (const Statement &statement : block) {
    define(statement, conditions);
    size_t before = conditions.size();
    for (const Branch &branch : statement.branches)
      if (branch.condition)
        conditions.push_back(&*branch.condition);
    if (statement.kind == Statement::Kind::Loop || statement.kind == Statement::Kind::Select)
      for (const Expression &operand : statement.operands)
        conditions.push_back(&operand);
    for (const Branch &branch : statement.branches)
      collect(branch.body, conditions);
    conditions.resize(before);
  }
}

Atom ThreadValues::atom(std::string text, Dependence dependence) {
  if (text.size() > longestText)
    text = "value " + std::to_string(atoms.size()); // like no other
  auto [found, isNew] = atomNumbers.try_emplace(text, static_cast<Atom>(atoms.size()));
  if (isNew)
    atoms.push_back({std::move(text), dependence});
  else
    atoms[found->second].dependence |= dependence;
  return found->second;
}

Atom ThreadValues::builtin(const char *name, int axis) {
  std::string text = std::string(name) + "%" + "xyz"[axis];
  return atom(text, {name == "threadidx"sv, name == "blockidx"sv, false});
}

Dependence ThreadValues::dependence(const Polynomial &polynomial) const {
  Dependence result;
  for (const auto &[monomial, factor] : polynomial.terms)
    for (Atom atom : monomial)
      result |= atoms[atom].dependence;
  return result;
}

std::string ThreadValues::text(const Polynomial &polynomial) const {
  std::string result;
  for (const auto &[monomial, factor] : polynomial.terms) {
    std::string term;
    for (Atom atom : monomial)
      term += (term.empty() ? "" : "*") + atoms[atom].text;
    if (factor != 1 || term.empty())
      term.insert(0, std::to_string(factor) + (term.empty() ? "" : "*"));
    result += (result.empty() || term[0] == '-' ? "" : "+") + term;
  }
  return result.empty() ? "0" : result;
}

Polynomial ThreadValues::of(const Expression &expression) {
  if (expression.value)
    return Polynomial::constant(*expression.value);
  if (depth > deepest)
    return Polynomial::atom(atom("deep " + std::string(expression.place), {false, false, true}));
  ++depth;
  Polynomial result;
  if (expression.kind == Kind::Name && expression.variable)
    result = variable(*expression.variable);
  else if (expression.kind == Kind::Operation)
    result = operation(expression);
  else if (expression.kind == Kind::Call && isConversion(expression))
    result = of(expression.operands[0]);
  else
    result = opaque(expression);
  if (result.terms.size() > mostTerms)
    result = Polynomial::atom(atom(text(result), dependence(result)));
  --depth;
  return result;
}

Polynomial ThreadValues::operation(const Expression &expression) {
  const auto &operands = expression.operands;
  if (operands.size() == 1 && expression.name == "()")
    return of(operands[0]);
  if (operands.size() == 1 && expression.name == "neg")
    return of(operands[0]).times(-1);
  if (operands.size() == 2 && expression.name == "+")
    return of(operands[0]) + of(operands[1]);
  if (operands.size() == 2 && expression.name == "-")
    return of(operands[0]) - of(operands[1]);
  if (operands.size() == 2 && expression.name == "*")
    return of(operands[0]) * of(operands[1]);
  return opaque(expression);
}

Dependence ThreadValues::ofCall(const Expression &call) const {
  if (call.name.starts_with("atomic"))
    return {true, true, true};
  if (auto found = summaries.find(call.name); found != summaries.end())
    return found->second.result;
  return {};
}

// What is not a polynomial of its parts: an unknown, known again by its text.
Polynomial ThreadValues::opaque(const Expression &expression) {
  std::string parts;
  Dependence dependence;
  for (const Expression &operand : expression.operands) {
    Polynomial part = of(operand);
    parts += (parts.empty() ? "" : ",") + text(part);
    dependence |= this->dependence(part);
  }
  std::string name = expression.name;
  switch (expression.kind) {
  case Kind::Builtin:
    dependence = {name.starts_with("threadidx"), name.starts_with("blockidx"), false};
    break;
  case Kind::Operation:
    name = "op" + name;
    break;
  case Kind::Call:
    dependence |= ofCall(expression);
    if (isUniformResult(name))
      dependence.thread = false;
    break;
  case Kind::Element:
    name = expression.variable ? expression.variable->name : name;
    dependence.loaded = true;
    if (expression.variable && expression.variable->memory == Memory::Thread)
      dependence |= this->dependence(*expression.variable);
    break;
  case Kind::Component:
    dependence.loaded = true;
    if (name == "rank" || name == "thread_rank" || name == "thread_index")
      dependence.thread = true;
    break;
  case Kind::Literal:
    break;
  default:
    name = std::string(expression.place);
    dependence.loaded = true;
  }
  if (!expression.operands.empty())
    name += "(" + parts + ")";
  return Polynomial::atom(atom(std::move(name), dependence));
}

Dependence ThreadValues::dependence(const Variable &variable) {
  Definitions &known = definitions[&variable];
  if (known.dependence)
    return *known.dependence;
  if (known.open)
    return {};
  known.open = true;
  Dependence result;
  for (const Definition &definition : known.list) {
    if (definition.value)
      result |= dependence(*definition.value);
    else
      result.loaded = true;
    for (const Expression *operand : definition.operands)
      if (operand->variable != &variable)
        result |= dependence(*operand);
    if (known.list.size() > 1)
      for (const Expression *condition : definition.conditions)
        result |= dependence(*condition);
  }
  known.open = false;
  known.dependence = result;
  return result;
}

Polynomial ThreadValues::variable(const Variable &variable) {
  if (variable.dummy) {
    Dependence dependence;
    if (auto found = summaries.find(procedure.name); found != summaries.end())
      for (size_t i = 0; i < procedure.dummies.size(); ++i)
        if (procedure.dummies[i] == &variable && i < found->second.dummies.size())
          dependence = found->second.dummies[i];
    if (auto found = definitions.find(&variable); found == definitions.end())
      return Polynomial::atom(atom(variable.name, dependence));
  } else if (variable.memory != Memory::Thread) {
    return Polynomial::atom(atom(variable.name, {false, false, true}));
  }
  Definitions &known = definitions[&variable];
  if (known.value)
    return *known.value;
  if (known.open || known.list.empty())
    return Polynomial::atom(atom(variable.name, {}));
  Polynomial result = computed(variable, known);
  definitions[&variable].value = result;
  return result;
}

// x + 1 where x is the variable: 1.
const Expression *ThreadValues::increment(const Expression &value, const Variable &variable) const {
  if (value.kind != Kind::Operation || value.operands.size() != 2 ||
      (value.name != "+" && value.name != "-"))
    return nullptr;
  if (value.operands[0].kind == Kind::Name && value.operands[0].variable == &variable)
    return &value.operands[1];
  if (value.name == "+" && value.operands[1].kind == Kind::Name &&
      value.operands[1].variable == &variable)
    return &value.operands[0];
  return nullptr;
}

Polynomial ThreadValues::computed(const Variable &variable, Definitions &known) {
  const Definition *first = nullptr;
  bool counts = false, simple = true;
  for (const Definition &definition : known.list) {
    const Expression *step = definition.value ? increment(*definition.value, variable) : nullptr;
    if (step && !dependence(*step).thread) {
      counts = true;
    } else if (!first && definition.value) {
      first = &definition;
      counts |= definition.loop;
    } else {
      simple = false;
    }
  }
  if (!simple || !first)
    return Polynomial::atom(atom(variable.name, dependence(variable)));
  known.open = true;
  Polynomial result = of(*first->value);
  known.open = false;
  if (counts)
    result = result + Polynomial::atom(atom("#" + variable.name, {}));
  return result;
}

namespace {

// Adds what the calls of one procedure pass; true if that is news.
bool addCalls(const Model &model, const Procedure &caller, Summaries &summaries) {
  ThreadValues values(caller, summaries);
  bool changed = false;
  auto pass = [&](const std::string &callee, const std::vector<Expression> &arguments) {
    const Procedure *procedure = model.find(callee);
    if (!procedure || !procedure->device || procedure->kernel)
      return;
    std::vector<Dependence> &dummies = summaries[callee].dummies;
    dummies.resize(std::max(dummies.size(), procedure->dummies.size()));
    for (size_t i = 0; i < std::min(arguments.size(), dummies.size()); ++i) {
      Dependence sum = dummies[i];
      sum |= values.dependence(arguments[i]);
      changed |= !(sum == dummies[i]);
      dummies[i] = sum;
    }
  };
  eachStatement(caller.body, [&](const Statement &statement) {
    if (statement.kind == Statement::Kind::Call)
      pass(statement.callee, statement.operands);
    eachOwnExpression(statement, [&](const Expression &whole) {
      eachExpression(whole, [&](const Expression &part) {
        if (part.kind == Kind::Call)
          pass(part.name, part.operands);
      });
    });
  });
  if (caller.result) {
    Dependence result = values.dependence(*caller.result);
    Dependence &known = summaries[caller.name].result;
    changed |= !(result == known);
    known = result;
  }
  return changed;
}

} // namespace

Summaries summarise(const Model &model) {
  Summaries summaries;
  bool hasCalls = std::any_of(model.procedures.begin(), model.procedures.end(),
                              [](const Procedure &p) { return p.device && !p.kernel; });
  bool changed = hasCalls;
  for (int round = 0; changed && round < 4; ++round) {
    changed = false;
    for (const Procedure &procedure : model.procedures)
      if (procedure.device)
        changed |= addCalls(model, procedure, summaries);
  }
  return summaries;
}

} // namespace cufc::hazards
