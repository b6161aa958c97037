// See kernel_shape.h.
#include "lower/kernel_shape.h"
#include "cufrt/kernel_shape.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/runtime_calls.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

namespace cufc {
namespace {

using namespace mlir;

// How the body uses arrays along the two innermost parallel loops, by the first subscripts: whether
// they depend on the one loop's variable or on the other's.
class Accesses {
public:
  explicit Accesses(cuf::KernelOp directive) {
    unsigned loops = directive.getRegion().getNumArguments();
    if (loops < 2)
      return;
    for (unsigned i = 0; i < 2; ++i)
      number[i] = directive.getRegion().getArgument(loops - 1 - i);
    directive.walk([&](fir::StoreOp store) {
      for (unsigned i = 0; i < 2; ++i)
        if (isConverted(store.getValue(), number[i]))
          variable[i] = store.getMemref().getDefiningOp();
    });
    directive.walk([&](hlfir::DesignateOp part) { count(part); });
  }

  int order() const { return !columns ? CUFRT_ROWS : rows ? CUFRT_CROSSED : CUFRT_COLUMNS; }

private:
  static bool isConverted(Value value, Value number) {
    while (auto convert = value.getDefiningOp<fir::ConvertOp>())
      value = convert.getValue();
    return number && value == number;
  }

  void count(hlfir::DesignateOp part) {
    if (part.getIndices().size() < 2 || !fir::isa_trivial(fir::unwrapRefType(part.getType())))
      return;
    Value first = part.getIndices().front();
    bool inner = dependsOn(first, 0), next = dependsOn(first, 1);
    rows += inner;
    if (next && !inner)
      columns += llvm::any_of(part.getIndices().drop_front(),
                              [&](Value index) { return dependsOn(index, 0); });
  }

  bool dependsOn(Value value, unsigned loop) {
    if (value == number[loop])
      return true;
    Operation *op = value.getDefiningOp();
    if (auto load = dyn_cast_or_null<fir::LoadOp>(op))
      return variable[loop] && load.getMemref().getDefiningOp() == variable[loop];
    return op && op->getNumRegions() == 0 &&
           llvm::any_of(op->getOperands(), [&](Value part) { return dependsOn(part, loop); });
  }

  Value number[2];                             // of the innermost loop, of the next one
  Operation *variable[2] = {nullptr, nullptr}; // the declarations of their variables
  unsigned rows = 0, columns = 0;
};

class Shape {
public:
  Shape(OpBuilder &host, cuf::KernelOp directive, func::FuncOp kernel, llvm::ArrayRef<Value> trips,
        bool reduces)
      : builder(host, directive->getParentOfType<ModuleOp>()), directive(directive), kernel(kernel),
        loc(directive.getLoc()), trips(trips),
        ends((reduces ? CUFRT_COMBINES : 0) | (isUneven(directive) ? CUFRT_UNEVEN : 0)) {}

  KernelShape values() {
    KernelShape shape;
    bool isComplete = true;
    for (unsigned d = 0; d < 3; ++d) {
      shape.grid[d] = given(directive.getGrid(), d);
      shape.block[d] = given(directive.getBlock(), d);
      for (Value size : {shape.grid[d], shape.block[d]}) {
        llvm::APInt constant;
        isComplete &= matchPattern(size, m_ConstantInt(&constant)) && !constant.isZero();
      }
    }
    if (!isComplete)
      complete(shape);
    return shape;
  }

private:
  Value integer(int value) {
    return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
  }

  // What the directive gives for dimension d; zero if it leaves it open.
  Value given(OperandRange sizes, unsigned d) {
    llvm::APInt constant;
    if (d < sizes.size())
      return sizes[d];
    bool isNumber = sizes.size() == 1 &&
                    !(matchPattern(sizes[0], m_ConstantInt(&constant)) && constant.isZero());
    return integer(d >= trips.size() || (d > 0 && isNumber) ? 1 : 0);
  }

  Value stub() {
    Value address =
        fir::AddrOfOp::create(builder, loc, kernel.getFunctionType(), SymbolRefAttr::get(kernel));
    return builder.createConvert(loc, fir::LLVMPointerType::get(builder.getI8Type()), address);
  }

  void complete(KernelShape &shape) {
    Type type = fir::SequenceType::get({6}, builder.getI32Type());
    Value sizes = builder.createTemporary(loc, type, "kernel_shape");
    auto place = [&](int i) -> Value {
      Value number = arith::ConstantIndexOp::create(builder, loc, i);
      return fir::CoordinateOp::create(builder, loc, builder.getRefType(builder.getI32Type()),
                                       sizes, ValueRange{number});
    };
    auto each = [&](auto visit) {
      for (int d = 0; d < 3; ++d) {
        visit(shape.grid[d], place(d));
        visit(shape.block[d], place(d + 3));
      }
    };
    each([&](Value size, Value at) { fir::StoreOp::create(builder, loc, size, at); });
    Value counts[3];
    for (unsigned d = 0; d < 3; ++d)
      counts[d] = builder.createConvert(
          loc, builder.getI64Type(), d < trips.size() ? trips[trips.size() - 1 - d] : integer(1));
    callRuntime(builder, loc, "cufrt_kernel_shape",
                {sizes, counts[0], counts[1], counts[2],
                 integer(static_cast<int>(std::min<size_t>(trips.size(), 3))),
                 integer(Accesses(directive).order()), integer(ends), stub()},
                {});
    each([&](Value &size, Value at) { size = fir::LoadOp::create(builder, loc, at); });
  }

  fir::FirOpBuilder builder;
  cuf::KernelOp directive;
  func::FuncOp kernel;
  Location loc;
  llvm::ArrayRef<Value> trips;
  int ends;
};

} // namespace

bool isUneven(cuf::KernelOp directive) {
  return directive.getRegion()
      .walk([](Operation *op) {
        bool repeats =
            isa<LoopLikeOpInterface>(op) || llvm::any_of(op->getSuccessors(), [&](Block *next) {
              return next->getParent() == op->getParentRegion() &&
                     next->computeBlockNumber() <= op->getBlock()->computeBlockNumber();
            });
        return repeats ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

KernelShape kernelShape(OpBuilder &host, cuf::KernelOp directive, func::FuncOp kernel,
                        llvm::ArrayRef<Value> trips, bool reduces) {
  return Shape(host, directive, kernel, trips, reduces).values();
}

bool usesColumns(cuf::KernelOp directive) { return Accesses(directive).order() == CUFRT_COLUMNS; }

} // namespace cufc
