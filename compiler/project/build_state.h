// What the last build left behind: for each source what its compilation read, wrote and said, and
// for each file the hash of its content together with the size, time and inode for which it holds,
// so that an unchanged file need not be read.
//
// The state only saves work: every claim is compared with the files before it is believed, so a
// state that is missing, old or damaged makes a build longer and never wrong.
#ifndef CUFC_PROJECT_BUILD_STATE_H
#define CUFC_PROJECT_BUILD_STATE_H

#include "project/content_hash.h"
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cufc {

struct FileStamp {
  int64_t size = -1; // -1: there is no such file
  int64_t time = 0;  // when it was written or came to this place, in nanoseconds
  uint64_t inode = 0;

  bool operator==(const FileStamp &) const = default;
};

FileStamp stampOf(const std::string &path);
// What tells a file of an installation from one that takes its place: other than a stamp, it stays
// when somebody makes a hard link to the file or changes its mode.
std::string installedAs(const std::string &path);
int64_t nanosecondsNow();
// By the clock that stamps come from, which ticks every few milliseconds: a file that is written
// from now on has no earlier time.
int64_t fileClockNow();
// A file that was written so shortly before it was looked at could change again without its stamp
// doing so.
bool isFresh(const FileStamp &stamp);

// Hashes of files. Within one build a file is looked at once, unless it is forgotten.
class FileHashes {
public:
  // Of nothing if the file cannot be read.
  ContentHash hash(const std::string &path);
  // After the file was written.
  void forget(const std::string &path) { looked.erase(path); }

  struct Entry {
    FileStamp stamp;
    ContentHash hash;
  };
  std::unordered_map<std::string, Entry> entries; // from this build and the last
  bool changed = false;                           // whether there are others than in the last

private:
  std::unordered_map<std::string, ContentHash> looked;
};

// One step of a build: the compilation of a source or the link of a target.
struct StepRecord {
  using Files = std::vector<std::pair<std::string, ContentHash>>;
  ContentHash command; // the arguments and the compiler
  Files inputs;        // the source first
  Files outputs;
  std::string messages; // what was printed, to be said again

  // Why the step must be done again: "src/a.cuf changed"; empty if it need not.
  std::string outdated(const ContentHash &current, FileHashes &files) const;
};

struct BuildState {
  FileHashes files;
  std::map<std::string, StepRecord> steps;

  // False if there is no usable state; then this one is empty.
  bool load(const std::string &path);
  // Replaces the file at once. Only files that a step names are kept.
  bool save(const std::string &path) const;
};

} // namespace cufc
#endif // CUFC_PROJECT_BUILD_STATE_H
