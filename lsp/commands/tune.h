// `cufls tune`: a kernel with other block sizes, measured on the device at hand.
#ifndef CUFLS_COMMANDS_TUNE_H
#define CUFLS_COMMANDS_TUNE_H

#include "commands/check_run.h"
#include "ide/launch_edits.h"

namespace cufc {

struct TuneWish {
  std::string file, kernel;       // "scale" or "kernels::scale"
  std::vector<BlockShape> shapes; // those that the launches allow are tried; empty: usual ones
  bool bounds = false;            // try launch_bounds with the fastest
  int repeats = 3;
  std::string device, gpu;
  Arguments arguments; // of the program
};

// What one block, or one launch_bounds, gives.
struct TunedBlock {
  BlockShape shape{0, 1, 1};
  std::string bounds;              // "launch_bounds(256, 2)"; empty: none
  bool now = false;                // the size that stands in the text
  double seconds = 0;              // of a call, the best of the repeats; 0 if it was not measured
  std::optional<double> occupancy; // predicted
  std::string problem;             // why it does not count; empty otherwise
};

struct Tuning {
  std::string kernel, device;
  BlockShape before{0, 1, 1};
  std::vector<TunedBlock> blocks;
  std::vector<TextChange>
      best; // the edits of the file; empty if nothing is better than what is there
  BlockShape bestShape{0, 1, 1};
  std::vector<TunedBlock> bounds; // with the fastest block
  std::string boundsBefore, bestBounds;
  std::string boundsProblem; // why none were tried
};

// "256", "32x8".
std::string textOf(const BlockShape &shape);

// Nothing after a mistake, which is reported.
std::optional<Tuning> tune(const TuneWish &wish, Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFLS_COMMANDS_TUNE_H
