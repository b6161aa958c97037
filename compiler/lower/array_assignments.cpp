// Array assignments of device code that flang would leave to its run-time library, because both
// sides may be the same memory or have a derived type:
//
//   hlfir.assign %source to %target
//
// becomes a loop over the elements if the two are different memory or the same elements. Few
// elements go through a temporary of the thread's own, which becomes registers. Sections of one
// array with the same strides are walked in the direction in which no element is overwritten before
// it is read. What is left stays a call.
#include "lower/array_assignments.h"
#include "flang/Optimizer/Analysis/AliasAnalysis.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "flang/Optimizer/Support/DataLayout.h"
#include "lower/type_sizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"

namespace cufc {
namespace {

using namespace mlir;

// So many bytes may be in registers at a time; a larger temporary would be on the stack, as the
// library's is.
constexpr uint64_t mostTemporaryBytes = 1024;

// The operation or argument that the memory of a variable begins with.
Value rootOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<hlfir::DesignateOp, hlfir::DeclareOp, fir::DeclareOp, fir::ConvertOp, fir::BoxAddrOp,
             fir::EmboxOp, fir::ReboxOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

// Shared memory that no other variable shares: arrays whose size is given at launch all begin at
// the same place.
bool isStaticShared(Value root) {
  auto shared = root.getDefiningOp<cuf::SharedMemoryOp>();
  return shared && !fir::hasDynamicSize(shared.getInType()) && !shared.getOffset();
}

bool isOwnMemory(Value root) { return isStaticShared(root) || root.getDefiningOp<fir::AllocaOp>(); }

bool isKnownMemory(Value root) {
  auto argument = dyn_cast<BlockArgument>(root);
  return isOwnMemory(root) || (argument && argument.getOwner()->isEntryBlock()) ||
         root.getDefiningOp<cuf::SharedMemoryOp>() || root.getDefiningOp<fir::AddrOfOp>();
}

bool areDifferentMemory(Value left, Value right) {
  Value a = rootOf(left), b = rootOf(right);
  if (a != b && isKnownMemory(a) && isKnownMemory(b) && (isOwnMemory(a) || isOwnMemory(b)))
    return true;
  fir::AliasAnalysis analysis;
  return analysis.alias(left, right).isNo();
}

// Whether both are sections of one variable, with triplets of one positive step at the same
// subscripts: their elements then have the same distances.
bool haveSameStrides(Value left, Value right) {
  auto a = left.getDefiningOp<hlfir::DesignateOp>(), b = right.getDefiningOp<hlfir::DesignateOp>();
  if (!a || !b || a.getMemref() != b.getMemref() || a.getIsTriplet() != b.getIsTriplet())
    return false;
  auto isOfElements = [](hlfir::DesignateOp op) {
    return op.getSubstring().empty() && !op.getComplexPart() && !op.getComponent();
  };
  if (!isOfElements(a) || !isOfElements(b))
    return false;
  unsigned next = 0;
  for (bool triplet : a.getIsTriplet()) {
    if (triplet) {
      std::optional<int64_t> first = fir::getIntIfConstant(a.getIndices()[next + 2]),
                             second = fir::getIntIfConstant(b.getIndices()[next + 2]);
      if (!first || first != second || *first <= 0)
        return false;
    }
    next += triplet ? 3 : 1;
  }
  return true;
}

class Assignment {
public:
  explicit Assignment(hlfir::AssignOp op)
      : op(op), loc(op.getLoc()),
        builder(op.getOperation(), fir::getKindMapping(op->getParentOfType<ModuleOp>())),
        target(op.getLhs()), source(op.getRhs()) {}

  bool run() {
    if (!applies())
      return false;
    bool fromScalar = source.isScalar();
    if (fromScalar || areDifferentMemory(target, source)) {
      readExtents();
      copyElements();
    } else if (std::optional<int64_t> elements = fewElements()) {
      readExtents();
      copyThroughTemporary(*elements);
    } else if (haveSameStrides(target, source)) {
      readExtents();
      copyInDirection();
    } else {
      return false;
    }
    op.erase();
    return true;
  }

private:
  bool applies() {
    if (!target.isArray() || !source.isVariable() || op.isAllocatableAssignment() ||
        op.getTemporaryLhs() || target.isPolymorphic() || source.isPolymorphic() ||
        target.isMutableBox() || source.isMutableBox())
      return false;
    element = target.getFortranElementType();
    return element == source.getFortranElementType() &&
           (fir::isa_trivial(element) || isPlainRecord(element));
  }

  void readExtents() {
    builder.setInsertionPoint(op);
    Value shape = hlfir::genShape(loc, builder, target);
    extents = hlfir::getIndexExtents(loc, builder, shape);
  }

  // The number of elements if a temporary of them is small.
  std::optional<int64_t> fewElements() {
    int64_t count = 1;
    auto array = cast<fir::SequenceType>(hlfir::getFortranElementOrSequenceType(target.getType()));
    auto other = cast<fir::SequenceType>(hlfir::getFortranElementOrSequenceType(source.getType()));
    for (auto [extent, second] : llvm::zip(array.getShape(), other.getShape())) {
      int64_t known = extent >= 0 ? extent : second; // both are the same by the standard
      if (known < 0 || __builtin_mul_overflow(count, known, &count))
        return std::nullopt;
    }
    auto module = op->getParentOfType<ModuleOp>();
    std::optional<DataLayout> layout = fir::support::getOrSetMLIRDataLayout(module, true);
    auto size = fir::getTypeSizeAndAlignment(loc, element, *layout, builder.getKindMap());
    if (!size || count > int64_t(mostTemporaryBytes) ||
        size->first * uint64_t(count) > mostTemporaryBytes)
      return std::nullopt;
    return count;
  }

  void overElements(llvm::function_ref<void(ValueRange, Value)> body, bool numbered = false) {
    OpBuilder::InsertionGuard guard(builder);
    if (extents.empty())
      return;
    Value one = builder.createIntegerConstant(loc, builder.getIndexType(), 1), number;
    llvm::SmallVector<Value> indices(extents.size());
    for (unsigned i = extents.size(); i-- > 0;) {
      auto loop = fir::DoLoopOp::create(builder, loc, one, extents[i], one, /*unordered=*/false);
      builder.setInsertionPointToStart(loop.getBody());
      indices[i] = loop.getInductionVar();
      if (numbered) {
        Value zeroBased = arith::SubIOp::create(builder, loc, indices[i], one);
        number = number ? arith::AddIOp::create(
                              builder, loc, arith::MulIOp::create(builder, loc, number, extents[i]),
                              zeroBased)
                              .getResult()
                        : zeroBased;
      }
    }
    body(indices, number);
  }

  void assign(Value from, hlfir::Entity to) {
    if (fir::isa_trivial(element)) {
      hlfir::AssignOp::create(builder, loc,
                              hlfir::loadTrivialScalar(loc, builder, hlfir::Entity{from}), to);
      return;
    }
    fir::CopyOp::create(builder, loc, address(from), address(to), false);
  }

  Value address(Value entity) {
    if (isa<fir::BaseBoxType>(entity.getType()))
      entity = fir::BoxAddrOp::create(builder, loc, entity);
    return builder.createConvert(loc, builder.getRefType(element), entity);
  }

  hlfir::Entity at(hlfir::Entity array, ValueRange indices) {
    return array.isScalar() ? array : hlfir::getElementAt(loc, builder, array, indices);
  }

  void copyElements() {
    overElements(
        [&](ValueRange indices, Value) { assign(at(source, indices), at(target, indices)); });
  }

  void copyThroughTemporary(int64_t count) {
    if (count == 0)
      return;
    Type type = fir::SequenceType::get({count}, element);
    Value memory = builder.createTemporary(loc, type, "assignment");
    auto place = [&](Value number) {
      return hlfir::Entity{fir::CoordinateOp::create(builder, loc, builder.getRefType(element),
                                                     memory, ValueRange{number})
                               .getResult()};
    };
    overElements(
        [&](ValueRange indices, Value number) { assign(at(source, indices), place(number)); },
        true);
    overElements(
        [&](ValueRange indices, Value number) { assign(place(number), at(target, indices)); },
        true);
  }

  // Forwards if the target begins before the source, else from the last element to the first.
  void copyInDirection() {
    Type number = builder.getI64Type();
    llvm::SmallVector<Value> ones(extents.size(),
                                  builder.createIntegerConstant(loc, builder.getIndexType(), 1));
    Value from = builder.createConvert(loc, number, address(at(source, ones))),
          to = builder.createConvert(loc, number, address(at(target, ones)));
    Value forwards = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule, to, from);
    overElements([&](ValueRange indices, Value) {
      llvm::SmallVector<Value> directed;
      for (auto [index, extent] : llvm::zip(indices, extents)) {
        Value next = arith::AddIOp::create(builder, loc, extent, ones.front());
        Value mirrored = arith::SubIOp::create(builder, loc, next, index);
        directed.push_back(
            arith::SelectOp::create(builder, loc, forwards, index, mirrored).getResult());
      }
      assign(at(source, directed), at(target, directed));
    });
  }

  hlfir::AssignOp op;
  Location loc;
  fir::FirOpBuilder builder;
  hlfir::Entity target, source;
  Type element;
  llvm::SmallVector<Value> extents;
};

struct InlineAssignments : PassWrapper<InlineAssignments, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(InlineAssignments)
  llvm::StringRef getArgument() const override { return "cufc-inline-assignments"; }
  void runOnOperation() override {
    llvm::SmallVector<hlfir::AssignOp> assignments;
    getOperation().walk([&](hlfir::AssignOp op) { assignments.push_back(op); });
    for (hlfir::AssignOp op : assignments)
      Assignment(op).run();
  }
};

} // namespace

std::unique_ptr<Pass> createInlineAssignments() { return std::make_unique<InlineAssignments>(); }

} // namespace cufc
