// What ptxas says of a kernel.
#ifndef CUFC_OCCUPANCY_KERNEL_COST_H
#define CUFC_OCCUPANCY_KERNEL_COST_H

#include <cstdint>
#include <string>
#include <vector>

namespace cufc {

// What a thread does, as far as its code says without a run: performance.h.
struct WorkCounts {
  bool countable = false; // no calls, and loops with constant numbers of rounds alone
  double globalBytes =
      0; // from and to global memory, in sectors where neighbours do not share them
  double loadedBytes = 0; // of loads, as they are written
  double singleOperations = 0, doubleOperations = 0;
  double specialOperations = 0; // roots, exponentials and the like, of single precision
  double instructions = 0;
  double cacheWords = 0;     // of 4 bytes, that pass the first cache or shared memory
  double loadedInRounds = 0; // loadedBytes with the rounds of loops
};

struct KernelCost {
  std::string symbol;             // in PTX
  std::string display;            // "solver::step"
  int registers = 0;              // of a thread
  std::int64_t sharedBytes = 0;   // static, of a block
  std::int64_t localBytes = 0;    // stack of a thread, spills included
  std::int64_t constantBytes = 0; // arguments and constants of the code, of the constant bank
  std::int64_t spillStoreBytes = 0, spillLoadBytes = 0; // of a thread, in the text of the code
  int barriers = 0;
  std::int64_t ptxBytes = 0, sassBytes = 0;
  int maxThreads = 1024, minBlocks = 0; // launch_bounds
  bool callsOthers = false; // procedures of other files, whose registers are not known here
  WorkCounts work;
  std::string problem; // why ptxas did not take it; then nothing above is known
  std::string ptx;     // with the lines of the source, if that was asked for
};

// What is known of all kernels of a file for one GPU.
struct FileCosts {
  int gpu = 0;              // compute capability that was asked for
  int compiledFor = 0;      // that ptxas made code for: another one if it does not know the first
  std::string missing;      // why nothing is known: no toolkit, errors in the source
  bool noAssembler = false; // that is so for all files, since there is no ptxas
  std::vector<KernelCost> kernels;
  std::string sass;                 // machine code of the file with lines, if that was asked for
  std::string sassMissing;          // or why there is none
  int compiled = 0, remembered = 0; // kernels that ptxas was run on, and others
};

std::string toBytes(const FileCosts &costs);
// False if the bytes are damaged.
bool fromBytes(std::string_view bytes, FileCosts &costs);

// How machine code is made.
struct AssemblerChoice {
  std::string ptxas;   // path of the program
  std::string version; // of the toolkit, a part of what results are remembered by
  int gpu = 90;
  int optimisation = 3;
  int maxRegisters = 0; // 0: no limit
  std::string cache;    // folder of results; empty: nothing is remembered
  bool keepPtx = false; // put each kernel's PTX into the result
};

// Fills in `sass` from the PTX of a file with lines; `nvdisasm` may be empty.
void addMachineCode(const std::string &ptx, const AssemblerChoice &choice,
                    const std::string &nvdisasm, FileCosts &costs);

// Adds the kernels of a module's PTX to `costs`, whose display names and launch bounds the caller
// knows. Runs ptxas on those that no cache has.
void addCosts(const std::string &ptx, const AssemblerChoice &choice, FileCosts &costs);

} // namespace cufc
#endif // CUFC_OCCUPANCY_KERNEL_COST_H
