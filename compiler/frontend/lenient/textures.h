// Texture memory. Private to frontend/.
#ifndef CUFC_FRONTEND_TEXTURES_H
#define CUFC_FRONTEND_TEXTURES_H

#include "base/diagnostics.h"
#include "frontend/flang_program.h"

namespace cufc {

// Before the analysis: data with the attribute TEXTURE, pointers to device arrays that kernels
// read, gets the attribute DEVICE. A texture in linear memory has no other meaning, and GPUs since
// Maxwell read device memory by the same cache (CUDA C++ Best Practices Guide, "Texture Memory").
void readTexturesAsDeviceData(FlangProgram &program, Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_FRONTEND_TEXTURES_H
