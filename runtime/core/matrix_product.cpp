// MATMUL of real matrices of host code, in blocks that stay in the caches and tiles that stay in
// registers. Each element is summed in the order of the inner index, with the rounding that the
// compiler's own loops have, so that results do not depend on the processor or on the size:
//
//   c(i, j) = ((0 + a(i, 1) b(1, j)) + a(i, 2) b(2, j)) + ...    fused or not as the program's code
#include "flang/ISO_Fortran_binding.h"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

// Rows and terms of a block of the first matrix (256 kB of 8 bytes), and columns of a tile.
constexpr ptrdiff_t blockRows = 128, blockTerms = 256, tileColumns = 4;

template <typename T>
struct Matrix {
  const char *data;
  ptrdiff_t rows, columns, rowBytes, columnBytes;

  T at(ptrdiff_t i, ptrdiff_t j) const {
    T value;
    std::memcpy(&value, data + i * rowBytes + j * columnBytes, sizeof value);
    return value;
  }
};

template <typename T>
Matrix<T> matrixOf(const CFI_cdesc_t &array) {
  return {static_cast<const char *>(array.base_addr), array.dim[0].extent, array.dim[1].extent,
          array.dim[0].sm, array.dim[1].sm};
}

// A block of both matrices, packed: of the first, tiles of `height` rows whose elements of one term
// are neighbours; of the second, tiles of columns likewise. What is missing of a tile is zero.
template <typename T>
struct Block {
  const T *a, *b;
  ptrdiff_t rows, columns, terms;
  T *c;
  ptrdiff_t columnElements; // of c
};

template <typename T>
void packRows(const Matrix<T> &a, ptrdiff_t row, ptrdiff_t rows, ptrdiff_t term, ptrdiff_t terms,
              ptrdiff_t height, T *to) {
  for (ptrdiff_t first = 0; first < rows; first += height)
    for (ptrdiff_t k = 0; k < terms; ++k)
      for (ptrdiff_t i = first; i < first + height; ++i)
        *to++ = i < rows ? a.at(row + i, term + k) : T(0);
}

template <typename T>
void packColumns(const Matrix<T> &b, ptrdiff_t term, ptrdiff_t terms, T *to) {
  for (ptrdiff_t first = 0; first < b.columns; first += tileColumns)
    for (ptrdiff_t k = 0; k < terms; ++k)
      for (ptrdiff_t j = first; j < first + tileColumns; ++j)
        *to++ = j < b.columns ? b.at(term + k, j) : T(0);
}

// A tile of two vectors times tileColumns, in registers.
template <typename T, size_t bytes, bool fused>
struct Tile {
  typedef T Vector __attribute__((vector_size(bytes)));
  typedef Vector Unaligned __attribute__((aligned(alignof(T))));
  static constexpr ptrdiff_t width = bytes / sizeof(T), height = 2 * width;

  [[gnu::always_inline]] static inline Vector sum(Vector total, Vector x, T y) {
#pragma clang fp contract(off)
    if constexpr (fused)
      return __builtin_elementwise_fma(x, Vector{} + y, total);
    return total + x * (Vector{} + y);
  }

  [[gnu::always_inline]] static inline void multiply(const T *a, const T *b, ptrdiff_t terms, T *c,
                                                     ptrdiff_t columnElements) {
    Vector total[tileColumns][2];
#pragma clang loop unroll(full)
    for (int j = 0; j < tileColumns; ++j)
      for (int half = 0; half < 2; ++half)
        total[j][half] = *reinterpret_cast<Unaligned *>(c + j * columnElements + half * width);
    for (ptrdiff_t k = 0; k < terms; ++k, a += height, b += tileColumns) {
      Vector first = *reinterpret_cast<const Unaligned *>(a),
             second = *reinterpret_cast<const Unaligned *>(a + width);
#pragma clang loop unroll(full)
      for (int j = 0; j < tileColumns; ++j) {
        total[j][0] = sum(total[j][0], first, b[j]);
        total[j][1] = sum(total[j][1], second, b[j]);
      }
    }
#pragma clang loop unroll(full)
    for (int j = 0; j < tileColumns; ++j)
      for (int half = 0; half < 2; ++half)
        *reinterpret_cast<Unaligned *>(c + j * columnElements + half * width) = total[j][half];
  }

  // A tile at the edge goes through memory of its own.
  [[gnu::always_inline]] static inline void multiplyPart(const T *a, const T *b, ptrdiff_t terms,
                                                         T *c, ptrdiff_t columnElements,
                                                         ptrdiff_t rows, ptrdiff_t columns) {
    T part[tileColumns * height] = {};
    for (ptrdiff_t j = 0; j < columns; ++j)
      for (ptrdiff_t i = 0; i < rows; ++i)
        part[j * height + i] = c[j * columnElements + i];
    multiply(a, b, terms, part, height);
    for (ptrdiff_t j = 0; j < columns; ++j)
      for (ptrdiff_t i = 0; i < rows; ++i)
        c[j * columnElements + i] = part[j * height + i];
  }

  [[gnu::always_inline]] static inline void run(const Block<T> &block) {
    for (ptrdiff_t j = 0; j < block.columns; j += tileColumns)
      for (ptrdiff_t i = 0; i < block.rows; i += height) {
        const T *a = block.a + i * block.terms, *b = block.b + j * block.terms;
        T *c = block.c + j * block.columnElements + i;
        ptrdiff_t rows = std::min(height, block.rows - i),
                  columns = std::min(tileColumns, block.columns - j);
        if (rows == height && columns == tileColumns)
          multiply(a, b, block.terms, c, block.columnElements);
        else
          multiplyPart(a, b, block.terms, c, block.columnElements, rows, columns);
      }
  }
};

template <typename T>
struct Kernel {
  void (*run)(const Block<T> &);
  ptrdiff_t height;
};

template <typename T, bool fused>
void plain(const Block<T> &block) {
  Tile<T, 16, fused>::run(block);
}

#ifdef __x86_64__
template <typename T>
[[gnu::target("avx2")]] void separate256(const Block<T> &block) {
  Tile<T, 32, false>::run(block);
}
template <typename T>
[[gnu::target("avx2,fma")]] void fused256(const Block<T> &block) {
  Tile<T, 32, true>::run(block);
}
template <typename T>
[[gnu::target("avx512f,avx512vl,fma")]] void separate512(const Block<T> &block) {
  Tile<T, 64, false>::run(block);
}
template <typename T>
[[gnu::target("avx512f,avx512vl,fma")]] void fused512(const Block<T> &block) {
  Tile<T, 64, true>::run(block);
}

// Code with fused products runs on processors that have them alone.
template <typename T>
Kernel<T> kernelFor(bool fused) {
  static const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl");
  static const bool middle = __builtin_cpu_supports("avx2");
  if (wide)
    return {fused ? fused512<T> : separate512<T>, Tile<T, 64, true>::height};
  if (fused)
    return {fused256<T>, Tile<T, 32, true>::height};
  if (middle)
    return {separate256<T>, Tile<T, 32, true>::height};
  return {plain<T, false>, Tile<T, 16, true>::height};
}
#else
template <typename T>
Kernel<T> kernelFor(bool fused) {
  return {fused ? plain<T, true> : plain<T, false>, Tile<T, 16, true>::height};
}
#endif

template <typename T>
void multiply(T *c, const CFI_cdesc_t &first, const CFI_cdesc_t &second, bool fused) {
  Matrix<T> a = matrixOf<T>(first), b = matrixOf<T>(second);
  std::fill_n(c, a.rows * b.columns, T(0));
  Kernel<T> kernel = kernelFor<T>(fused);
  ptrdiff_t terms = std::min(blockTerms, a.columns);
  ptrdiff_t rows = std::min(blockRows, a.rows) + kernel.height;
  std::vector<T> packedA(rows * terms), packedB((b.columns + tileColumns) * terms);
  for (ptrdiff_t term = 0; term < a.columns; term += blockTerms) {
    terms = std::min(blockTerms, a.columns - term);
    packColumns(b, term, terms, packedB.data());
    for (ptrdiff_t row = 0; row < a.rows; row += blockRows) {
      rows = std::min(blockRows, a.rows - row);
      packRows(a, row, rows, term, terms, kernel.height, packedA.data());
      kernel.run({packedA.data(), packedB.data(), rows, b.columns, terms, c + row, a.rows});
    }
  }
}

} // namespace

// c, a dense matrix, becomes MATMUL(a, b); all are host memory, and c is neither a nor b.
extern "C" void cufrt_multiply_real4(float *c, const CFI_cdesc_t &a, const CFI_cdesc_t &b,
                                     bool fused) {
  multiply(c, a, b, fused);
}

extern "C" void cufrt_multiply_real8(double *c, const CFI_cdesc_t &a, const CFI_cdesc_t &b,
                                     bool fused) {
  multiply(c, a, b, fused);
}
