// Numbers that the threads of a block draw from a counter of the grid, drawn at once.
#ifndef CUFC_CODEGEN_CPU_BLOCK_TICKETS_H
#define CUFC_CODEGEN_CPU_BLOCK_TICKETS_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace cufc {

// A copy of a thread's function (host_kernel_body.h) in which additions to a counter whose old
// value is used are operations at which the threads meet: ticketOperation of sync_operations.h.
// Null if there are none.
llvm::Function *withTickets(llvm::Function &thread);

// Where threads, lanes or warps meet for their tickets.
struct TicketMeeting {
  llvm::CallInst &call;                         // in a block that is run once for all
  llvm::BasicBlock &before;                     // run once, before any of them comes to the call
  llvm::BasicBlock &arrival;                    // of each, its last one before
  llvm::BasicBlock &departure;                  // of each, its first one after
  bool isOfWarp;                                // the warps of the block meet then in the same way
  llvm::DenseSet<const llvm::Value *> &varying; // values that differ between them; more are added
};

// Puts the addition in the place of the call, or leaves a call for the warp.
void drawTickets(TicketMeeting &meeting);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_BLOCK_TICKETS_H
