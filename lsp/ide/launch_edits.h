// How the block size of a launch is changed in the text, with all that follows from it there: the
// numbers of its configuration, or the named constant that stands in it.
#ifndef CUFLS_IDE_LAUNCH_EDITS_H
#define CUFLS_IDE_LAUNCH_EDITS_H

#include "analysis/analysis.h"
#include "index/document.h"
#include <tuple>

namespace cufc {

// A number that is the block size, or one less: the 255 of (n + 255) / 256.
struct BlockNumber {
  TextRange range;
  bool oneLess = false;
  auto operator<=>(const BlockNumber &other) const {
    return std::tie(range.begin, range.end) <=> std::tie(other.range.begin, other.range.end);
  }
  bool operator==(const BlockNumber &other) const { return (*this <=> other) == 0; }
};

struct LaunchSite {
  int line = 0;
  int block = 0;                    // now; 0 if it is not known
  bool byConstant = false;          // the numbers are those of a named constant's declaration
  std::vector<BlockNumber> numbers; // in order
  std::string reason;               // why it cannot be changed; empty if it can
};

// The launches of a kernel in a file; `symbol` is the kernel's in its analysis.
std::vector<LaunchSite> launchSites(const Analysis &analysis, const Document &document, int symbol);

// Why a kernel may not be right for other blocks than those of `site`, or empty; the analysis and
// the text are those of the file that has the kernel.
std::string reasonInKernel(const Analysis &analysis, const Document &document,
                           const KernelInfo &kernel, const LaunchSite &site);

// The edits that give all launches blocks of a size.
std::vector<TextChange> blockEdits(const std::vector<LaunchSite> &sites, int block);

} // namespace cufc
#endif // CUFLS_IDE_LAUNCH_EDITS_H
