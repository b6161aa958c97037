// Elements of a thread's arrays that are chosen among a few.
#ifndef CUFC_CODEGEN_GPU_CHOSEN_ELEMENTS_H
#define CUFC_CODEGEN_GPU_CHOSEN_ELEMENTS_H

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace cufc {

// Adds to LLVM's pipeline for a GPU, behind the passes that unroll loops completely, what reads and
// writes such elements by selections, so that their arrays become registers.
void chooseElements(llvm::PassBuilder &builder);

} // namespace cufc

#endif // CUFC_CODEGEN_GPU_CHOSEN_ELEMENTS_H
