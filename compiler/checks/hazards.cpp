// Hazards: what compiles, and may go wrong or cost time when the program runs. The analyses work on
// a model of the file (hazards/model.h).
#include "checks/hazard_checks.h"
#include "checks/hazards/build_model.h"
#include "checks/hazards/hazard.h"

namespace cufc {

void checkHazards(CheckContext &context, Diagnostics &diagnostics) {
  hazards::Model model = hazards::buildModel(context.program);
  auto rangeOfPlace = [&](hazards::Place place) {
    return rangeOf(context.program, Fortran::parser::CharBlock{place.data(), place.size()});
  };
  std::string path =
      rangeOfPlace({context.program.parsing->cooked().AsCharBlock().begin(), 1}).file;
  hazards::Hazards found(model, rangeOfPlace, path, diagnostics);
  hazards::findHazards(found);
}

} // namespace cufc
