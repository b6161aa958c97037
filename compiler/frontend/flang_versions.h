// What flang 22 and 23 write differently, so that the rest of the compiler is the same for both
// (docs/packages/README.md, "Which LLVM"). Most of it are parts of the parse tree, which were
// members with names in 22 and are in a tuple in 23.
#ifndef CUFC_FRONTEND_FLANG_VERSIONS_H
#define CUFC_FRONTEND_FLANG_VERSIONS_H

#include "flang/Parser/parse-tree.h"
#include "flang/Semantics/semantics.h"
#include "llvm/Config/llvm-config.h"

namespace cufc {

#if LLVM_VERSION_MAJOR >= 23
#define CUFC_TREE_PART(function, index, member)                                                    \
  template <typename Tree>                                                                         \
  auto &function(Tree &tree) {                                                                     \
    return std::get<index>(tree.t);                                                                \
  }
#else
#define CUFC_TREE_PART(function, index, member)                                                    \
  template <typename Tree>                                                                         \
  auto &function(Tree &tree) {                                                                     \
    return tree.member;                                                                            \
  }
#endif

// Of a CallStmt.
CUFC_TREE_PART(callIn, 0, call)
CUFC_TREE_PART(chevronsIn, 1, chevrons)
// Of a StructureComponent, an ArrayElement or a CoindexedNamedObject.
CUFC_TREE_PART(baseIn, 0, base)
CUFC_TREE_PART(componentIn, 1, component)
CUFC_TREE_PART(subscriptsIn, 1, subscripts)
CUFC_TREE_PART(imageSelectorIn, 1, imageSelector)
// Of LoopBounds.
CUFC_TREE_PART(variableIn, 0, name)
CUFC_TREE_PART(lowerIn, 1, lower)
CUFC_TREE_PART(upperIn, 2, upper)
CUFC_TREE_PART(stepIn, 3, step)
// Of a RealLiteralConstant.
CUFC_TREE_PART(digitsIn, 0, real)
CUFC_TREE_PART(kindIn, 1, kind)
#undef CUFC_TREE_PART

#if LLVM_VERSION_MAJOR >= 23
using OmpThreadprivate = Fortran::parser::OmpThreadprivateDirective;
using OmpDeclareSimd = Fortran::parser::OmpDeclareSimdDirective;
using OmpUtility = Fortran::parser::OmpUtilityDirective;
#else
using OmpThreadprivate = Fortran::parser::OpenMPThreadprivate;
using OmpDeclareSimd = Fortran::parser::OpenMPDeclareSimdConstruct;
using OmpUtility = Fortran::parser::OpenMPUtilityConstruct;
#endif

// The scope of module cudadevice.
inline const Fortran::semantics::Scope &
cudaDeviceScope(Fortran::semantics::SemanticsContext &context) {
#if LLVM_VERSION_MAJOR >= 23
  const auto *scope =
      context.GetCUDADeviceScope(); // null if the module cannot be read, which it reports
  return scope ? *scope : context.globalScope();
#else
  return context.GetCUDADeviceScope();
#endif
}

} // namespace cufc

#endif // CUFC_FRONTEND_FLANG_VERSIONS_H
