// Values that pass from one region of a kernel's threads to another.
#ifndef CUFC_CODEGEN_CPU_REGION_VALUES_H
#define CUFC_CODEGEN_CPU_REGION_VALUES_H

#include "codegen/cpu/thread_regions.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"

namespace cufc {

class RegionValues {
public:
  RegionValues(BarrierRegions &plan, std::vector<ThreadRegion> &regions,
               const BlockGeometry &geometry, llvm::ArrayRef<llvm::Argument *> index)
      : plan(plan), regions(regions), geometry(geometry), index(index) {}

  // Before there are loops: computes once what is the same for all threads, as far as that is
  // allowed before any thread has come to it.
  void hoistUniformValues();

  // With loops: phis of joins that depend on the thread become memory.
  void demoteVaryingPhis();

  // With loops, last: each use in another region gets the value there, and all uses of the thread's
  // index that of their region.
  void connectRegions();

  // A value as a region has it, in `place` and what follows. Asked for before connectRegions.
  llvm::Value *valueIn(ThreadRegion &region, llvm::Value *value);

  // An array whose elements are one value each: the loops over threads are to go from one to the
  // next.
  void spreadElements(const llvm::AllocaInst &memory);
  bool isRecomputed(llvm::Value *value) { return costOf(value).has_value(); }

  // Memory of each thread, and its address in a region.
  unsigned addFrameVariable(llvm::Type *type, llvm::Align align);
  llvm::Value *addressIn(ThreadRegion &region, unsigned variable);
  llvm::Value *baseOf(unsigned variable); // of all threads
  uint64_t frameBytes() const { return bytes; }

  // Where values of a region are put: the end of its header until this is called, then that of its
  // entry.
  void fillEntries() { inHeaders = false; }

private:
  struct FrameVariable {
    llvm::Type *type;
    uint64_t offset, bytes;
    llvm::Value *base = nullptr;
  };

  bool isAlwaysReached(const ThreadRegion &region, const llvm::BasicBlock &block) const;
  bool mayBeWrittenBefore(const ThreadRegion &region, const llvm::LoadInst &load) const;
  bool isHoistable(const ThreadRegion &region, const llvm::Instruction &instruction) const;
  llvm::Value *originalOf(llvm::Value *value) const;
  std::optional<unsigned> costOf(llvm::Value *value);
  bool isKnownRoundCount(llvm::Instruction &value) const;
  std::optional<unsigned> costOfInstruction(llvm::Instruction &instruction);
  ThreadRegion *regionOf(const llvm::BasicBlock *block) const;
  ThreadRegion *regionOfUse(const llvm::Use &use) const;
  llvm::Value *uniformOutside(llvm::Instruction &value);
  llvm::Value *recomputedIn(ThreadRegion &region, llvm::Instruction &value);
  llvm::Value *loadedIn(ThreadRegion &region, llvm::Instruction &value);
  unsigned frameOf(llvm::Instruction &value);
  std::optional<unsigned> frameOfMemory(llvm::AllocaInst &memory);
  void storeTo(ThreadRegion &region, unsigned variable, llvm::Value *value,
               llvm::IRBuilder<> &builder);
  void connectUses(llvm::Instruction &value);
  void connectMemory();
  llvm::Type *elementOf(const llvm::AllocaInst &memory) const { return elements.lookup(&memory); }
  void spread(llvm::Use &use, unsigned variable, llvm::Type &type);
  bool staysInOneRun(llvm::AllocaInst &memory) const;
  void keepApart();
  llvm::Instruction *placeIn(const ThreadRegion &region) const;

  BarrierRegions &plan;
  std::vector<ThreadRegion> &regions;
  const BlockGeometry &geometry;
  llvm::ArrayRef<llvm::Argument *> index;
  llvm::DenseMap<const llvm::BasicBlock *, size_t> regionNumbers;
  std::vector<FrameVariable> variables;
  uint64_t bytes = 0;
  bool inHeaders = true;
  llvm::DenseMap<llvm::Value *, std::optional<unsigned>> costs;
  llvm::DenseMap<std::pair<const ThreadRegion *, llvm::Value *>, llvm::Value *> known;
  llvm::DenseMap<llvm::Value *, llvm::Value *> originals;     // of those in `known`
  llvm::DenseMap<llvm::Instruction *, llvm::Value *> outside; // uniform values behind their region
  llvm::DenseMap<llvm::Instruction *, unsigned> frames;
  llvm::DenseMap<llvm::AllocaInst *, std::optional<unsigned>> memories;
  llvm::DenseMap<const llvm::AllocaInst *, llvm::Type *> elements; // of arrays that are spread
  llvm::MapVector<llvm::PHINode *, unsigned> demoted;
  llvm::DenseMap<llvm::Instruction *, unsigned> accesses; // to variables in memory
};

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_REGION_VALUES_H
