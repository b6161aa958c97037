// Where the data of a variable lies, read off HLFIR.
#ifndef CUFC_LOWER_DATA_LOCATION_H
#define CUFC_LOWER_DATA_LOCATION_H

#include "flang/Optimizer/Dialect/CUF/Attributes/CUFAttr.h"
#include "flang/Optimizer/Dialect/FIRType.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Value.h"
#include <optional>

namespace cufc {

// Attribute of a module: the CUDA attributes of components of derived types, by names such as
// "module::type%component".
inline constexpr const char *componentsAttribute = "cufc.components";

// Attribute of a module: of the procedures that are bound to types by such names, the numbers of
// their dummy arguments for managed data, behind the number of all.
inline constexpr const char *managedBindingsAttribute = "cufc.managed_bindings";

// "module::type%component"
std::string componentKey(fir::RecordType record, llvm::StringRef component);

std::optional<cuf::DataAttribute> componentAttribute(mlir::ModuleOp module, fir::RecordType record,
                                                     llvm::StringRef component);

// The CUDA attribute of the variable of which `value` is the address, a descriptor or a part; also
// under the name of an ASSOCIATE. A component's own attribute comes before that of the whole.
std::optional<cuf::DataAttribute> dataAttribute(mlir::Value value);

// Whether kernels can use that data: any attribute but pinned.
bool isOnDevice(mlir::Value value);

// Whether host code cannot use it: device or constant data, but not managed.
bool isOnlyOnDevice(mlir::Value value);

} // namespace cufc
#endif // CUFC_LOWER_DATA_LOCATION_H
