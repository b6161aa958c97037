// How loops over the threads of a block get the shape of vector loops. What several threads, or
// all, do alike comes together; what few of them do gets a loop of its own. Each step is for one
// loop that has the mark (loop_versions.h), which the loops it makes have, too; it returns whether
// the function has changed, and all that is known of it is out of date then. thread_loops.cpp has
// them in their order.
#ifndef CUFC_CODEGEN_CPU_THREAD_PASSES_H
#define CUFC_CODEGEN_CPU_THREAD_PASSES_H

namespace llvm {
class AAResults;
class DominatorTree;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace cufc {

// Where threads compute mod(i, n) and i/n of an index that goes up by one, as for a grid of several
// dimensions that is numbered through: the loop runs from one multiple of n to the next in a loop
// over those (thread_segments.cpp).
bool divideAtMultiples(llvm::Loop &threads, llvm::LoopInfo &loops, llvm::DominatorTree &dominators,
                       llvm::ScalarEvolution &evolution);

// Puts a loop that all threads run equally often, between parts that not all threads go through,
// and what is before and behind it, into loops over the threads of their own (thread_values.h), of
// which putThreadsInside exchanges that in the middle (thread_rounds.cpp).
bool separateEqualRounds(llvm::Loop &threads, llvm::LoopInfo &loops,
                         llvm::DominatorTree &dominators, llvm::ScalarEvolution &evolution);

// Loops that all threads of a row run alike come around the loop over the threads
// (thread_nests.cpp).
bool putThreadsInside(llvm::Loop &threads, llvm::LoopInfo &loops, llvm::DominatorTree &dominators,
                      llvm::ScalarEvolution &evolution, llvm::AAResults &aliases);

// Gives what threads do around loops over a grid's elements, as CUDA's grid-stride loops, loops of
// its own (thread_values.h).
bool separateFromThreads(llvm::Loop &threads, llvm::LoopInfo &loops,
                         llvm::DominatorTree &dominators, llvm::ScalarEvolution &evolution);

// After that: such loops in each thread go through memory in the order of the elements
// (thread_strides.cpp).
bool exchangeWithThreads(llvm::Loop &threads, llvm::LoopInfo &loops,
                         llvm::DominatorTree &dominators, llvm::ScalarEvolution &evolution,
                         llvm::AAResults &aliases);

// Gives what only threads of one x do, such as fetching a halo, a loop of its own, and what comes
// before and behind it (thread_fission.cpp). Then branches lead to empty blocks.
bool divideRareWork(llvm::Loop &threads, llvm::LoopInfo &loops, llvm::DominatorTree &dominators,
                    llvm::ScalarEvolution &evolution, llvm::AAResults &aliases);

// Divides a long loop at all clamps of its subscripts at once (thread_clamps.cpp).
bool divideAtClamps(llvm::Loop &threads, llvm::LoopInfo &loops, llvm::DominatorTree &dominators,
                    llvm::ScalarEvolution &evolution);

// Divides the loop at the bounds of the first condition in it that is one on the thread's index
// (thread_splits.cpp).
bool splitThreadLoop(llvm::Loop &loop, llvm::LoopInfo &loops, llvm::DominatorTree &dominators,
                     llvm::ScalarEvolution &evolution);

// Where threads work in pairs, one distance apart: has a loop go over the lower thread of each
// (thread_partners.cpp).
bool goByPairs(llvm::Loop &threads, llvm::LoopInfo &loops, llvm::DominatorTree &dominators,
               llvm::ScalarEvolution &evolution);

// Where some threads store one value in one place: has the loop find out whether any does, behind
// which that is stored (thread_flags.cpp).
bool collectFlag(llvm::Loop &threads, llvm::LoopInfo &loops, llvm::DominatorTree &dominators,
                 llvm::AAResults &aliases);

// Where several threads store in one place, of which the last one stays: has the loop look for the
// thread whose values stay, which alone stores them then (thread_winners.cpp).
bool findWinner(llvm::Loop &threads, llvm::LoopInfo &loops, llvm::DominatorTree &dominators,
                llvm::AAResults &aliases);

// Where threads run one round more, or less, from thread to thread: has some at a time run the
// rounds that all of them have together, and the others by conditions (thread_triangles.cpp).
bool levelRounds(llvm::Loop &threads, llvm::LoopInfo &loops, llvm::DominatorTree &dominators,
                 llvm::ScalarEvolution &evolution);

// Where threads update elements that depend on what they compute: has a loop of its own compute
// that (thread_updates.cpp).
bool divideAtUpdates(llvm::Loop &threads, llvm::LoopInfo &loops, llvm::DominatorTree &dominators,
                     llvm::ScalarEvolution &evolution);

// What all threads load alike, but under a condition of each, is loaded before the loop if any
// thread comes there (conditional_loads.cpp).
bool loadBeforeThreads(llvm::Loop &threads, llvm::LoopInfo &loops, llvm::DominatorTree &dominators,
                       llvm::AAResults &aliases);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_THREAD_PASSES_H
