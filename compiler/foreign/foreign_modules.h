// The modules of other compilers that a source uses, directly or through others, found on its
// search path and made readable for flang.
//
// Which file is taken says module_path.h. What flang cannot read and nobody translates is reported,
// since flang would take it for broken Fortran.
#ifndef CUFC_FOREIGN_FOREIGN_MODULES_H
#define CUFC_FOREIGN_FOREIGN_MODULES_H

#include "foreign/calls.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace cufc::foreign {

struct UnreadableModule {
  enum Reason { OtherCompiler, Damaged, Version, OtherModule } reason;
  std::string path;
  std::string compiler; // that wrote it
  int version = 0;
  std::string module; // that it holds
};

struct ForeignModules {
  std::map<std::string, std::string> texts; // of module files, without headers, by module
  // Files of flang that stand behind one of another compiler on the path, by module.
  std::map<std::string, std::string> shadowed;
  // Modules of the compiler's own that a file of another compiler on the path would hide.
  std::set<std::string> hidden;
  // By the module that the source itself names, which may have led to another.
  std::map<std::string, UnreadableModule> unreadable;
  std::vector<std::string> files; // of gfortran that were read
  Calls calls;
  Restrictions restrictions;
};

// `folders` in the order of the search; `intrinsic` are those of the compiler's own modules, which
// no file replaces.
ForeignModules findForeignModules(const std::vector<std::string> &modules,
                                  const std::vector<std::string> &folders,
                                  const std::vector<std::string> &intrinsic);

} // namespace cufc::foreign
#endif // CUFC_FOREIGN_FOREIGN_MODULES_H
