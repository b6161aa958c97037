// Folders of files that can be made again: what several processes keep there for later ones.
#ifndef CUFC_BASE_KEPT_FILES_H
#define CUFC_BASE_KEPT_FILES_H

#include <cstdint>
#include <string>
#include <string_view>

namespace cufc {

// Written beside its place and renamed, so that a reader sees all or nothing. False if that failed.
bool keepFile(const std::string &path, std::string_view data);

// Marks a file as used now, by which `pruneKeptFiles` goes.
void touchKeptFile(const std::string &path);

// Removes what was not used for longest until the folder holds at most so many bytes.
void pruneKeptFiles(const std::string &folder, std::uint64_t mostBytes);

} // namespace cufc
#endif // CUFC_BASE_KEPT_FILES_H
