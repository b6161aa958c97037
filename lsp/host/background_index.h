// The index of the projects: analyses of all their files, made in the background by a process for
// each project, those that open files wait for first. It pauses while somebody types.
#ifndef CUFLS_HOST_BACKGROUND_INDEX_H
#define CUFLS_HOST_BACKGROUND_INDEX_H

#include "host/folder_scan.h"
#include "host/indexer.h"
#include "host/observer.h"
#include <asio/steady_timer.hpp>
#include <set>

namespace cufc {

class Host;
struct LoadedProject;

// Beyond them only what open files need is analysed; 0: no limit.
struct IndexLimits {
  std::uint64_t megabytes = 1024, seconds = 1200;
};

class BackgroundIndex {
public:
  explicit BackgroundIndex(Host &host);

  void setLimits(const IndexLimits &given) { limits = given; }
  // A project's index begins anew, now or after some time for those that are stale.
  void start(LoadedProject &project);
  void schedule(int milliseconds);
  // Whoever types needs the processor more; what has been found so far is kept.
  void pause();
  // The projects are about to be forgotten.
  void endAll();

  // An open file whose modules have to be made first.
  void waitFor(const std::string &path) { waitingForModules.insert(path); }
  void dontWait(const std::string &path) { waitingForModules.erase(path); }
  bool isWaiting(const std::string &path) const { return waitingForModules.contains(path); }
  bool anyWaiting() const { return !waitingForModules.empty(); }
  // Whether a folder is being looked through.
  bool isScanning() const { return folderScan.running(); }

private:
  bool isInTheWay() const;
  void indexWhatIsStale();
  std::vector<size_t> nearestFirst(const LoadedProject &project) const;
  void keepToLimits(LoadedProject &project);
  void scanFolders();
  void folderScanned(const std::string &folder, FolderScan::Result result);
  void found(LoadedProject &project, const Indexer::Found &one);
  bool isTriedAgain(LoadedProject &project, const Indexer::Found &one) const;
  void ended(LoadedProject &project, bool complete);
  void progress(const LoadedProject &project, IndexProgress::Stage stage);

  Host &host;
  IndexLimits limits;
  std::set<std::string> waitingForModules; // open files whose modules are made
  asio::steady_timer timer;
  FolderScan folderScan;
  size_t scanDeaths = 0; // one after the other
};

} // namespace cufc
#endif // CUFLS_HOST_BACKGROUND_INDEX_H
