// See profiling_names.h.
#include "mpi/profiling_names.h"
#include "mpi/rows.h"
#include "llvm/IR/Module.h"

namespace cufc {
namespace {

// Of a procedure that the layer has: all but functions, such as MPI_Wtime, and predefined ones.
bool isEntry(llvm::StringRef name) {
  if (!name.consume_front("p") || !name.consume_back("_"))
    return false;
  const MpiProcedure *procedure = findMpiProcedure(name);
  if (!procedure && (name.consume_back("_c") || name.consume_back("_cptr"))) // another form of it
    procedure = findMpiProcedure(name);
  return procedure && procedure->form.empty() && !procedure->function;
}

} // namespace

void callLayerByProfilingNames(llvm::Module &host) {
  for (llvm::Function &function : host.functions())
    if (function.isDeclaration() && isEntry(function.getName()))
      function.setName("cufrt_" + function.getName());
}

} // namespace cufc
