// The procedures that a file defines: what they call and which data they use. Private to checks/.
#ifndef CUFC_CHECKS_PROCEDURES_H
#define CUFC_CHECKS_PROCEDURES_H

#include "flang/Semantics/symbol.h"
#include "frontend/flang_program.h"
#include <set>
#include <vector>

namespace cufc {

// The CUDA attributes of a procedure, or of the interface that a procedure is declared with; Host
// if it has none.
Fortran::common::CUDASubprogramAttrs
procedureAttributes(const Fortran::semantics::Symbol *procedure);
bool isKernel(const Fortran::semantics::Symbol *procedure);
// Whether its code runs on the device, or on the host; both may be so.
bool runsOnDevice(const Fortran::semantics::Symbol *procedure);
bool runsOnHost(const Fortran::semantics::Symbol *procedure);

// Whether data is in memory that host code cannot reach: device or constant memory.
bool isOnlyOnDevice(const Fortran::semantics::Symbol *symbol);

// The name that a reference to a procedure is written with: of a binding, that of the component.
const Fortran::parser::Name &nameOf(const Fortran::parser::ProcedureDesignator &designator);

struct ProcedureCall {
  const Fortran::semantics::Symbol *callee; // null for an intrinsic procedure
  std::string name;                         // of the specific procedure
  Fortran::parser::CharBlock place;         // the name as written, or what stands for the call
  bool onDevice;                            // in device code, or in a CUF kernel
  bool onHost;   // in host code outside of CUF kernels; a procedure may be both
  bool launches; // has chevrons
};

struct Procedure {
  const Fortran::semantics::Symbol *symbol; // null for a main program without a name
  const Fortran::semantics::Scope *scope;
  std::vector<ProcedureCall> calls;      // of procedures that are not intrinsic
  std::vector<ProcedureCall> intrinsics; // that are left when flang has folded constants
  std::set<const Fortran::semantics::Symbol *> data; // what its statements name
};

class Procedures {
public:
  explicit Procedures(FlangProgram &program);
  const std::vector<Procedure> &all() const { return list; }
  const Procedure *find(const Fortran::semantics::Symbol &symbol) const;
  // A procedure and all that it calls, directly or not, as far as this file defines them.
  std::vector<const Procedure *> reached(const Procedure &from) const;

private:
  std::vector<Procedure> list;
};

} // namespace cufc
#endif // CUFC_CHECKS_PROCEDURES_H
