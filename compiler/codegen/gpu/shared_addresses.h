// Addresses of elements that lie at constant distances.
#ifndef CUFC_CODEGEN_GPU_SHARED_ADDRESSES_H
#define CUFC_CODEGEN_GPU_SHARED_ADDRESSES_H

#include <cstdint>

namespace llvm {
class IRBuilderBase;
class Module;
class TargetMachine;
class Value;
} // namespace llvm

namespace cufc {

// Constants up to which they may be split from a sum of 32 bits (shared_addresses.cpp).
constexpr int64_t mostDistance = 1024;

// The number of 32 bits that is extended with its sign; null if it is another one.
llvm::Value *narrowNumber(llvm::Value *value);

// The product of two numbers of 32 bits, 64 bits: one instruction. NVPTX finds it only if it
// extends both in the same way, and not if one comes from memory.
llvm::Value *wideProduct(llvm::IRBuilderBase &builder, llvm::Value *left, llvm::Value *right);

// Writes base[extend(i + constant)] as (base[extend(i)])[constant], so that neighbours have one
// address and the constant is part of the instruction.
void shareAddresses(llvm::Module &module, llvm::TargetMachine &target);

} // namespace cufc
#endif // CUFC_CODEGEN_GPU_SHARED_ADDRESSES_H
