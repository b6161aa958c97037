// The ten rounds of Philox 4x32 (Salmon and others, "Parallel random numbers: as easy as 1, 2, 3",
// SC 2011) for device code.
#ifndef CUFRT_DEVICE_PHILOX_H
#define CUFRT_DEVICE_PHILOX_H

#include "arrays.h"

namespace cufc_device {
namespace {

// The counter `x` becomes the output; the key is used up.
void philoxRounds(uint32_t (&x)[4], uint32_t (&key)[2]) {
  for (int round = 0; round < 10; ++round) {
    uint64_t even = 0xD2511F53ull * x[0], odd = 0xCD9E8D57ull * x[2];
    uint32_t first = static_cast<uint32_t>(odd >> 32) ^ x[1] ^ key[0];
    uint32_t third = static_cast<uint32_t>(even >> 32) ^ x[3] ^ key[1];
    x[0] = first;
    x[1] = static_cast<uint32_t>(odd);
    x[2] = third;
    x[3] = static_cast<uint32_t>(even);
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
}

} // namespace
} // namespace cufc_device
#endif // CUFRT_DEVICE_PHILOX_H
