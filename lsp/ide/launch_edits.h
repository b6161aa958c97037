// How the block of a launch is changed in the text, with all that follows from it there: the
// numbers of its configuration, also in the assignments of the dim3 that it names, or the named
// constants that stand in them.
#ifndef CUFLS_IDE_LAUNCH_EDITS_H
#define CUFLS_IDE_LAUNCH_EDITS_H

#include "analysis/analysis.h"
#include "index/document.h"
#include <array>
#include <optional>
#include <tuple>

namespace cufc {

using BlockShape = std::array<int, 3>; // threads along x, y and z

inline int threadsOf(const BlockShape &shape) { return shape[0] * shape[1] * shape[2]; }

// A number that is an extent of the block, or one less: the 255 of (n + 255) / 256.
struct BlockNumber {
  TextRange range;
  int dimension = 0;
  bool oneLess = false;
  auto operator<=>(const BlockNumber &other) const {
    return std::tie(range.begin, range.end) <=> std::tie(other.range.begin, other.range.end);
  }
  bool operator==(const BlockNumber &other) const { return (*this <=> other) == 0; }
};

struct LaunchSite {
  int line = 0;
  BlockShape block{0, 1, 1};            // now; 0 if it is not known
  std::array<bool, 3> free{};           // the extents that the text lets follow
  BlockShape sameAs{0, 1, 2};           // of an extent: the first one that has the same constant
  std::array<std::string, 3> constants; // whose declarations have the numbers; empty: the launch
  std::vector<BlockNumber> numbers;     // in order
  std::string reason;                   // why it cannot be changed; empty if it can

  bool isFlat() const { return !free[1] && !free[2]; }
  bool allows(const BlockShape &shape) const;
};

// The launches of a kernel in a file; `symbol` is the kernel's in its analysis.
std::vector<LaunchSite> launchSites(const Analysis &analysis, const Document &document, int symbol);

// Why a kernel may not be right for other blocks than those of `site`, or empty; the analysis and
// the text are those of the file that has the kernel, in fixed or free form.
std::string reasonInKernel(const Analysis &analysis, const Document &document, bool fixedForm,
                           const KernelInfo &kernel, const LaunchSite &site);

// The edits that give all launches blocks of a shape.
std::vector<TextChange> blockEdits(const std::vector<LaunchSite> &sites, const BlockShape &block);

// The edit that gives a kernel launch_bounds, in place of those that it has; empty text takes these
// away. Nothing if its head cannot be read.
std::optional<TextChange> boundsEdit(const Analysis &analysis, const Document &document,
                                     const KernelInfo &kernel, const std::string &bounds);

} // namespace cufc
#endif // CUFLS_IDE_LAUNCH_EDITS_H
