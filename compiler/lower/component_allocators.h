// Which memory the descriptors of components allocate: flang's type information does not know their
// attributes, so host code tells the run-time library before a component can be allocated.
#pragma once
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"

namespace cufc {

// `box` is the address of a descriptor, which is to allocate memory of this kind.
void chooseAllocator(fir::FirOpBuilder &builder, mlir::Location loc, mlir::Value box,
                     cuf::DataAttribute attribute);

// The same for all components of `variable` that have an attribute, of each element of an array.
void chooseComponentAllocators(fir::FirOpBuilder &builder, mlir::Location loc,
                               hlfir::Entity variable);

} // namespace cufc
