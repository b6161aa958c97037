// What runs of programs have measured: of each program and device the newest, with the texts that
// were built. It stays when these are edited, as what an earlier text took.
#ifndef CUFLS_HOST_MEASUREMENTS_H
#define CUFLS_HOST_MEASUREMENTS_H

#include "occupancy/run_report.h"
#include <string>
#include <vector>

namespace cufc {

// Something that was measured; both live until the next `take`.
template <typename Row>
struct Measured {
  const RunReport *run;
  const Row *row;
  bool stale; // the file's text is another one now
};

class Measurements {
public:
  // Reads what a run has left in a folder. Files whose times are new: none if there is no report.
  std::vector<std::string> take(const std::string &folder);

  // Of a kernel of a file by its name in reports: for each device the newest.
  std::vector<Measured<MeasuredKernel>> kernel(const std::string &path, const std::string &text,
                                               const std::string &name) const;
  // Of the programs that the file is a part of.
  std::vector<Measured<MeasuredTransfer>> transfers(const std::string &path,
                                                    const std::string &text) const;

  bool isEmpty() const { return runs.empty(); }

private:
  std::vector<RunReport> runs; // the newest first
};

} // namespace cufc
#endif // CUFLS_HOST_MEASUREMENTS_H
