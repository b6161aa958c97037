// hlfir.matmul %a %b of real matrices becomes a call of cufrt_multiply_real4 or _real8
// (runtime/core/matrix_product.cpp) where they are large, and loops where they are small, which
// flang has for all: without blocks for caches, and with a column of the result in memory for each
// term. Products of known and small sizes are left to flang.
#include "lower/matrix_products.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/data_location.h"
#include "lower/runtime_calls.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"

namespace cufc {
namespace {

using namespace mlir;

// Multiplications from which a call is worth its packing.
constexpr int64_t fewProducts = 4096;

class Product {
public:
  Product(hlfir::MatmulOp op, bool fused)
      : op(op), loc(op.getLoc()), fused(fused),
        builder(op.getOperation(), fir::getKindMapping(op->getParentOfType<ModuleOp>())),
        a(op.getLhs()), b(op.getRhs()) {}

  void run() {
    if (!applies())
      return;
    builder.setInsertionPoint(op);
    rows = extent(a, 0), terms = extent(a, 1), columns = extent(b, 1);
    hlfir::Entity result = allocate();
    auto choice = fir::IfOp::create(builder, loc, isLarge(), /*withElseRegion=*/true);
    builder.setInsertionPointToStart(&choice.getThenRegion().front());
    callLibrary(result);
    builder.setInsertionPointToStart(&choice.getElseRegion().front());
    multiply(result);
    builder.setInsertionPointAfter(choice);
    Value moved = builder.createBool(loc, true);
    op.replaceAllUsesWith(hlfir::AsExprOp::create(builder, loc, result, moved).getResult());
    op.erase();
  }

private:
  bool applies() {
    element = a.getFortranElementType();
    return a.isVariable() && b.isVariable() && a.getRank() == 2 && b.getRank() == 2 &&
           !a.isMutableBox() && !b.isMutableBox() && (element.isF32() || element.isF64()) &&
           element == b.getFortranElementType() && !isOnDevice(a) && !isOnDevice(b) &&
           !isKnownSmall() && !op->getParentOfType<omp::WorkshareOp>();
  }

  // Constant extents of the result and one of the terms.
  bool isKnownSmall() {
    int64_t products = 1;
    auto multiplyBy = [&](int64_t extent) {
      return extent != fir::SequenceType::getUnknownExtent() && extent <= fewProducts &&
             (products *= extent) <= fewProducts;
    };
    auto shapeOf = [](hlfir::Entity entity) {
      return cast<fir::SequenceType>(entity.getElementOrSequenceType()).getShape();
    };
    return multiplyBy(shapeOf(a)[0]) && multiplyBy(shapeOf(a)[1]) && multiplyBy(shapeOf(b)[1]);
  }

  Value extent(hlfir::Entity matrix, unsigned dimension) {
    return hlfir::genExtent(loc, builder, matrix, dimension);
  }

  hlfir::Entity allocate() {
    using Extents = fir::SequenceType::Shape;
    auto unknown = fir::SequenceType::getUnknownExtent();
    Type type = fir::SequenceType::get(Extents{unknown, unknown}, element);
    Value memory = builder.createHeapTemporary(loc, type, ".product", {rows, columns});
    Value shape = fir::ShapeOp::create(builder, loc, ValueRange{rows, columns});
    return hlfir::Entity{
        hlfir::DeclareOp::create(builder, loc, memory, ".product", shape).getBase()};
  }

  Value isLarge() {
    Value products = arith::MulIOp::create(
        builder, loc, arith::MulIOp::create(builder, loc, rows, columns), terms);
    Value few = builder.createIntegerConstant(loc, builder.getIndexType(), fewProducts);
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt, products, few);
  }

  void callLibrary(hlfir::Entity result) {
    Type pointer = fir::LLVMPointerType::get(builder.getI8Type());
    Value data = hlfir::genVariableRawAddress(loc, builder, result);
    callRuntime(builder, loc, element.isF32() ? "cufrt_multiply_real4" : "cufrt_multiply_real8",
                {builder.createConvert(loc, pointer, data), descriptor(a), descriptor(b),
                 builder.createBool(loc, fused)},
                {});
  }

  Value descriptor(hlfir::Entity matrix) {
    Value box = hlfir::genVariableBox(loc, builder, matrix).getBase();
    return descriptorArgument(builder, loc, box);
  }

  void multiply(hlfir::Entity result) {
    Value zero = builder.createRealZeroConstant(loc, element);
    overRange(columns, [&](Value j) {
      overRange(rows, [&](Value i) { store(zero, result, i, j); });
      overRange(terms, [&](Value k) {
        Value factor = load(b, k, j);
        overRange(rows, [&](Value i) {
          Value product = multiplied(load(a, i, k), factor);
          store(added(load(result, i, j), product), result, i, j);
        });
      });
    });
  }

  void overRange(Value count, llvm::function_ref<void(Value)> body) {
    OpBuilder::InsertionGuard guard(builder);
    Value one = builder.createIntegerConstant(loc, builder.getIndexType(), 1);
    auto loop = fir::DoLoopOp::create(builder, loc, one, count, one, /*unordered=*/false);
    builder.setInsertionPointToStart(loop.getBody());
    body(loop.getInductionVar());
  }

  Value multiplied(Value x, Value y) {
    auto product = arith::MulFOp::create(builder, loc, x, y);
    product.setFastmath(op.getFastmath());
    return product;
  }

  Value added(Value x, Value y) {
    auto sum = arith::AddFOp::create(builder, loc, x, y);
    sum.setFastmath(op.getFastmath());
    return sum;
  }

  Value load(hlfir::Entity matrix, Value i, Value j) {
    return hlfir::loadElementAt(loc, builder, matrix, {i, j});
  }

  void store(Value value, hlfir::Entity matrix, Value i, Value j) {
    hlfir::AssignOp::create(builder, loc, value, hlfir::getElementAt(loc, builder, matrix, {i, j}));
  }

  hlfir::MatmulOp op;
  Location loc;
  bool fused;
  fir::FirOpBuilder builder;
  hlfir::Entity a, b;
  Type element;
  Value rows, terms, columns;
};

struct MatrixProducts : PassWrapper<MatrixProducts, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MatrixProducts)
  explicit MatrixProducts(bool fused) : fused(fused) {}
  llvm::StringRef getArgument() const override { return "cufc-matrix-products"; }
  void runOnOperation() override {
    llvm::SmallVector<hlfir::MatmulOp> products;
    getOperation().walk([&](hlfir::MatmulOp op) { products.push_back(op); });
    for (hlfir::MatmulOp op : products)
      Product(op, fused).run();
  }
  bool fused;
};

} // namespace

std::unique_ptr<Pass> createMatrixProducts(bool fused) {
  return std::make_unique<MatrixProducts>(fused);
}

} // namespace cufc
