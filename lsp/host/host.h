// The files of a workspace as somebody edits them: documents, their analyses, the projects they
// belong to with an index in the background, what kernels cost, and programs that are built and
// run.
//
// Knows no protocol: it takes and gives plain data, and says what happens to an observer. Runs in
// one thread, that of the event loop, and never runs flang, which is in processes of its own.
#ifndef CUFLS_HOST_HOST_H
#define CUFLS_HOST_HOST_H

#include "host/analyses.h"
#include "host/background_index.h"
#include "host/flag_notices.h"
#include "host/host_options.h"
#include "host/kernel_costs.h"
#include "host/measurements.h"
#include "host/module_users.h"
#include "host/module_views.h"
#include "host/observer.h"
#include "host/outside_sources.h"
#include "host/parts.h"
#include "host/projects.h"
#include "host/tasks.h"
#include "host/typing.h"
#include <asio/steady_timer.hpp>

namespace cufc {

// What users set for all projects.
struct HostSettings {
  std::vector<std::pair<std::string, std::string>> severities; // by code or group
  std::vector<std::string> flags;                              // of cufc, for all files
  std::uint64_t memoryLimit = defaultMemoryLimit;
  IndexLimits index;
  CostSettings costs;
};

struct HostStatus {
  enum class State { Idle, Analysing, Indexing } state = State::Idle;
  size_t openFiles = 0, sources = 0, indexed = 0;
  size_t restarts = 0;      // of the worker
  std::uint64_t memory = 0; // of all processes, in bytes
};

// A file on disk came, changed or went.
struct FileEvent {
  std::string path;
  enum class Kind { Created, Changed, Deleted } kind = Kind::Changed;
};

class Host {
public:
  // The observer must outlive this.
  Host(asio::io_context &loop, const HostOptions &options, HostObserver &observer);

  // Folders of the workspace, and settings. They count from the next `reload` on, or from `begin`.
  void setFolders(std::vector<std::string> folders);
  void setSettings(HostSettings settings);
  // Whether programs of the workspace may be run without asking.
  void setTrusted(bool isTrusted) { trusted = isTrusted; }
  bool isTrusted() const { return trusted; }
  // Loads the projects of the folders and begins to index them.
  void begin();
  // All projects are read again and the analyses of open files begin anew.
  void reload();
  // Nothing is begun any more.
  void stop();

  // A document is opened; edited by one or several changes in their order, each in the text that
  // the one before has left, and then `edited`; saved; closed.
  void open(const std::string &path, std::string text);
  void change(const std::string &path, TextChange change, bool wholeText);
  void edited(const std::string &path);
  void saved(const std::string &path);
  void close(const std::string &path);
  // A build has been asked for its flags, and has said them or not.
  void buildAnswered(const std::string &folder, bool found) { flagNotices.answered(folder, found); }
  // What others have done on disk.
  void filesChanged(const std::vector<FileEvent> &events);

  // Whether an analysis of the newest text is still to come.
  bool isAnalysing(const std::string &path) const;
  // All that is known to be wrong in a file; and what of it is to be shown while somebody types. If
  // more is to be shown later, the observer is told then.
  std::vector<Diagnostic> diagnosticsOf(const SourceFile &file);
  std::vector<Diagnostic> diagnosticsToShow(const SourceFile &file);
  HostStatus status();
  // Whether a file is open or belongs to a project; what nobody knows can be forgotten.
  bool knows(const std::string &path);
  void forget(const std::string &path) { workspace.remove(path); }

  Workspace workspace;
  Projects projects;
  const HostParts parts;
  Tasks tasks;
  KernelCosts costs;
  Measurements measurements;

private:
  friend class BackgroundIndex;
  friend class ModuleUsers;
  friend class OutsideSources;

  void analyse(const std::string &path);
  void takeKnownAnalysis(LoadedProject &project, const std::string &path);
  void analysed(const std::string &path, const Analysis &analysis, FileSession::Quality quality);
  void becomeCuda(const std::string &path);
  void workerDied();
  bool isNeeded(const LoadedProject &project, const std::string &path) const;
  void tellMistakes(const LoadedProject &project);
  void rescanOpenFiles();
  void showLater(const std::string &path);

  HostObserver &observer;
  asio::io_context &loop;
  bool running = true, trusted = false;
  std::set<std::string> openPaths;
  std::map<std::string, size_t> crashes; // of the newest text of a file
  std::set<std::string> known;           // open files as an earlier run has analysed them
  ModuleViews views;
  FlagNotices flagNotices;
  Typing typing;
  asio::steady_timer typingTimer;
  ModuleUsers users;
  OutsideSources outside;
  BackgroundIndex index;
  Analyses analyses;
};

} // namespace cufc
#endif // CUFLS_HOST_HOST_H
