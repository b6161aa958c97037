// Conversions of reals of two bytes, which processors without F16C do by functions of the
// compiler's library. GCC has those from version 12 on, so programs that are linked on older
// systems take ours.
#pragma once

#include <cstdint>

namespace cufrt {

/// The nearest half-precision number, ties to even; too large numbers become infinite.
uint16_t halfOf(double value);
float floatOf(uint16_t half);

} // namespace cufrt
