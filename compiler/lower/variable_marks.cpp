// Where local variables of kernels and device procedures come into being, for -gpu=check:
//
//   %x = hlfir.declare %memory {uniq_name = "_QMmFkEx"}
//   fir.call @cufrt_check_variable("x", %memory)
//
// From here on the variable has no value, also one of a BLOCK that is entered again. LLVM IR has
// neither names nor this place (codegen/cpu/local_checks.h). Variables that the compiler makes are
// none of the user's; pointers and allocatables have a status and are looked at by others.
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/device_procedures.h"
#include "lower/mlir_state.h"
#include "lower/runtime_calls.h"
#include "lower/variable_names.h"

namespace cufc {
namespace {

using namespace mlir;

bool isOfSource(const std::string &name) {
  return !name.empty() && name[0] != '.' && name[0] != '_';
}

// Whether memory is only used through names of the source. The memory of a value that gets a name
// (of ASSOCIATE, of a dummy argument with VALUE) is stored to before.
bool hasNamesAlone(fir::AllocaOp memory) {
  return llvm::all_of(memory->getUsers(), [](Operation *user) {
    auto declare = dyn_cast<hlfir::DeclareOp>(user);
    return declare && isOfSource(variableName(declare.getResult(0)));
  });
}

bool isLocal(hlfir::DeclareOp op) {
  auto memory = op.getMemref().getDefiningOp<fir::AllocaOp>();
  return memory && !op.getDummyScope() && hasNamesAlone(memory) &&
         !isa<fir::BaseBoxType>(memory.getInType());
}

struct VariableMarks : PassWrapper<VariableMarks, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VariableMarks)
  llvm::StringRef getArgument() const override { return "cufc-variable-marks"; }

  void runOnOperation() override {
    llvm::SmallVector<hlfir::DeclareOp> variables;
    getOperation().walk([&](func::FuncOp function) {
      if (isDeviceProcedure(function))
        function.walk([&](hlfir::DeclareOp op) {
          if (isLocal(op))
            variables.push_back(op);
        });
    });
    for (hlfir::DeclareOp op : variables)
      if (std::string name = variableName(op.getResult(0)); isOfSource(name))
        mark(op, name);
  }

  void mark(hlfir::DeclareOp op, const std::string &name) {
    fir::FirOpBuilder builder(op, fir::getKindMapping(getOperation()));
    builder.setInsertionPointAfter(op);
    Location loc = op.getLoc();
    Value address =
        builder.createConvert(loc, fir::ReferenceType::get(builder.getI8Type()), op.getMemref());
    callRuntime(builder, loc, "cufrt_check_variable", {textArgument(builder, loc, name), address},
                {});
  }
};

} // namespace

std::unique_ptr<Pass> createVariableMarks() { return std::make_unique<VariableMarks>(); }

} // namespace cufc
