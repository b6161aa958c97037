// hoistHostComponents of directive_body.h. Of
//
//   p = hlfir.designate %struct{"x"}; load p            inside the directive
//
// the first operation moves out and gets a declaration, and all such operations for one component
// become one. So do loads of descriptors in host memory and the addresses that they hold, and
// elements of arrays of types, la(k)%x(i), if k is the same in all iterations.
//
// flang takes each object of a type with device components for managed data. A dummy argument's
// actual argument may lie in host memory all the same, as component of another type for example,
// and so may the target of a pointer. The host can read managed memory as well: descriptors, which
// no kernel changes, and values that the directive only reads, are passed instead of addresses.
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "flang/Optimizer/Support/InternalNames.h"
#include "lower/data_location.h"
#include "lower/directive_body.h"
#include "lower/runtime_calls.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

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
      if (auto part = dyn_cast<hlfir::DesignateOp>(op); part && isHostElement(part))
        hoistElement(part);
      else if (!erased.contains(op) && isHostAddress(op))
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

  // An element of an array of types, the same one in all iterations, of which components are used.
  bool isHostElement(hlfir::DesignateOp part) {
    return !erased.contains(part) && isOutside(part.getMemref()) && !part.getComponent() &&
           isa<fir::RecordType>(fir::unwrapRefType(part.getType())) &&
           !isOnlyOnDevice(part.getMemref()) &&
           llvm::all_of(part.getIndices(), [&](Value index) { return staysTheSame(index); }) &&
           llvm::all_of(part->getUsers(), [](Operation *user) {
             auto component = dyn_cast<hlfir::DesignateOp>(user);
             return component && component.getComponent();
           });
  }

  // Constants, variables that the directive only reads, and what is computed of them.
  bool staysTheSame(Value value) {
    Operation *op = value.getDefiningOp();
    if (isOutside(value))
      return true;
    if (auto load = dyn_cast_or_null<fir::LoadOp>(op))
      return isOutside(load.getMemref()) && fir::isa_trivial(load.getType()) &&
             !isOnDevice(load.getMemref()) &&
             llvm::all_of(load.getMemref().getUsers(), [&](Operation *user) {
               return isa<fir::LoadOp>(user) || !directive->isProperAncestor(user);
             });
    return op && (isa<fir::ConvertOp>(op) || isa<arith::ArithDialect>(op->getDialect())) &&
           llvm::all_of(op->getOperands(), [&](Value operand) { return staysTheSame(operand); });
  }

  Value copyOutside(Value value) {
    if (isOutside(value))
      return value;
    IRMapping map;
    for (Value operand : value.getDefiningOp()->getOperands())
      map.map(operand, copyOutside(operand));
    return builder.clone(*value.getDefiningOp(), map)->getResult(0);
  }

  void hoistElement(hlfir::DesignateOp part) {
    Value element = copyOutside(part);
    part.getResult().replaceAllUsesWith(element);
    part.erase();
  }

  // A whole component of an object in host memory, or in managed memory where it is only read.
  static bool isHostComponent(hlfir::DesignateOp part) {
    if (!part.getComponent() || part->getNumOperands() != 1 || part.getComplexPart())
      return false;
    Type type = fir::unwrapRefType(part.getType());
    if (isa<fir::BaseBoxType>(type) || isa<fir::RecordType>(type))
      return !isOnlyOnDevice(part.getMemref()) &&
             (isa<fir::BaseBoxType>(type) || !isOnlyOnDevice(part.getResult()));
    return fir::isa_trivial(type) &&
           (isOnDevice(part.getResult()) ? isOnlyRead(part) : !isOnDevice(part.getMemref()));
  }

  // Of what is said to be managed memory and may be none. A component with an attribute of its own
  // lies elsewhere.
  static bool isOnlyRead(hlfir::DesignateOp part) {
    return !isOnlyOnDevice(part.getResult()) && !isOnlyOnDevice(part.getMemref()) &&
           isReferredTo(part.getMemref()) &&
           llvm::all_of(part->getUsers(), [](Operation *user) { return isa<fir::LoadOp>(user); });
  }

  // Whether an object is a dummy argument or the target of a descriptor.
  static bool isReferredTo(Value object) {
    Operation *op = object.getDefiningOp();
    if (!op || isa<fir::LoadOp>(op))
      return true;
    return isa<hlfir::DesignateOp, hlfir::DeclareOp, fir::ConvertOp, fir::BoxAddrOp>(op) &&
           isReferredTo(op->getOperand(0));
  }

  // Of a component or a pointer to a host object. Descriptors of device variables stay where they
  // are: the outliner passes them.
  static bool isHostDescriptor(Value address) {
    auto part = address.getDefiningOp<hlfir::DesignateOp>();
    return part ? !isOnlyOnDevice(part.getMemref()) : !isOnDevice(address);
  }

  void hoist(Operation *op) {
    if (isa<hlfir::DesignateOp>(op) &&
        fir::isa_trivial(fir::unwrapRefType(op->getResult(0).getType())) &&
        isOnDevice(op->getResult(0)))
      return hoistValue(op);
    std::pair<Value, Attribute> key{op->getOperand(0), op->getAttrDictionary()};
    Value &known = hoisted[key][op->getName().getTypeID()];
    if (!known)
      known = moved(op);
    op->getResult(0).replaceAllUsesWith(known);
    op->erase();
  }

  // Of a component in managed memory that is only read: kernels would get its address.
  void hoistValue(Operation *part) {
    Location loc = part->getLoc();
    Value address = builder.clone(*part)->getResult(0);
    Type pointer = fir::LLVMPointerType::get(builder.getContext(), builder.getI8Type());
    callRuntime(builder, loc, "cufrt_before_component",
                {fir::ConvertOp::create(builder, loc, pointer, address)}, {});
    Value value = fir::LoadOp::create(builder, loc, address);
    for (Operation *load : llvm::make_early_inc_range(part->getUsers())) {
      load->getResult(0).replaceAllUsesWith(value);
      erased.insert(load);
      load->erase();
    }
    part->erase();
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
  llvm::SmallPtrSet<Operation *, 8> erased;
  llvm::DenseMap<std::pair<Value, Attribute>, llvm::DenseMap<TypeID, Value>> hoisted;
};

} // namespace

void hoistHostComponents(cuf::KernelOp directive) { Hoister(directive).run(); }

} // namespace cufc
