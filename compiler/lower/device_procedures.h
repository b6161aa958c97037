// Which functions are device code. Private to lower/.
#ifndef CUFC_LOWER_DEVICE_PROCEDURES_H
#define CUFC_LOWER_DEVICE_PROCEDURES_H

#include "flang/Optimizer/Dialect/CUF/Attributes/CUFAttr.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "lower/device_library.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cufc {

inline cuf::ProcAttribute procedureAttribute(mlir::func::FuncOp function) {
  auto attribute = function->getAttrOfType<cuf::ProcAttributeAttr>(cuf::getProcAttrName());
  return attribute ? attribute.getValue() : cuf::ProcAttribute::Host;
}

inline bool isKernel(mlir::func::FuncOp function) {
  cuf::ProcAttribute attribute = procedureAttribute(function);
  return attribute == cuf::ProcAttribute::Global || attribute == cuf::ProcAttribute::GridGlobal;
}

inline bool isDeviceProcedure(mlir::func::FuncOp function) {
  return procedureAttribute(function) != cuf::ProcAttribute::Host;
}

// Mends in a module of device code what flang's lowering does otherwise (device_repairs.cpp).
void repairDeviceCode(mlir::ModuleOp module);

} // namespace cufc
#endif // CUFC_LOWER_DEVICE_PROCEDURES_H
