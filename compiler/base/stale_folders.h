// Temporary folders of processes that were killed.
#ifndef CUFC_BASE_STALE_FOLDERS_H
#define CUFC_BASE_STALE_FOLDERS_H

#include <string>

namespace cufc {

// The begin of the name of this process's temporary folders: which machine, system start and
// process namespace, and which process, so that others know when nobody owns it any more.
std::string ownFolderPrefix();

// Removes such folders of this user whose process is gone; at most a few hundred at once.
void removeStaleFolders();

} // namespace cufc
#endif // CUFC_BASE_STALE_FOLDERS_H
