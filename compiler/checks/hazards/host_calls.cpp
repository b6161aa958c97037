// See host_calls.h.
#include "checks/hazards/host_calls.h"
#include <algorithm>

namespace cufc::hazards {
namespace {

bool isRuntime(std::string_view name, std::string_view module) {
  return module == "cudafor" && name.starts_with("cuda");
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

} // namespace

const Expression *RuntimeCall::argument(size_t position, std::string_view keyword) const {
  for (size_t i = 0; i < arguments->size(); ++i) {
    const std::string given = i < keywords->size() ? (*keywords)[i] : std::string();
    if (given == keyword || (given.empty() && i == position))
      return &(*arguments)[i];
  }
  return nullptr;
}

std::vector<RuntimeCall> runtimeCalls(const Statement &statement) {
  std::vector<RuntimeCall> found;
  if (statement.kind == Statement::Kind::Call && isRuntime(statement.callee, statement.module))
    found.push_back({statement.callee, &statement.operands, &statement.keywords, statement.place});
  eachOwnExpression(statement, [&](const Expression &whole) {
    eachExpression(whole, [&](const Expression &part) {
      if (part.kind == Expression::Kind::Call && isRuntime(part.name, part.module))
        found.push_back({part.name, &part.operands, &part.keywords, part.place});
    });
  });
  return found;
}

bool callsOthers(const Statement &statement) {
  bool found =
      statement.kind == Statement::Kind::Call && !isRuntime(statement.callee, statement.module);
  eachOwnExpression(statement, [&](const Expression &whole) {
    eachExpression(whole, [&](const Expression &part) {
      found |= part.kind == Expression::Kind::Call && !part.module.empty() &&
               !isRuntime(part.name, part.module) && part.module != "iso_c_binding" &&
               !part.module.starts_with("__fortran");
    });
  });
  return found;
}

bool waits(const RuntimeCall &call) {
  if (contains(call.name, "synchronize") || contains(call.name, "query") ||
      contains(call.name, "devicereset"))
    return true;
  if (contains(call.name, "async"))
    return false;
  return call.name.starts_with("cudamemcpy") || call.name.starts_with("cudamemset") ||
         call.name.starts_with("cudafree");
}

bool isAsynchronousCopy(const RuntimeCall &call) {
  return call.name.starts_with("cudamemcpy") && call.name.ends_with("async");
}

const Expression *copySource(const RuntimeCall &call) {
  return contains(call.name, "2d") ? call.argument(2, "src") : call.argument(1, "src");
}

const Expression *streamOf(const RuntimeCall &call) {
  if (call.arguments->empty())
    return nullptr;
  if (const Expression *named = call.argument(call.arguments->size(), "stream"))
    return named;
  const Expression &last = call.arguments->back();
  bool isStream = last.type == Type::Integer && last.typeKind == 8 && call.arguments->size() > 3;
  return isStream ? &last : nullptr;
}

bool isOnDevice(const Expression &expression) {
  const Variable *variable = expression.variable;
  return variable && expression.kind != Expression::Kind::Call &&
         (variable->memory == Memory::Device || variable->memory == Memory::Constant);
}

bool isCopy(const Statement &statement) {
  if (statement.kind != Statement::Kind::Assignment || statement.operands.size() != 2)
    return false;
  bool device = isOnDevice(statement.operands[0]);
  eachExpression(statement.operands[1],
                 [&](const Expression &part) { device |= isOnDevice(part); });
  return device;
}

} // namespace cufc::hazards
