// The MLIR side of a Lowering, and the passes it runs. Private to lower/.
#ifndef CUFC_LOWER_MLIR_STATE_H
#define CUFC_LOWER_MLIR_STATE_H

#include "base/diagnostics.h"
#include "flang/Optimizer/Dialect/CUF/Attributes/CUFAttr.h"
#include "lower/device_facts.h"
#include "lower/lowering.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringMap.h"
#include <memory>

namespace cufc {

struct MlirState {
  std::unique_ptr<mlir::MLIRContext> context;
  std::unique_ptr<mlir::ScopedDiagnosticHandler> handler; // MLIR's errors become diagnostics
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

// The attribute of a function that holds a kernel's facts from HLFIR to LLVM.
inline constexpr const char *kernelAttribute = "cufc.kernel";
// Of a launch, and of a kernel's function: the numbers of arguments of derived type with the VALUE
// attribute, which flang passes by reference to a copy.
inline constexpr const char *byValueAttribute = "cufc.by_value";

// lower/bridge.cpp: HLFIR of a checked program, in a new context. Null module on failure.
std::unique_ptr<MlirState> lowerToHlfir(Program &program, const llvm::TargetMachine &host,
                                        Diagnostics &diagnostics);

// The source position of an MLIR location, empty if it has none.
SourceRange toSourceRange(mlir::Location location);

// lower/outline_cuf_kernels.cpp: every cuf.kernel becomes a kernel function and its launch.
bool outlineCufKernels(mlir::ModuleOp module, Diagnostics &diagnostics);

// lower/device_addresses.cpp: c_devloc of module data gives its device address.
void addressModuleData(mlir::ModuleOp module);
std::unique_ptr<mlir::Pass> createConstantAddresses();

// lower/kept_allocations.cpp: ALLOCATE of device data sees that it is allocated.
void keepAllocations(mlir::ModuleOp module);

// lower/shifted_arrays.cpp: CSHIFT of arrays that do not begin at 1, and by negative numbers.
void repairShifts(mlir::ModuleOp module);

// lower/device_intrinsics.cpp: array intrinsics of device data in host code become CUF kernels.
void computeOnDevice(mlir::ModuleOp module);

// lower/host_reads.cpp: device data in other expressions of host code is copied to the host. To be
// run when no cuf.kernel is left.
void copyHostReads(mlir::ModuleOp module, cuf::ProcAttribute procedures);

// lower/transfers.cpp: gives every transfer of host code variables on both sides; before the module
// is verified. And the calls of the runtime, when nothing looks for transfers any more.
void normaliseTransfers(mlir::ModuleOp module);
void lowerTransfers(mlir::ModuleOp module, cuf::ProcAttribute procedures);
// In a module of device code, the transfers of procedures for both sides are ordinary assignments.
void assignTransfers(mlir::ModuleOp module);

// In HLFIR, the name of the routine that deallocates: flang declares it with other types by its
// own.
inline constexpr const char *deallocateRoutine = "cufrt_deallocate";

// lower/device_objects.cpp: what flang does to device objects as if they were on the host.
// `managed`: allocatables without an attribute are managed.
void lowerDeviceObjects(mlir::ModuleOp module, bool managed, Diagnostics &diagnostics);

// lower/device_storage.cpp: memory of device variables that host procedures declare.
void lowerDeviceStorage(mlir::ModuleOp module);

// lower/unused_variables.cpp
void dropUnusedVariables(mlir::ModuleOp module);

// lower/allocatable_arguments.cpp: routines that allocate get the caller's own descriptor.
bool passOwnDescriptors(mlir::ModuleOp module, Diagnostics &diagnostics);

// lower/value_arguments.cpp: sets byValueAttribute on launches and kernels.
void markValueArguments(mlir::ModuleOp module);

// lower/managed_components.cpp: what host code hands to kernels and procedures is in managed
// memory.
void moveManagedComponents(mlir::ModuleOp module);

// lower/managed_arguments.cpp: expressions as arguments for managed dummies of host code.
void manageArguments(mlir::ModuleOp module);

// lower/initialisation.cpp: device procedures store the initial values of components themselves.
void initialiseInline(mlir::ModuleOp module);

// lower/thread_indices.cpp: threadIdx and its like as whole values, in a device module.
void completeThreadIndices(mlir::ModuleOp module);

// lower/derived_assignment.cpp: assignments of derived types without allocatable parts become
// copies in device code.
std::unique_ptr<mlir::Pass> createCopyDerivedTypes();

// lower/shared_offsets.cpp: gives automatic shared arrays their places.
std::unique_ptr<mlir::Pass> createPlaceSharedArrays();

// lower/device_module.cpp
DeviceFacts collectDeviceFacts(mlir::ModuleOp module);
void keepDeviceCode(mlir::ModuleOp module);

// lower/launched_blocks.cpp: by kernel, the sizes of blocks that launches in the module ask for, as
// far as they seem to be constants; others may be asked for, too.
llvm::StringMap<std::vector<BlockSize>> launchedBlocks(mlir::ModuleOp module);

std::unique_ptr<mlir::Pass> createGpuFeatureCheck(DeviceFacts &facts, Diagnostics &diagnostics);
std::unique_ptr<mlir::Pass> createGridBarrierCheck(Diagnostics &diagnostics);
std::unique_ptr<mlir::Pass> createDeviceChecks(DeviceFacts &facts, Diagnostics &diagnostics);

// lower/real_extremes.cpp
std::unique_ptr<mlir::Pass> createRealExtremes();

// lower/array_constructors.cpp: elements of constructors are stored without the run-time library.
std::unique_ptr<mlir::Pass> createArrayConstructors();

// lower/element_products.cpp
std::unique_ptr<mlir::Pass> createElementProducts();

// lower/where_loops.cpp
std::unique_ptr<mlir::Pass> createWhereLoops();

// Expressions that are read in two places are computed in both (repeated_elements.cpp).
std::unique_ptr<mlir::Pass> createRepeatedElements();

// Extents of expressions are numbers if those of an operand are (known_extents.cpp).
std::unique_ptr<mlir::Pass> createKnownExtents();

// lower/stack_temporaries.cpp
std::unique_ptr<mlir::Pass> createStackTemporaries();
// lower/value_structures.cpp: what device procedures pass by value of BIND(C) types, and what
// procedures of the host do.
std::unique_ptr<mlir::Pass> createValueStructures();
std::unique_ptr<mlir::Pass> createValueRegisters();

// lower/allocation_checks.cpp: ALLOCATE and DEALLOCATE of host code, without STAT=, look whether
// they may. To be run before HLFIR becomes FIR.
void checkAllocations(mlir::ModuleOp module);

// lower/bounds_checks.cpp: subscripts are compared with the bounds of their arrays.
std::unique_ptr<mlir::Pass> createBoundsChecks();
// lower/variable_marks.cpp: where local variables of device code come into being.
std::unique_ptr<mlir::Pass> createVariableMarks();

// lower/narrow_indices.cpp
std::unique_ptr<mlir::Pass> createNarrowIndices();

// lower/device_lowering.cpp, lower/host_lowering.cpp: FIR to the LLVM dialect.
std::unique_ptr<mlir::Pass> createDeviceLowering();
std::unique_ptr<mlir::Pass> createHostLowering();

// lower/launches.cpp: launches become calls of the runtime; kernels lose their bodies.
std::unique_ptr<mlir::Pass> createLowerLaunches(Diagnostics &diagnostics);
std::unique_ptr<mlir::Pass> createHostStubs();

} // namespace cufc
#endif // CUFC_LOWER_MLIR_STATE_H
