// Which build a folder's flags come from, if the user has said so, and what make has answered. Kept
// on disk from one run to the next; make is asked once.
#ifndef CUFC_PROJECT_KEPT_FLAGS_H
#define CUFC_PROJECT_KEPT_FLAGS_H

#include "project/make_output.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cufc {

// A file that decides what the build does, as it was.
struct BuildFile {
  std::string path;
  int64_t size = -1, time = 0;
};
BuildFile buildFileNow(const std::string &path);

struct KeptFlags {
  std::string root;                   // the folder that was asked for
  std::string from;                   // make, cmake, fpm, compile_commands, or never
  std::string file;                   // what is read: makefile, build folder, manifest, database
  std::vector<std::string> arguments; // of make
  std::vector<BuildFile> files;       // that make has read
  std::vector<BuildCommand> commands; // of make

  // Whether one of the files has changed since.
  bool outdated() const;
};

// Of a folder, or of the nearest above it up to the one that holds .git. `cache` is the folder
// where they are kept; nothing is there if it is empty.
std::optional<KeptFlags> findKeptFlags(const std::string &cache, const std::string &folder);
// Of its root; errno says why it was not written.
bool keepFlags(const std::string &cache, const KeptFlags &flags);
void forgetFlags(const std::string &cache, const std::string &root);

} // namespace cufc
#endif // CUFC_PROJECT_KEPT_FLAGS_H
