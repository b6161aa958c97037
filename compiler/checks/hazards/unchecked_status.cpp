// Variables that take the status of routines of cudafor and that nothing ever reads: an error goes
// unseen there and shows at some later call. One hint a variable.
#include "checks/hazards/hazard.h"
#include "checks/hazards/host_calls.h"

namespace cufc::hazards {
namespace {

struct Uses {
  const Expression *first = nullptr; // that is assigned to
  std::string routine;
  long long calls = 0;
  bool other = false; // it is read, or gets another value
};

bool isStatus(const Statement &statement) {
  if (statement.kind != Statement::Kind::Assignment)
    return false;
  const Expression &target = statement.operands[0], &value = statement.operands[1];
  return target.kind == Expression::Kind::Name && target.variable && !target.variable->dummy &&
         !target.variable->ofModule && !target.variable->result &&
         value.kind == Expression::Kind::Call && value.module == "cudafor" &&
         value.name.starts_with("cuda") && value.name.find("get") == std::string::npos;
}

} // namespace

void findUncheckedStatus(Hazards &hazards) {
  std::map<const Variable *, Uses> uses;
  std::vector<const Variable *> order;
  for (const Procedure &procedure : hazards.model.procedures)
    eachStatement(procedure.body, [&](const Statement &statement) {
      bool status = isStatus(statement);
      if (status) {
        Uses &use = uses[statement.operands[0].variable];
        if (!use.first) {
          use.first = &statement.operands[0];
          use.routine = std::string(statement.operands[1].place.substr(
              0, statement.operands[1].place.find_first_of(" (")));
          order.push_back(use.first->variable);
        }
        ++use.calls;
      }
      bool target = status;
      eachOwnExpression(statement, [&](const Expression &whole) {
        eachExpression(whole, [&](const Expression &part) {
          if (part.variable && !target)
            uses[part.variable].other = true;
          target = false;
        });
      });
      if (statement.variable)
        uses[statement.variable].other = true;
    });
  for (const Variable *variable : order)
    if (const Uses &use = uses[variable]; !use.other)
      hazards.report(Hazard::UncheckedStatus, use.first->place, variable->name, use.calls,
                     use.routine);
}

} // namespace cufc::hazards
