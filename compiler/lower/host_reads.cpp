// Device data in expressions that the host computes: it is copied to the host first (CUDA Fortran
// reference, "Implicit Data Transfer in Expressions").
//
//   x = a_d(i) + b_d(j), if (a_d(i) > 0)   one element each
//   c = x * a_d(:,3) + b                   the section that the expression reads
//
// flang copies the whole variable where it finds one device operand in an assignment, and reads
// device memory directly elsewhere; both are mended here.
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/data_location.h"
#include "lower/device_procedures.h"
#include "lower/mlir_state.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

namespace cufc {
namespace {

using namespace mlir;

void transferToHost(OpBuilder &builder, Location loc, Value from, Value to) {
  cuf::DataTransferOp::create(
      builder, loc, from, to, /*shape=*/Value{},
      cuf::DataTransferKindAttr::get(builder.getContext(), cuf::DataTransferKind::DeviceHost));
}

// The shape of a device array with its bounds, for a copy of it.
Value shapeOfCopy(fir::FirOpBuilder &builder, Location loc, hlfir::Entity array) {
  auto bounds = hlfir::genBounds(loc, builder, array);
  llvm::SmallVector<Value> parts;
  auto extents = hlfir::getIndexExtents(loc, builder, hlfir::genShape(loc, builder, array));
  for (auto [bound, extent] : llvm::zip(bounds, extents)) {
    parts.push_back(builder.createConvert(loc, builder.getIndexType(), bound.first));
    parts.push_back(extent);
  }
  return fir::ShapeShiftOp::create(
      builder, loc, fir::ShapeShiftType::get(builder.getContext(), bounds.size()), parts);
}

// The variable that a transfer reads, with its bounds.
hlfir::Entity sourceOf(fir::FirOpBuilder &builder, cuf::DataTransferOp transfer) {
  Value source = transfer.getSrc();
  if (auto declare = source.getDefiningOp<hlfir::DeclareOp>())
    source = declare.getBase();
  return hlfir::derefPointersAndAllocatables(transfer.getLoc(), builder, hlfir::Entity{source});
}

bool isTemporary(hlfir::DeclareOp declare) {
  return declare && declare.getMemref().getDefiningOp<fir::AllocMemOp>();
}

// An element that stands for each of an array expression: counted from 1, unlike one in the source.
bool isElementOfWhole(hlfir::DesignateOp part) {
  return llvm::any_of(part.getIndices(), [](Value index) {
    auto argument = dyn_cast<BlockArgument>(index);
    return argument && isa<hlfir::ElementalOp>(argument.getOwner()->getParentOp());
  });
}

// In a section of a variable declared from 1 on, flang writes `:` as 1:extent. `from` and `to` are
// the shapes with the wrong and with the right bounds.
void correctWholeDimensions(fir::FirOpBuilder &builder, hlfir::DesignateOp part, fir::ShapeOp from,
                            fir::ShapeShiftOp to) {
  unsigned operand = 1; // behind the variable
  for (auto [dimension, isTriplet] : llvm::enumerate(part.getIsTriplet())) {
    Value extent = from.getExtents()[dimension], origin = to.getOrigins()[dimension];
    bool isWhole = isTriplet && fir::getIntIfConstant(part->getOperand(operand)) == 1 &&
                   part->getOperand(operand + 1) == extent;
    if (isWhole) {
      Location loc = part.getLoc();
      builder.setInsertionPoint(part);
      Value one = builder.createIntegerConstant(loc, extent.getType(), 1);
      Value end = arith::AddIOp::create(builder, loc, origin, extent);
      part->setOperand(operand, origin);
      part->setOperand(operand + 1, arith::SubIOp::create(builder, loc, end, one));
    }
    operand += isTriplet ? 3 : 1;
  }
}

// flang declares its copy a second time, as the variable itself: on the device, and from 1 on
// whatever the variable's bounds. It becomes a variable of the host with those bounds.
void declareOnHost(cuf::DataTransferOp transfer) {
  auto temporary = transfer.getDst().getDefiningOp<hlfir::DeclareOp>();
  if (!isTemporary(temporary))
    return;
  llvm::SetVector<Operation *> users;
  for (Value result : temporary->getResults())
    users.insert_range(result.getUsers());
  for (Operation *user : users) {
    auto again = dyn_cast<hlfir::DeclareOp>(user);
    if (!again)
      continue;
    fir::FirOpBuilder builder(user, fir::getKindMapping(user->getParentOfType<ModuleOp>()));
    hlfir::Entity source = sourceOf(builder, transfer);
    Value shape = again.getShape();
    if (source.isArray() && source.mayHaveNonDefaultLowerBounds())
      shape = shapeOfCopy(builder, again.getLoc(), source);
    auto copy = hlfir::DeclareOp::create(builder, again.getLoc(), again.getMemref(), "cufc.copy",
                                         shape, again.getTypeparams());
    auto from = again.getShape() ? again.getShape().getDefiningOp<fir::ShapeOp>() : fir::ShapeOp();
    auto to = shape ? shape.getDefiningOp<fir::ShapeShiftOp>() : fir::ShapeShiftOp();
    if (from && to)
      for (Operation *reader : again.getResult(0).getUsers())
        if (auto part = dyn_cast<hlfir::DesignateOp>(reader); part && !part.getComponent())
          correctWholeDimensions(builder, part, from, to);
    again.getResult(0).replaceUsesWithIf(copy.getBase(), [&](OpOperand &use) {
      auto part = dyn_cast<hlfir::DesignateOp>(use.getOwner());
      return part && !isElementOfWhole(part);
    });
    again.getResult(0).replaceAllUsesWith(temporary.getBase());
    again.getResult(1).replaceAllUsesWith(temporary.getResult(1));
    again.erase();
  }
}

// flang's copy of a whole variable, of which only one element or section is read, becomes a copy of
// that part into the same place of the temporary.
void narrowTransfer(cuf::DataTransferOp transfer) {
  auto temporary = transfer.getDst().getDefiningOp<hlfir::DeclareOp>();
  if (!isTemporary(temporary))
    return;
  hlfir::DesignateOp part;
  llvm::SmallVector<Value> copies(temporary->getResults());
  for (size_t i = 0; i < copies.size(); ++i)
    for (Operation *user : copies[i].getUsers()) {
      if (user == transfer || isa<fir::FreeMemOp>(user))
        continue;
      if (auto again = dyn_cast<hlfir::DeclareOp>(user)) {
        if (again.getMemref() == copies[i])
          copies.append(again->result_begin(), again->result_end());
        continue;
      }
      if (part || !isa<hlfir::DesignateOp>(user))
        return;
      part = cast<hlfir::DesignateOp>(user);
    }
  if (!part || part.getMemref() == transfer.getSrc() || part->getBlock() != transfer->getBlock() ||
      part.getComponent())
    return;
  fir::FirOpBuilder builder(part.getOperation(),
                            fir::getKindMapping(part->getParentOfType<ModuleOp>()));
  builder.setInsertionPointAfter(part);
  hlfir::Entity source = sourceOf(builder, transfer);
  if (source.isScalar())
    return;
  IRMapping map;
  map.map(part.getMemref(), source);
  Operation *same = builder.clone(*part, map);
  transferToHost(builder, transfer.getLoc(), same->getResult(0), part.getResult());
  transfer.erase();
}

// A copy on the host of a device array, with its bounds.
hlfir::DeclareOp hostCopy(fir::FirOpBuilder &builder, Location loc, hlfir::Entity array) {
  auto extents = hlfir::getIndexExtents(loc, builder, hlfir::genShape(loc, builder, array));
  Type type = hlfir::getFortranElementOrSequenceType(array.getType());
  llvm::SmallVector<Value> dynamic;
  for (auto [extent, known] : llvm::zip(extents, cast<fir::SequenceType>(type).getShape()))
    if (known == fir::SequenceType::getUnknownExtent())
      dynamic.push_back(extent);
  Value memory = fir::AllocMemOp::create(builder, loc, type, ".copy", ValueRange{}, dynamic);
  Value shape = shapeOfCopy(builder, loc, array);
  auto declare = hlfir::DeclareOp::create(builder, loc, memory, "cufc.copy", shape);
  transferToHost(builder, loc, array, declare.getBase());
  return declare;
}

// Arrays of the device that the body of an elemental reads element by element.
void copyArraysOf(hlfir::ElementalOp elemental) {
  llvm::MapVector<Value, llvm::SmallVector<hlfir::DesignateOp>> reads;
  elemental.getRegion().walk([&](hlfir::DesignateOp part) {
    Value base = part.getMemref();
    bool outside = !elemental.getRegion().isAncestor(base.getParentRegion());
    if (outside && !part.getIndices().empty() && isOnlyOnDevice(base) &&
        fir::isa_trivial(hlfir::getFortranElementType(base.getType())))
      reads[base].push_back(part);
  });
  fir::FirOpBuilder builder(elemental.getOperation(),
                            fir::getKindMapping(elemental->getParentOfType<ModuleOp>()));
  for (auto &[base, parts] : reads) {
    builder.setInsertionPoint(elemental);
    hlfir::DeclareOp copy = hostCopy(builder, elemental.getLoc(), hlfir::Entity{base});
    for (hlfir::DesignateOp part : parts)
      part.getMemrefMutable().assign(copy.getBase());
    for (Operation *user : elemental->getUsers())
      if (isa<hlfir::DestroyOp>(user)) {
        builder.setInsertionPointAfter(user);
        fir::FreeMemOp::create(builder, elemental.getLoc(), copy.getMemref());
      }
  }
}

void copyScalar(fir::LoadOp load) {
  Type type = load.getType();
  fir::FirOpBuilder builder(load.getOperation(),
                            fir::getKindMapping(load->getParentOfType<ModuleOp>()));
  Value memory = builder.createTemporary(load.getLoc(), type);
  auto copy = hlfir::DeclareOp::create(builder, load.getLoc(), memory, "cufc.copy");
  transferToHost(builder, load.getLoc(), load.getMemref(), copy.getBase());
  load.getMemrefMutable().assign(copy.getBase());
}

} // namespace

void copyHostReads(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (procedureAttribute(function) != cuf::ProcAttribute::Host)
      continue;
    llvm::SmallVector<cuf::DataTransferOp> transfers;
    function.walk([&](cuf::DataTransferOp transfer) { transfers.push_back(transfer); });
    for (cuf::DataTransferOp transfer : transfers)
      if (isOnlyOnDevice(transfer.getSrc())) {
        declareOnHost(transfer);
        narrowTransfer(transfer);
      }
    llvm::SmallVector<hlfir::ElementalOp> elementals;
    function.walk([&](hlfir::ElementalOp elemental) { elementals.push_back(elemental); });
    for (hlfir::ElementalOp elemental : elementals)
      copyArraysOf(elemental);
    llvm::SmallVector<fir::LoadOp> loads;
    function.walk([&](fir::LoadOp load) {
      if (fir::isa_trivial(load.getType()) && isOnlyOnDevice(load.getMemref()))
        loads.push_back(load);
    });
    for (fir::LoadOp load : loads)
      copyScalar(load);
  }
}

} // namespace cufc
