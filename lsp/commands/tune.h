// `cufls tune`: a kernel with other block sizes, measured on the device at hand.
#ifndef CUFLS_COMMANDS_TUNE_H
#define CUFLS_COMMANDS_TUNE_H

#include "commands/check_run.h"
#include "ide/launch_edits.h"

namespace cufc {

struct TuneWish {
  std::string file, kernel; // "scale" or "kernels::scale"
  std::vector<int> blocks;
  int repeats = 3;
  std::string device, gpu;
  Arguments arguments; // of the program
};

// What one block size gives.
struct TunedBlock {
  int block = 0;
  bool now = false;                // the size that stands in the text
  double seconds = 0;              // of a call, the best of the repeats; 0 if it was not measured
  std::optional<double> occupancy; // predicted
  std::string problem;             // why it does not count; empty otherwise
};

struct Tuning {
  std::string kernel, device;
  int before = 0; // threads of a block
  std::vector<TunedBlock> blocks;
  std::vector<TextChange>
      best; // the edits of the file; empty if nothing is better than what is there
  int bestBlock = 0;
};

// Nothing after a mistake, which is reported.
std::optional<Tuning> tune(const TuneWish &wish, Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFLS_COMMANDS_TUNE_H
