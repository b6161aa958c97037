// Tensor cores: bodies of the procedures cufc_matrix_* of module wmma
// (compiler/tables/generate/wmma.py), whose names say all but the addresses:
//
//   cufc_matrix_load_a_m16n16k16_r2_col(fragment, memory, stride)
//   cufc_matrix_load_c_m16n16k16_r4_any(fragment, memory, stride, layout)
//   cufc_matrix_store_m16n16k16_r4_row(memory, fragment, stride)
//   cufc_matrix_multiply_m16n16k16_r2_col_row_r4_r2(d, a, b, c), and cufc_matrix_product_... (d, a,
//   b) cufc_matrix_fill_r4_8_i4(fragment, number) cufc_matrix_compare_lt_r4_8(result, fragment,
//   fragment), cufc_matrix_comparenumber_lt_r4_8_i4 cufc_matrix_all_8(mask), _any_8, _count_8
//   cufc_matrix_merge_r4_8(target, true, false, mask), cufc_matrix_mergenumber_r4_8_i4
//
// A fragment is the part of a matrix that one lane of the warp holds, an array of numbers.
#ifndef CUFC_CODEGEN_MATRIX_OPERATIONS_H
#define CUFC_CODEGEN_MATRIX_OPERATIONS_H

namespace llvm {
class Module;
}

namespace cufc {

// What the warp does together on the host device, a call of this until the thread stops there:
// (mask of lanes, address of a cufrt_matrix_request).
inline constexpr const char *matrixOperation = "cufc.matrix.operation";

// Gives each of them that is declared its body: wmma instructions for a GPU, a request to the
// runtime library for the host.
void defineMatrixOperations(llvm::Module &module, bool forGpu);

inline constexpr int firstGpuWithDoubleMatrices = 80;

// Makes a trap of each operation on real(8), for GPUs before compute capability 8.0.
void trapAtDoubleMatrices(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_MATRIX_OPERATIONS_H
