// Analyses on disk, found by the hash of all that they depend on: the text, how it is read, the
// interfaces of the modules it uses, this version of the program.
//
// Several processes may use one cache. A damaged entry counts as none. Included files and modules
// from outside are not part of the hash, since they are known only after the analysis; an entry
// holds their hashes, and the names of files that were looked for and not there.
#ifndef CUFC_SERVICE_ANALYSIS_CACHE_H
#define CUFC_SERVICE_ANALYSIS_CACHE_H

#include "analysis/analysis.h"
#include <map>

namespace cufc {

// A module file: its name in the folder of modules, and its content.
using ModuleFile = std::pair<std::string, std::string>;

struct CachedAnalysis {
  Analysis analysis;
  std::vector<ModuleFile> modules; // that the source defines
  // On which the analysis depends beside the source: outside_files.h.
  std::vector<std::string> outside;
};

class AnalysisCache {
public:
  // An empty folder's name: nothing is kept.
  explicit AnalysisCache(std::string folder);

  std::optional<CachedAnalysis> find(const std::string &key) const;
  void store(const std::string &key, const CachedAnalysis &entry) const;

  // Removes what was not used for longest until the folder holds at most so many bytes.
  void prune(std::uint64_t mostBytes) const;

private:
  std::string pathOf(const std::string &key) const;
  const std::string &hashOf(const std::string &path) const;

  struct KnownFile {
    long long seconds = 0, nanoseconds = 0, bytes = 0;
    std::uint64_t number = 0; // of the file system
    std::string hash;         // empty if it is not there
  };
  std::string folder;
  mutable std::map<std::string, KnownFile> known; // one file serves many sources
};

} // namespace cufc
#endif // CUFC_SERVICE_ANALYSIS_CACHE_H
