// What a loop over planes carries from round to round and could load again.
#ifndef CUFC_CODEGEN_CPU_CARRIED_LOADS_H
#define CUFC_CODEGEN_CPU_CARRIED_LOADS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class AAResults;
class Loop;
class PHINode;
class ScalarEvolution;
} // namespace llvm

namespace cufc {

// A variable that goes up or down by the same in each round.
struct RoundCounter {
  llvm::PHINode *number;
  llvm::Instruction::BinaryOps operation;
  llvm::Value *step;
};

// `loop` is left from its header alone.
class CarriedLoads {
public:
  CarriedLoads(llvm::Loop &loop, llvm::ScalarEvolution &evolution)
      : loop(loop), evolution(evolution) {}

  void add(llvm::PHINode &value) { values.insert({&value, {}}); }
  bool empty() const { return values.empty(); }

  // Whether all values are what was loaded a few rounds before, from memory that nothing in
  // `around`, which has the loop, writes.
  bool canReadAgain(const llvm::Loop &around, llvm::ArrayRef<RoundCounter> counters,
                    llvm::AAResults &aliases);

  // A load before the loop that gives first values alone, which nobody needs then.
  bool isFirst(const llvm::Instruction &instruction) const { return firsts.contains(&instruction); }

  void readAgain(llvm::ArrayRef<RoundCounter> counters);

private:
  struct Source {
    llvm::LoadInst *load = nullptr; // of a round, that many rounds ago
    unsigned rounds = 0;
  };
  using Copies = llvm::DenseMap<llvm::Value *, llvm::Value *>;

  bool findSource(llvm::PHINode &value, Source &source) const;
  bool startsAlike(llvm::PHINode &value, const Source &source,
                   llvm::ArrayRef<RoundCounter> counters);
  bool isOfCounters(llvm::Value &value, llvm::ArrayRef<RoundCounter> counters) const;
  bool changesByRounds(const llvm::Value &value) const;
  void goBack(llvm::ArrayRef<RoundCounter> counters, unsigned rounds, bool fromFirst,
              llvm::IRBuilder<> &builder, Copies &copies) const;
  llvm::Value *copy(llvm::Value &value, llvm::IRBuilder<> &builder, Copies &copies) const;

  llvm::Loop &loop;
  llvm::ScalarEvolution &evolution;
  llvm::MapVector<llvm::PHINode *, Source> values;
  llvm::SmallPtrSet<const llvm::Instruction *, 4> firsts;
};

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_CARRIED_LOADS_H
