// Makes the model of a file. See model.h.
#ifndef CUFC_CHECKS_HAZARDS_BUILD_MODEL_H
#define CUFC_CHECKS_HAZARDS_BUILD_MODEL_H

#include "checks/hazards/model.h"
#include "frontend/flang_program.h"

namespace cufc::hazards {

Model buildModel(FlangProgram &program);

} // namespace cufc::hazards
#endif // CUFC_CHECKS_HAZARDS_BUILD_MODEL_H
