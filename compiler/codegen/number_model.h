// Bodies of flang_rt's entry points for the model of real numbers: exponent, fraction, scale and so
// on.
#ifndef CUFC_CODEGEN_NUMBER_MODEL_H
#define CUFC_CODEGEN_NUMBER_MODEL_H

namespace llvm {
class Function;
}

namespace cufc {

// False if the function is none of them.
bool defineNumberModel(llvm::Function &function);

} // namespace cufc

#endif // CUFC_CODEGEN_NUMBER_MODEL_H
