// How often loops come round that depend on a thread's index.
#ifndef CUFC_CODEGEN_GPU_ROUND_COUNTS_H
#define CUFC_CODEGEN_GPU_ROUND_COUNTS_H

#include <cstdint>
#include <optional>

namespace llvm {
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace cufc {

// The most rounds of a loop whose number is no constant; none: it is one, or is not known.
std::optional<uint64_t> mostRounds(const llvm::Loop &loop, llvm::ScalarEvolution &evolution);

} // namespace cufc
#endif // CUFC_CODEGEN_GPU_ROUND_COUNTS_H
