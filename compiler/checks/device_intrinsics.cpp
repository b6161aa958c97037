// Intrinsic procedures that device code cannot call. What stands for them in flang's run-time
// library, and that it has no version for the device, is known from tables/runtime_names.def;
// calls with constant arguments are not left when flang has folded them.
#include "base/diag.h"
#include "checks/check.h"
#include <algorithm>
#include <cctype>
#include <string_view>

namespace cufc {
namespace {

constexpr std::string_view unsupported[] = {
#define CUF_RUNTIME_NAME(entry, name) name,
#define CUF_C_NAME(symbol, name) name,
#include "tables/runtime_names.def"
#undef CUF_RUNTIME_NAME
#undef CUF_C_NAME
};

std::string inCapitals(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return name;
}

bool isUnsupported(const std::string &name) {
  return std::find(std::begin(unsupported), std::end(unsupported), name) != std::end(unsupported);
}

// Procedures of ieee_arithmetic and the other modules of its kind are lowered as intrinsics are.
bool isOfIeeeModule(const Fortran::semantics::Symbol &callee) {
  const auto *module = callee.owner().IsModule() ? callee.owner().symbol() : nullptr;
  return module && module->name().ToString().find("ieee_") != std::string::npos;
}

} // namespace

void checkDeviceIntrinsics(CheckContext &context) {
  for (const Procedure &procedure : context.procedures.all()) {
    for (const ProcedureCall &call : procedure.intrinsics)
      if (std::string name = inCapitals(call.name); call.onDevice && isUnsupported(name))
        context.report(Diag::DeviceUnsupportedCall, call.place, name);
    for (const ProcedureCall &call : procedure.calls)
      if (std::string name = inCapitals(call.place.ToString());
          call.onDevice && isOfIeeeModule(*call.callee) && isUnsupported(name))
        context.report(Diag::DeviceUnsupportedCall, call.place, name);
  }
}

} // namespace cufc
