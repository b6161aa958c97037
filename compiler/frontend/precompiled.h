// Precompiled for the files that see flang's parser and semantics: those of this folder and the
// bridge to lowering. Every file still includes what it uses, so the build works without this one.
#ifndef CUFC_FRONTEND_PRECOMPILED_H
#define CUFC_FRONTEND_PRECOMPILED_H

#include "base/diagnostics.h"
#include "flang/Parser/parse-tree.h"
#include "flang/Parser/parsing.h"
#include "flang/Parser/provenance.h"
#include "flang/Semantics/expression.h"
#include "flang/Semantics/runtime-type-info.h"
#include "flang/Semantics/semantics.h"
#include "flang/Semantics/tools.h"
#include "flang/Support/Fortran-features.h"
#include "flang/Support/LangOptions.h"
#include "flang/Support/default-kinds.h"
#include "frontend/instantiated.h"

#endif // CUFC_FRONTEND_PRECOMPILED_H
