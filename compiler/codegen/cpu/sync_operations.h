// Operations at which the threads of a block or a warp meet, as the host device sees them.
#ifndef CUFC_CODEGEN_CPU_SYNC_OPERATIONS_H
#define CUFC_CODEGEN_CPU_SYNC_OPERATIONS_H

#include "cufrt/abi.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include <optional>

namespace cufc {

// What a thread writes to its frame before it stops (see cufrt_frame). Null members are not used by
// the operation.
struct SyncOperation {
  cufrt_sync kind;
  llvm::Value *mask = nullptr;    // i32
  llvm::Value *operand = nullptr; // i1, i32, i64 or float; a shuffle's of i64 by wideShuffle alone
  llvm::Value *lane = nullptr;    // i32
  llvm::Value *clamp = nullptr;   // i32
  bool givesPair = false;         // result is { value, i1 in range }
};

// The operation that a call is, if it is one.
std::optional<SyncOperation> syncOperation(const llvm::CallBase &call);

// A shuffle of 64 bits, which PTX has not: i64 (i32 mask, i64 value, i32 lane, i32 clamp).
llvm::FunctionCallee wideShuffle(llvm::Module &module, cufrt_sync kind);

// What syncOperation says of a ticket (block_tickets.h), which the runtime library does not know.
inline constexpr auto ticketOperation = static_cast<cufrt_sync>(0);

// The sum so far of what threads add to a counter: T (ptr counter, T added or 0, i1 whether at all,
// i1 whether one lane of a warp does at most, T what is added if at all).
llvm::FunctionCallee ticketFunction(llvm::Module &module, llvm::Type *type);

// Whether whole blocks meet there, alone or with all of the grid.
inline bool isForBlock(cufrt_sync kind) {
  return kind <= CUFRT_BARRIER_COUNT || kind == CUFRT_GRID_BARRIER;
}

// Whether the function itself waits for the grid.
bool waitsForGrid(const llvm::Function &function);

// The value of the call from the frame's 64-bit result.
llvm::Value *syncResult(llvm::IRBuilder<> &builder, const SyncOperation &operation,
                        llvm::Type *type, llvm::Value *result);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_SYNC_OPERATIONS_H
