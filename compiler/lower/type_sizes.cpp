// See type_sizes.h.
#include "lower/type_sizes.h"
#include "flang/Optimizer/Dialect/FIRType.h"

namespace cufc {

int64_t bytesOf(mlir::Type type) {
  if (auto logical = mlir::dyn_cast<fir::LogicalType>(type))
    return logical.getFKind();
  if (auto complex = mlir::dyn_cast<mlir::ComplexType>(type))
    return 2 * bytesOf(complex.getElementType());
  if (type.isF80())
    return 16;
  return type.getIntOrFloatBitWidth() / 8;
}

bool isPlainRecord(mlir::Type type) {
  auto record = mlir::dyn_cast<fir::RecordType>(type);
  return record && !fir::isRecordWithAllocatableMember(record) &&
         !fir::isRecordWithDescriptorMember(record);
}

} // namespace cufc
