// Reading what others named: a name in a workspace may be a pipe that nobody writes, or a device
// without an end. Only files, folders and /dev/null are opened.
#ifndef CUFC_BASE_ORDINARY_FILES_H
#define CUFC_BASE_ORDINARY_FILES_H

#include <cstddef>
#include <string>

namespace cufc {

// More is no text that people write; whatever reads it would need a multiple of it in memory.
constexpr std::size_t mostFileBytes = std::size_t(512) << 20;

// A descriptor, or -1; errno says why. Never waits for another program.
int openOrdinary(const char *path);

// Why a file could not be read, by errno, in words for a message.
std::string readFailure();

} // namespace cufc
#endif // CUFC_BASE_ORDINARY_FILES_H
