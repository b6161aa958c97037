// hoistHostComponents of directive_body.h. Of
//
//   p = hlfir.designate %struct{"x"}; load p            inside the directive
//
// the first operation moves out and gets a declaration, and all such operations for one component
// become one. So do loads of descriptors in host memory and the addresses that they hold.
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "flang/Optimizer/Support/InternalNames.h"
#include "lower/data_location.h"
#include "lower/directive_body.h"
#include "mlir/IR/Builders.h"

namespace cufc {
namespace {

using namespace mlir;

class Hoister {
public:
  explicit Hoister(cuf::KernelOp directive) : directive(directive), builder(directive) {}

  void run() {
    llvm::SmallVector<Operation *> candidates;
    directive.getRegion().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<hlfir::DesignateOp, fir::LoadOp, fir::BoxAddrOp>(op))
        candidates.push_back(op);
    });
    for (Operation *op : candidates)
      if (isHostAddress(op))
        hoist(op);
  }

private:
  bool isOutside(Value value) { return !directive.getRegion().isAncestor(value.getParentRegion()); }

  bool isHostAddress(Operation *op) {
    if (!isOutside(op->getOperand(0)))
      return false;
    if (auto part = dyn_cast<hlfir::DesignateOp>(op))
      return isHostComponent(part);
    if (!isa<fir::BaseBoxType>(op->getOperand(0).getType()) && !isa<fir::LoadOp>(op))
      return false;
    if (auto load = dyn_cast<fir::LoadOp>(op))
      return isa<fir::BaseBoxType>(load.getType()) && isHostDescriptor(load.getMemref());
    return fir::isa_trivial(fir::unwrapRefType(op->getResult(0).getType())) &&
           !isOnDevice(op->getResult(0));
  }

  // A whole component of an object in host memory.
  static bool isHostComponent(hlfir::DesignateOp part) {
    if (!part.getComponent() || part->getNumOperands() != 1 || part.getComplexPart())
      return false;
    Type type = fir::unwrapRefType(part.getType());
    bool isBox = isa<fir::BaseBoxType>(type);
    return (isBox || fir::isa_trivial(type) || isa<fir::RecordType>(type)) &&
           !isOnDevice(part.getMemref()) && (isBox || !isOnDevice(part.getResult()));
  }

  // Of a component or a pointer to a host object. Descriptors of device variables stay where they
  // are: the outliner passes them.
  static bool isHostDescriptor(Value address) {
    auto part = address.getDefiningOp<hlfir::DesignateOp>();
    return part ? !isOnDevice(part.getMemref()) : !isOnDevice(address);
  }

  void hoist(Operation *op) {
    std::pair<Value, Attribute> key{op->getOperand(0), op->getAttrDictionary()};
    Value &known = hoisted[key][op->getName().getTypeID()];
    if (!known)
      known = moved(op);
    op->getResult(0).replaceAllUsesWith(known);
    op->erase();
  }

  Value moved(Operation *op) {
    Value value = builder.clone(*op)->getResult(0);
    if (isa<fir::LoadOp>(op) || !fir::isa_trivial(fir::unwrapRefType(value.getType())))
      return value;
    return hlfir::DeclareOp::create(builder, op->getLoc(), value, nameOf(op)).getResult(0);
  }

  static std::string nameOf(Operation *op) {
    if (auto part = dyn_cast<hlfir::DesignateOp>(op))
      return nameOf(part.getMemref()) + "%" + part.getComponent()->str();
    return nameOf(op->getOperand(0));
  }

  static std::string nameOf(Value value) {
    Operation *op = value.getDefiningOp();
    if (auto declare = dyn_cast_or_null<hlfir::DeclareOp>(op))
      return fir::NameUniquer::deconstruct(declare.getUniqName()).second.name;
    return op && op->getNumOperands() > 0 ? nameOf(op) : "";
  }

  cuf::KernelOp directive;
  OpBuilder builder;
  llvm::DenseMap<std::pair<Value, Attribute>, llvm::DenseMap<TypeID, Value>> hoisted;
};

} // namespace

void hoistHostComponents(cuf::KernelOp directive) { Hoister(directive).run(); }

} // namespace cufc
