// Copies from global to shared memory that go on beside a thread: pipelineMemcpyAsync and its
// relatives of cudadevice.
#ifndef CUFC_CODEGEN_PIPELINE_COPIES_H
#define CUFC_CODEGEN_PIPELINE_COPIES_H

namespace llvm {
class Module;
}

namespace cufc {

// Gives each of them that is declared its body: cp.async and its groups for a GPU, an ordinary copy
// for the host.
void definePipelineCopies(llvm::Module &module, bool forGpu);

// Ordinary copies in place of cp.async, for GPUs that do not have it.
void expandPipelineCopies(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_PIPELINE_COPIES_H
