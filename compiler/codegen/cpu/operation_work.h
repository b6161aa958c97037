// What operations cost a CPU.
#ifndef CUFC_CODEGEN_CPU_OPERATION_WORK_H
#define CUFC_CODEGEN_CPU_OPERATION_WORK_H

namespace llvm {
class Instruction;
}

namespace cufc {

// Of one operation, in additions.
unsigned workOf(const llvm::Instruction &instruction);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_OPERATION_WORK_H
