// flang's objects behind a Program. Private to frontend/ and lower/bridge.cpp: these headers cost
// 25 s and 2.6 GB a file.
#ifndef CUFC_FRONTEND_FLANG_PROGRAM_H
#define CUFC_FRONTEND_FLANG_PROGRAM_H

#include "base/dropped_messages.h"
#include "flang/Parser/parsing.h"
#include "flang/Parser/provenance.h"
#include "flang/Semantics/runtime-type-info.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/semantics.h"
#include "flang/Support/Fortran-features.h"
#include "flang/Support/LangOptions.h"
#include "flang/Support/default-kinds.h"
#include "frontend/replaceable.h"
#include "source/dialect_rewrite.h"
#include <list>

namespace cufc {

struct FlangProgram {
  Fortran::parser::AllSources sources;
  Fortran::parser::AllCookedSources cooked{sources};
  Fortran::parser::Options options;
  Fortran::common::LangOptions languageOptions;
  Fortran::common::IntrinsicTypeDefaultKinds kinds;
  std::unique_ptr<Fortran::parser::Parsing> parsing;
  std::unique_ptr<Fortran::semantics::SemanticsContext> context;
  // Of the modules that a program from a stock holds already: the tree that their symbols come
  // from, and their scopes, which are not among the global scope's children.
  std::unique_ptr<Fortran::parser::Parsing> preloading;
  std::list<Fortran::semantics::Scope> preloaded;
  Fortran::semantics::RuntimeDerivedTypeTables typeTables; // owns names that symbols refer to
  std::string path;                                        // of the file, as the user calls it
  std::vector<Replaceable> replaceable;                    // what the checks decide on
  DroppedMessages dropped;                                 // and what filters have dropped
  std::string source;                                      // the text of the file
  int fixedColumns = 72; // of a line of fixed form, whatever `options` say while lines are longer
  bool everyDeviceName = false; // device procedures see all of cudadevice, mentioned or not
  Rewrite rewrite;              // empty text if nothing was rewritten
};

} // namespace cufc
#endif // CUFC_FRONTEND_FLANG_PROGRAM_H
