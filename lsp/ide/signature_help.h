// The arguments of the call that the cursor is in, and which of them it is.
#ifndef CUFLS_IDE_SIGNATURE_HELP_H
#define CUFLS_IDE_SIGNATURE_HELP_H

#include "ide/api_table.h"
#include "ide/query.h"

namespace cufc {

struct SignatureParameter {
  int begin = 0, end = 0; // in the label, bytes from 0
  std::string name;       // lower case
  std::string documentation;
};

struct Signature {
  std::string label;
  std::string documentation;
  std::vector<SignatureParameter> parameters;
  int active = -1; // parameter; -1 if the argument belongs to none
};

struct SignatureHelp {
  std::vector<Signature> signatures;
  int active = 0;
};

std::optional<SignatureHelp> signatureHelp(const Query &query, const ApiTable &api);

} // namespace cufc
#endif // CUFLS_IDE_SIGNATURE_HELP_H
