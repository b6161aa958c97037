// Array constructors with arrays or loops among their values, whose elements flang hands one after
// the other to its run-time library:
//
//   %t = fir.allocmem ...;  fir.store (embox of %t) to %box
//   call InitArrayConstructorVector(%vector, %box, ...)
//   call PushArrayConstructorSimpleScalar(%vector, %address)
//   call PushArrayConstructorValue(%vector, box of an array)
//
// Here each element is stored in %t, and a variable counts them:
//
//   %count = 0;  %t(%count + 1) = %address;  %count = %count + 1;  ...
//
// That is so where the extent was known before (flang took the memory then) and the elements are
// numbers. What counts becomes constants later, and a small %t lies on the stack.
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/FIRType.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/mlir_state.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cufc {
namespace {

using namespace mlir;

Value withoutConversions(Value value) {
  while (auto conversion = value.getDefiningOp<fir::ConvertOp>())
    value = conversion.getValue();
  return value;
}

class Constructor {
public:
  explicit Constructor(fir::CallOp begin) : begin(begin) {}

  bool isReadable() {
    vector = withoutConversions(begin.getArgs()[0]);
    auto box = withoutConversions(begin.getArgs()[1]).getDefiningOp<fir::AllocaOp>();
    return vector.getDefiningOp<fir::AllocaOp>() && box && readMemory(box) && readCalls(vector) &&
           llvm::all_of(pushes, [&](fir::CallOp push) { return isTaken(push); });
  }

  void replace() {
    OpBuilder builder(vector.getDefiningOp());
    Location loc = begin.getLoc();
    count = fir::AllocaOp::create(builder, loc, builder.getIndexType());
    builder.setInsertionPoint(begin);
    fir::StoreOp::create(builder, loc, constant(builder, loc, 0), count);
    for (fir::CallOp push : pushes) {
      builder.setInsertionPoint(push);
      Value source = withoutConversions(push.getArgs()[1]);
      if (isa<fir::BaseBoxType>(source.getType()))
        storeArray(builder, push.getLoc(), source);
      else
        storeScalar(builder, push.getLoc(), source);
      push.erase();
    }
    begin.erase();
    stored.erase();
  }

private:
  static bool isArraysBox(Type type, Type element) {
    auto box = dyn_cast<fir::BoxType>(type);
    auto array = box ? dyn_cast<fir::SequenceType>(fir::dyn_cast_ptrOrBoxEleTy(box)) : nullptr;
    return array && array.getEleTy() == element && !array.hasUnknownShape();
  }

  // The memory that was taken before, from what is stored in the descriptor for the library.
  bool readMemory(fir::AllocaOp box) {
    for (Operation *user : box->getUsers())
      if (auto store = dyn_cast<fir::StoreOp>(user); store && !stored && store.getMemref() == box)
        stored = store;
      else if (!isa<fir::ConvertOp>(user) || !llvm::all_of(user->getUsers(), [&](Operation *use) {
                 return use == begin.getOperation();
               }))
        return false;
    auto descriptor = stored ? stored.getValue().getDefiningOp<fir::EmboxOp>() : fir::EmboxOp();
    if (!descriptor || stored->getBlock() != begin->getBlock())
      return false;
    auto declared = descriptor.getMemref().getDefiningOp<hlfir::DeclareOp>();
    if (!declared || !declared.getMemref().getDefiningOp<fir::AllocMemOp>())
      return false;
    memory = declared.getBase();
    auto array = dyn_cast<fir::SequenceType>(fir::unwrapPassByRefType(memory.getType()));
    if (!array || array.getDimension() != 1 || !fir::isa_trivial(array.getEleTy()))
      return false;
    element = array.getEleTy();
    return true;
  }

  bool readCalls(Value handle) {
    return llvm::all_of(handle.getUsers(), [&](Operation *user) {
      if (auto conversion = dyn_cast<fir::ConvertOp>(user))
        return readCalls(conversion.getResult());
      auto call = dyn_cast<fir::CallOp>(user);
      if (!call || !call.getCallee() || call.getArgs()[0] != handle)
        return false;
      StringRef name = call.getCallee()->getRootReference();
      if (name == "_FortranAPushArrayConstructorSimpleScalar" ||
          name == "_FortranAPushArrayConstructorValue") {
        pushes.push_back(call);
        return true;
      }
      return call == begin;
    });
  }

  bool isTaken(fir::CallOp push) {
    Type type = withoutConversions(push.getArgs()[1]).getType();
    return isArraysBox(type, element) || fir::dyn_cast_ptrEleTy(type) == element;
  }

  static Value constant(OpBuilder &builder, Location loc, int64_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getIndexAttr(value));
  }

  void store(OpBuilder &builder, Location loc, Value value, Value position) {
    Value one = constant(builder, loc, 1);
    Value number = arith::AddIOp::create(builder, loc, position, one);
    Value place = hlfir::DesignateOp::create(builder, loc, fir::ReferenceType::get(element), memory,
                                             ValueRange{number});
    fir::StoreOp::create(builder, loc, value, place);
  }

  void storeScalar(OpBuilder &builder, Location loc, Value address) {
    Value position = fir::LoadOp::create(builder, loc, count);
    Value value = fir::LoadOp::create(builder, loc, address);
    store(builder, loc, value, position);
    Value next = arith::AddIOp::create(builder, loc, position, constant(builder, loc, 1));
    fir::StoreOp::create(builder, loc, next, count);
  }

  // Loops over all dimensions, the first one innermost.
  void storeArray(OpBuilder &builder, Location loc, Value box) {
    auto array = cast<fir::SequenceType>(fir::dyn_cast_ptrOrBoxEleTy(box.getType()));
    Value one = constant(builder, loc, 1), start = fir::LoadOp::create(builder, loc, count);
    Value elements = one;
    llvm::SmallVector<Value> extents, strides;
    for (auto [dimension, extent] : llvm::enumerate(array.getShape())) {
      Value of = extent != fir::SequenceType::getUnknownExtent()
                     ? constant(builder, loc, extent)
                     : fir::BoxDimsOp::create(builder, loc, builder.getIndexType(),
                                              builder.getIndexType(), builder.getIndexType(), box,
                                              constant(builder, loc, dimension))
                           .getExtent();
      extents.push_back(of);
      strides.push_back(elements);
      elements = arith::MulIOp::create(builder, loc, elements, of);
    }
    fir::StoreOp::create(builder, loc, arith::AddIOp::create(builder, loc, start, elements), count);
    OpBuilder::InsertionGuard guard(builder);
    llvm::SmallVector<Value> indices(extents.size());
    Value position = start;
    for (size_t dimension = extents.size(); dimension-- > 0;) {
      auto loop = fir::DoLoopOp::create(builder, loc, one, extents[dimension], one);
      builder.setInsertionPointToStart(loop.getBody());
      indices[dimension] = loop.getInductionVar();
      Value before = arith::SubIOp::create(builder, loc, loop.getInductionVar(), one);
      Value offset = arith::MulIOp::create(builder, loc, before, strides[dimension]);
      position = arith::AddIOp::create(builder, loc, position, offset);
    }
    Value place = fir::ArrayCoorOp::create(builder, loc, fir::ReferenceType::get(element), box,
                                           /*shape=*/Value(), /*slice=*/Value(), indices,
                                           /*typeparams=*/ValueRange{});
    store(builder, loc, fir::LoadOp::create(builder, loc, place), position);
  }

  fir::CallOp begin;
  fir::StoreOp stored;
  llvm::SmallVector<fir::CallOp> pushes;
  Value vector, memory, count;
  Type element;
};

struct ArrayConstructors : PassWrapper<ArrayConstructors, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ArrayConstructors)
  llvm::StringRef getArgument() const override { return "cufc-array-constructors"; }
  void runOnOperation() override {
    llvm::SmallVector<fir::CallOp> calls;
    getOperation().walk([&](fir::CallOp call) {
      if (call.getCallee() &&
          call.getCallee()->getRootReference() == "_FortranAInitArrayConstructorVector")
        calls.push_back(call);
    });
    for (fir::CallOp call : calls)
      if (Constructor constructor(call); constructor.isReadable())
        constructor.replace();
  }
};

} // namespace

std::unique_ptr<Pass> createArrayConstructors() { return std::make_unique<ArrayConstructors>(); }

} // namespace cufc
