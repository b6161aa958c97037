// Module files on their way from flang to where users of the modules look for them.
//
// flang writes a USE statement for each name that a module has from another one. A module that uses
// cudafor has 600 of them, and flang takes about 0.1 ms for each statement that names an intrinsic
// module, in every source that uses the module, even indirectly. So statements for the same module
// are made one, without a list where it would name everything, and other statements are joined too
// (fewer_statements.h).
#ifndef CUFC_FRONTEND_MODULE_FILES_H
#define CUFC_FRONTEND_MODULE_FILES_H

#include "base/diagnostics.h"
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace cufc {

// All names that a module exports, in the form of an ONLY list; nothing if that is not known.
using ExportsOf = std::function<std::set<std::string>(std::string_view module, bool intrinsic)>;

// The module file without its header, each run of USE statements with one statement for a module.
std::string withJoinedUses(std::string_view body, const ExportsOf &exports);

// The texts of module files that were written together, by their names, in their final form: as
// above, with checksums to match, those of modules that they use among them included. A text that
// does not look like one of flang's stays as it is.
// With `partial` they say that they lack something (partial_mark.h).
std::map<std::string, std::string> finalModuleFiles(std::map<std::string, std::string> files,
                                                    const ExportsOf &exports, bool partial = false);

// A module file with this text.
std::string moduleFileOf(std::string_view text);

// A folder for flang to write into, and from there, in the final form, to `directory`, where no
// file is touched that has the right content and no reader sees a part of one.
class ModuleOutbox {
public:
  // `folder` is made and, at the end, removed.
  explicit ModuleOutbox(std::string folder);
  ~ModuleOutbox();
  ModuleOutbox(const ModuleOutbox &) = delete;
  ModuleOutbox &operator=(const ModuleOutbox &) = delete;

  const std::string &path() const { return folder; }
  // False if a file could not be written, which is reported.
  bool publish(const std::string &directory, const ExportsOf &exports, bool partial,
               Diagnostics &diagnostics) const;

private:
  std::string folder;
};

} // namespace cufc
#endif // CUFC_FRONTEND_MODULE_FILES_H
