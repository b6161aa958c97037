// Loops over points in space, whose coordinates lie together.
#ifndef CUFC_CODEGEN_CPU_SPACE_VERSIONS_H
#define CUFC_CODEGEN_CPU_SPACE_VERSIONS_H

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace cufc {

// Of a loop over threads; returns whether there is a copy of it now.
bool versionForSpace(llvm::Loop &loop, llvm::LoopInfo &loops, llvm::DominatorTree &dominators,
                     llvm::ScalarEvolution &evolution);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_SPACE_VERSIONS_H
