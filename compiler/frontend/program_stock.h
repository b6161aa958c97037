// flang programs that hold the intrinsic modules already. Reading cudafor and cudadevice takes most
// of the time of a small analysis, so a process that forks for each analysis reads them before.
#ifndef CUFC_FRONTEND_PROGRAM_STOCK_H
#define CUFC_FRONTEND_PROGRAM_STOCK_H

#include "frontend/program.h"

namespace cufc {

class ProgramStock {
public:
  // The stock serves programs with the same defaults of types and modules as `settings`; its own
  // files go to settings.scratchFile. `target` must outlive it.
  ProgramStock(FrontendOptions settings, const llvm::TargetMachine &target);
  ~ProgramStock();

  // Makes one more program; it names these modules too, of settings.moduleDirectory, which are then
  // taken as they were at that time.
  void fill(const std::vector<std::string> &modules = {});

  // Null if the stock is empty or does not fit.
  std::unique_ptr<FlangProgram> take(const FrontendOptions &wanted);

private:
  FrontendOptions settings;
  const llvm::TargetMachine &target;
  std::vector<std::unique_ptr<FlangProgram>> programs;
};

// Puts back the scopes of modules that were loaded before: lowering needs the types of all modules,
// and looks for them among the children of scopes. Nothing for a program that came from no stock.
void restoreScopes(FlangProgram &program);

} // namespace cufc
#endif // CUFC_FRONTEND_PROGRAM_STOCK_H
