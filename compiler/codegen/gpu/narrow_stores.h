// A repair of PTX for ptxas.
#ifndef CUFC_CODEGEN_GPU_NARROW_STORES_H
#define CUFC_CODEGEN_GPU_NARROW_STORES_H

#include <string>

namespace cufc {

// Stores of 8 or 16 bits take wider registers (PTX ISA 9.4.1), whose low bits count. ptxas of CUDA
// 13.0 stores those of the converted number instead, if the register holds the result of arithmetic
// in floating point: after `cvt.rn.f32.s32 %r1, 5`, `st.b8 [p], %r1` writes 5. Gives the PTX with a
// conversion to a register of 16 bits before each such store.
std::string repairNarrowStores(const std::string &ptx);

} // namespace cufc
#endif // CUFC_CODEGEN_GPU_NARROW_STORES_H
