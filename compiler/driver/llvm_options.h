// -mllvm and -mmlir: options of LLVM and MLIR themselves, for people who look at what passes do.
#pragma once

#include "base/diagnostics.h"
#include <string>
#include <vector>

namespace cufc {

// Sets each option, as "-print-changed" or "--mlir-print-ir-after=NAME", for what this process
// compiles from now on. One that this LLVM does not have changes nothing and is named in a note:
// build files give options of other versions.
void setLlvmOptions(const std::vector<std::string> &options, Diagnostics &diagnostics);

} // namespace cufc
