// Launches and copies without a stream between work in streams of the program: the default stream
// waits for all of them and they wait for it (CUDA C++ programming guide, "Implicit
// synchronization"). A copy to the host is left out: the program wants to have the result there.
// Followed along straight code and over the iterations of loops; whatever waits starts anew.
#include "checks/hazards/hazard.h"
#include "checks/hazards/host_calls.h"
#include <set>

namespace cufc::hazards {
namespace {

using Kind = Statement::Kind;

enum class Work { None, InStream, InDefault, Waits };

class Walk {
public:
  Walk(Hazards &hazards, const Procedure &procedure) : hazards(hazards), procedure(procedure) {}

  void block(const Block &statements) {
    for (const Statement &statement : statements) {
      step(statement);
      if (statement.branches.empty() || statement.kind == Kind::CufKernel)
        continue;
      bool repeats = statement.kind == Kind::Loop;
      if (!repeats && statement.kind != Kind::Group)
        forget();
      for (const Branch &branch : statement.branches) {
        block(branch.body);
        if (repeats)
          block(branch.body);
        else
          forget();
      }
    }
  }

private:
  void forget() { before = between = nullptr; }

  void step(const Statement &statement) {
    switch (workOf(statement)) {
    case Work::None:
      return;
    case Work::Waits:
      return forget();
    case Work::InStream:
      if (before && between && reported.insert(between).second) {
        Diagnostic &diagnostic = hazards.report(Hazard::DefaultStreamUse, between->place);
        hazards.relate(diagnostic, Hazard::StreamWorkHere, before->place);
        hazards.relate(diagnostic, Hazard::StreamWorkHere, statement.place);
      }
      before = &statement;
      between = nullptr;
      return;
    case Work::InDefault:
      if (before && !between)
        between = &statement;
    }
  }

  bool isDefault(const Expression &stream) const {
    const Expression *known = assignedOnce(procedure, stream);
    return known && known->value == 0;
  }

  Work workOf(const Statement &statement) const {
    if (statement.kind == Kind::Launch || statement.kind == Kind::CufKernel) {
      const auto &configuration = statement.configuration;
      if (configuration.size() != 4)
        return Work::InDefault;
      const auto &stream = configuration[3];
      return stream && !isDefault(*stream) ? Work::InStream : Work::InDefault;
    }
    for (const RuntimeCall &call : runtimeCalls(statement)) {
      if (isAsynchronousCopy(call)) {
        const Expression *stream = streamOf(call);
        return stream && !isDefault(*stream) ? Work::InStream : Work::InDefault;
      }
      if (call.name == "cudamemcpy") {
        const Expression *target = call.argument(0, "dst");
        return target && isOnDevice(*target) ? Work::InDefault : Work::Waits;
      }
      if (waits(call))
        return Work::Waits;
    }
    if (isCopy(statement))
      return isOnDevice(statement.operands[0]) ? Work::InDefault : Work::Waits;
    if (callsOthers(statement) || statement.kind == Kind::Deallocate ||
        statement.kind == Kind::Goto)
      return Work::Waits;
    return Work::None;
  }

  Hazards &hazards;
  const Procedure &procedure;
  const Statement *before = nullptr, *between = nullptr;
  std::set<const Statement *> reported;
};

// Streams that do not wait for the default one, or another default.
bool changesStreams(const Procedure &procedure) {
  bool found = false;
  eachStatement(procedure.body, [&](const Statement &statement) {
    eachOwnExpression(statement, [&](const Expression &whole) {
      eachExpression(whole, [&](const Expression &part) {
        found |= part.name == "cudastreamnonblocking" || part.name == "cudastreamperthread" ||
                 part.name.find("setdefaultstream") != std::string::npos;
      });
    });
    found |= statement.callee.find("setdefaultstream") != std::string::npos;
  });
  return found;
}

} // namespace

void findDefaultStreamUse(Hazards &hazards) {
  for (const Procedure &procedure : hazards.model.procedures)
    if (changesStreams(procedure))
      return;
  for (const Procedure &procedure : hazards.model.procedures)
    if (!procedure.device)
      Walk(hazards, procedure).block(procedure.body);
}

} // namespace cufc::hazards
