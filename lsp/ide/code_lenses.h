// Commands and counts to be shown above program units, kernels, procedures and types.
#ifndef CUFLS_IDE_CODE_LENSES_H
#define CUFLS_IDE_CODE_LENSES_H

#include "ide/query.h"

namespace cufc {

enum class LensKind : std::uint8_t { Run, RunOnCpu, Build, References, Launches };

struct CodeLens {
  LensKind kind;
  TextRange range; // the name, or the first statement of a program without one
};

struct LensChoice {
  bool run = true;
  bool references = true;
  bool launches = true;
};

// By place. How many references and launches there are is asked for later, by `countedPlaces`.
std::vector<CodeLens> codeLenses(const Query &query, const LensChoice &choice);

// The places that a lens of references or launches counts, at the position of its name.
std::vector<Location> countedPlaces(const Query &query, LensKind kind);

} // namespace cufc
#endif // CUFLS_IDE_CODE_LENSES_H
