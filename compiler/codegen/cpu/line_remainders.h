// Remainders of a line's number without divisions.
#ifndef CUFC_CODEGEN_CPU_LINE_REMAINDERS_H
#define CUFC_CODEGEN_CPU_LINE_REMAINDERS_H

namespace llvm {
class Function;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace cufc {

// For loops with others inside, whose form is LoopSimplify's. Returns whether there were any.
bool countRemainders(llvm::Function &function, llvm::LoopInfo &loops,
                     llvm::ScalarEvolution &evolution);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_LINE_REMAINDERS_H
