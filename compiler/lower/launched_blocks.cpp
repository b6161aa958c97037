// With which blocks a file launches its kernels:
//
//   call k<<<grid, dim3(32, 8, 1)>>>(...)
//   block = dim3(32, 8, 1);  call k<<<grid, block>>>(...)
//
// Code for just these is faster on a CPU (codegen/cpu/known_blocks.h), and a launch is compared
// with them. So nothing needs to be proved here: of a variable any constant counts that is
// assigned.
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/FIROpsSupport.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/mlir_state.h"

namespace cufc {
namespace {

using namespace mlir;

using Number = std::optional<int64_t>;

constexpr int mostAssignments = 4; // from a size to its constant

class Constants {
public:
  Constants(SymbolTable &symbols, Operation &launch) : symbols(symbols), launch(launch) {}

  Number of(Value value, int assignments = mostAssignments) {
    if (Number constant = fir::getIntIfConstant(value))
      return constant;
    Operation *op = value.getDefiningOp();
    if (!op || assignments == 0)
      return std::nullopt;
    if (isa<fir::ConvertOp, hlfir::NoReassocOp>(op))
      return of(op->getOperand(0), assignments);
    auto load = dyn_cast<fir::LoadOp>(op);
    if (!load)
      return std::nullopt;
    auto part = load.getMemref().getDefiningOp<hlfir::DesignateOp>();
    if (part && part.getComponent())
      return ofComponent(part.getMemref(), *part.getComponent(), assignments);
    return assigned(assignmentsTo(load.getMemref()), assignments);
  }

private:
  using Assignments = llvm::SmallVector<hlfir::AssignOp>;

  static Assignments assignmentsTo(Value variable) {
    Assignments found;
    for (Operation *user : variable.getUsers())
      if (auto assign = dyn_cast<hlfir::AssignOp>(user); assign && assign.getLhs() == variable)
        found.push_back(assign);
    return found;
  }

  // The last one before the launch, or any.
  hlfir::AssignOp nearest(const Assignments &all) const {
    hlfir::AssignOp best;
    for (hlfir::AssignOp assign : all) {
      const bool isBefore =
          assign->getBlock() == launch.getBlock() && assign->isBeforeInBlock(&launch);
      if (!best || (isBefore && (best->getBlock() != launch.getBlock() ||
                                 !best->isBeforeInBlock(&launch) || best->isBeforeInBlock(assign))))
        best = assign;
    }
    return best;
  }

  Number assigned(const Assignments &all, int assignments) {
    hlfir::AssignOp assign = nearest(all);
    return assign ? of(assign.getRhs(), assignments - 1) : std::nullopt;
  }

  // A component of a dim3: of a constant, or as it is assigned, by itself or with the others.
  Number ofComponent(Value structure, llvm::StringRef name, int assignments) {
    auto declare = structure.getDefiningOp<hlfir::DeclareOp>();
    if (!declare || assignments == 0)
      return std::nullopt;
    if (auto address = declare.getMemref().getDefiningOp<fir::AddrOfOp>())
      if (auto global = symbols.lookup<fir::GlobalOp>(address.getSymbol().getLeafReference());
          global && global.getConstant())
        return initially(global, name);
    Assignments all = assignmentsTo(structure);
    for (Operation *user : structure.getUsers())
      if (auto part = dyn_cast<hlfir::DesignateOp>(user); part && part.getComponent() == name)
        all.append(assignmentsTo(part.getResult()));
    hlfir::AssignOp assign = nearest(all);
    if (!assign)
      return std::nullopt;
    return assign.getLhs() == structure ? ofComponent(assign.getRhs(), name, assignments - 1)
                                        : of(assign.getRhs(), assignments - 1);
  }

  static Number initially(fir::GlobalOp global, llvm::StringRef name) {
    Number number;
    global.walk([&](fir::InsertValueOp insert) {
      auto field =
          insert.getCoor().empty() ? StringAttr() : dyn_cast<StringAttr>(insert.getCoor()[0]);
      if (field && field.getValue() == name)
        number = fir::getIntIfConstant(insert.getVal());
    });
    return number;
  }

  SymbolTable &symbols;
  Operation &launch;
};

} // namespace

llvm::StringMap<std::vector<BlockSize>> launchedBlocks(ModuleOp module) {
  constexpr int64_t mostThreads = 1024;
  llvm::StringMap<std::vector<BlockSize>> launched;
  SymbolTable symbols(module);
  module.walk([&](cuf::KernelLaunchOp launch) {
    Constants constants(symbols, *launch);
    BlockSize size{};
    int64_t threads = 1;
    Value extents[] = {launch.getBlockX(), launch.getBlockY(), launch.getBlockZ()};
    for (auto [d, value] : llvm::enumerate(extents)) {
      const int64_t number = constants.of(value).value_or(0);
      threads *= number > 0 && number <= mostThreads ? number : 0;
      size[d] = static_cast<int32_t>(number);
    }
    std::vector<BlockSize> &sizes = launched[launch.getCallee().getLeafReference().getValue()];
    if (threads > 0 && threads <= mostThreads && !llvm::is_contained(sizes, size))
      sizes.push_back(size);
  });
  return launched;
}

} // namespace cufc
