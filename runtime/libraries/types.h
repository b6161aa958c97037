// C types of the arguments of the CUDA libraries' functions. A structure of two numbers is passed
// and returned like C's complex number (System V ABI for x86-64, 3.2.3).
#ifndef CUFRT_LIBRARIES_TYPES_H
#define CUFRT_LIBRARIES_TYPES_H

#include <cstddef>
#include <cstdint>

extern "C" {
struct cufrt_complex4 {
  float re, im;
};
struct cufrt_nvtx_event; // nvtxEventAttributes_t
struct cufrt_complex8 {
  double re, im;
};
struct cufrt_nccl_config; // ncclConfig_t
// An ncclUniqueId, which is passed by value.
struct cufrt_nccl_id {
  char internal[128];
};
}

#endif // CUFRT_LIBRARIES_TYPES_H
