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
#include "mlir/IR/IRMapping.h"

namespace cufc {
namespace {

using namespace mlir;

void transferToHost(OpBuilder &builder, Location loc, Value from, Value to) {
  cuf::DataTransferOp::create(
      builder, loc, from, to, /*shape=*/Value{},
      cuf::DataTransferKindAttr::get(builder.getContext(), cuf::DataTransferKind::DeviceHost));
}

// flang's copy of a whole variable, of which only one element or section is read, becomes a copy of
// that part into the same place of the temporary.
void narrowTransfer(cuf::DataTransferOp transfer) {
  auto temporary = transfer.getDst().getDefiningOp<hlfir::DeclareOp>();
  if (!temporary || !temporary.getMemref().getDefiningOp<fir::AllocMemOp>())
    return;
  hlfir::DesignateOp part;
  for (Value result : temporary->getResults())
    for (Operation *user : result.getUsers()) {
      if (user == transfer || isa<fir::FreeMemOp>(user))
        continue;
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
  hlfir::Entity source = hlfir::derefPointersAndAllocatables(transfer.getLoc(), builder,
                                                             hlfir::Entity{transfer.getSrc()});
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
  auto bounds = hlfir::genBounds(loc, builder, array);
  llvm::SmallVector<Value> parts;
  auto extents = hlfir::getIndexExtents(loc, builder, hlfir::genShape(loc, builder, array));
  for (auto [bound, extent] : llvm::zip(bounds, extents)) {
    parts.push_back(builder.createConvert(loc, builder.getIndexType(), bound.first));
    parts.push_back(extent);
  }
  Type type = hlfir::getFortranElementOrSequenceType(array.getType());
  llvm::SmallVector<Value> dynamic;
  for (auto [extent, known] : llvm::zip(extents, cast<fir::SequenceType>(type).getShape()))
    if (known == fir::SequenceType::getUnknownExtent())
      dynamic.push_back(extent);
  Value memory = fir::AllocMemOp::create(builder, loc, type, ".copy", ValueRange{}, dynamic);
  Value shape = fir::ShapeShiftOp::create(
      builder, loc, fir::ShapeShiftType::get(builder.getContext(), bounds.size()), parts);
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
      if (isOnlyOnDevice(transfer.getSrc()))
        narrowTransfer(transfer);
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
