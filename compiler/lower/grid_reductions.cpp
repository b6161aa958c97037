// See grid_reductions.h.
#include "lower/grid_reductions.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "lower/runtime_calls.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cufc {

using namespace mlir;

namespace {

// Of the workspace: a head for each slot, with the result in its second half (cufrt/reduction.h).
constexpr int headBytes = 32, resultOffset = 16;

Value integer(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI32IntegerAttr(static_cast<int32_t>(value)));
}

} // namespace

namespace {

// As in add_r8.
std::string nameOf(ReductionOperation operation, Type type) {
  static constexpr const char *names[] = {"add", "mul", "max", "min", "and", "or", "xor", "eqv"};
  std::string suffix;
  if (auto complex = dyn_cast<ComplexType>(type))
    suffix = complex.getElementType().isF32() ? "c4" : "c8";
  else
    suffix = (isa<FloatType>(type) ? "r" : "i") + std::to_string(type.getIntOrFloatBitWidth() / 8);
  return std::string(names[static_cast<int>(operation)]) + "_" + suffix;
}

} // namespace

Value gatherOverGrid(OpBuilder &builder, Location loc, const ReducedPart &part, Value workspace,
                     unsigned slot) {
  Value wide = toReduced(builder, loc, part.value);
  return callRuntime(builder, loc, "cufc_gather_" + nameOf(part.operation, wide.getType()),
                     {wide, workspace, integer(builder, loc, slot)}, builder.getI1Type());
}

Value reduceOverGrid(OpBuilder &builder, Location loc, llvm::ArrayRef<ReducedPart> parts,
                     Value workspace) {
  std::string name = "cufc_reduce_";
  llvm::SmallVector<Value> arguments;
  for (const ReducedPart &part : parts) {
    if (!arguments.empty())
      name += ".";
    arguments.push_back(toReduced(builder, loc, part.value));
    name += nameOf(part.operation, arguments.back().getType());
  }
  arguments.push_back(workspace);
  return callRuntime(builder, loc, name, arguments, builder.getI1Type());
}

Value reducedValue(OpBuilder &builder, Location loc, Value workspace, unsigned slot, Type type) {
  Type bytes = fir::ReferenceType::get(
      fir::SequenceType::get({fir::SequenceType::getUnknownExtent()}, builder.getI8Type()));
  Value base = fir::ConvertOp::create(builder, loc, bytes, workspace);
  Value offset = arith::ConstantIndexOp::create(builder, loc, slot * headBytes + resultOffset);
  Value place = fir::CoordinateOp::create(
      builder, loc, fir::ReferenceType::get(builder.getI8Type()), base, ValueRange{offset});
  Value address =
      fir::ConvertOp::create(builder, loc, fir::ReferenceType::get(reducedType(type)), place);
  return fromReduced(builder, loc, fir::LoadOp::create(builder, loc, address), type);
}

void updateVariable(OpBuilder &builder, Location loc, const Reduction &reduction, Value address,
                    Value value) {
  Value before = fir::LoadOp::create(builder, loc, address);
  fir::StoreOp::create(builder, loc, combine(builder, loc, reduction.operation, before, value),
                       address);
}

GridReductions::GridReductions(OpBuilder &builder, Location loc, Value stream,
                               const Value (&grid)[3], size_t count)
    : builder(builder), loc(loc), stream(stream) {
  if (count == 0)
    return;
  Value pointer =
      stream ? asPointer(stream)
             : fir::ZeroOp::create(builder, loc, fir::LLVMPointerType::get(builder.getI8Type()))
                   .getResult();
  this->stream = pointer;
  memory = callRuntime(
      builder, loc, "cufrt_reduction_workspace",
      {grid[0], grid[1], grid[2], integer(builder, loc, static_cast<int64_t>(count)), pointer},
      pointer.getType());
}

void GridReductions::update(unsigned slot, const Reduction &reduction) {
  hlfir::DeclareOp variable = reduction.variable;
  Value address = variable.getBase();
  Type type = fir::unwrapRefType(address.getType());
  Type wide = reducedType(type);
  fir::FirOpBuilder places(builder,
                           builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>());
  Value copy = places.createTemporary(loc, wide);
  auto complex = dyn_cast<ComplexType>(wide);
  unsigned bits =
      complex ? 2 * complex.getElementType().getIntOrFloatBitWidth() : wide.getIntOrFloatBitWidth();
  Value file = fir::factory::locationToFilename(places, loc);
  Value line = fir::factory::locationToLineNo(places, loc, builder.getI32Type());
  callRuntime(builder, loc, "cufrt_reduction_result",
              {memory, integer(builder, loc, slot), asPointer(copy),
               integer(builder, loc, bits / 8), stream,
               fir::ConvertOp::create(builder, loc, stream.getType(), file), line},
              {});
  Value value = fir::LoadOp::create(builder, loc, copy);
  updateVariable(builder, loc, reduction, address, fromReduced(builder, loc, value, type));
}

Value GridReductions::asPointer(Value value) {
  return fir::ConvertOp::create(builder, loc, fir::LLVMPointerType::get(builder.getI8Type()),
                                value);
}

} // namespace cufc
