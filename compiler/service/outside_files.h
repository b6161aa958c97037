// The files outside of a project's sources on which an analysis depends: what it includes and the
// modules it uses that no source defines, with the places where a file that is not there would be
// found or would come first.
//
// An analysis stays true as long as each of these files is as it was, or still not there.
#ifndef CUFC_SERVICE_OUTSIDE_FILES_H
#define CUFC_SERVICE_OUTSIDE_FILES_H

#include "frontend/program.h"
#include <chrono>
#include <string>
#include <vector>

namespace cufc {

// `text` is the source's, which may have changed since the file was written; `modules` are those
// that it is known to use beside those of its own statements. Files in `ownFolder`, with the
// modules of the project's sources, do not count.
std::vector<std::string> outsideFiles(const FrontendOptions &front, const std::string &text,
                                      const std::vector<std::string> &modules,
                                      const std::string &ownFolder);

// The time that a file would get that changes now: file systems take a clock with steps of some
// milliseconds.
std::chrono::system_clock::time_point fileTimeNow();

// Whether none of these files can have come, gone or changed since a time of `fileTimeNow`, by the
// times of the files and of the folders in which they would be.
bool areUnchangedSince(const std::vector<std::string> &files,
                       std::chrono::system_clock::time_point begin);

} // namespace cufc
#endif // CUFC_SERVICE_OUTSIDE_FILES_H
