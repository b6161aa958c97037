// What a host tells whoever it works for: a session of the protocol, or a test.
//
// All functions are called in the host's thread, also from within the host's own functions. They
// may ask the host anything and must not throw.
#ifndef CUFLS_HOST_OBSERVER_H
#define CUFLS_HOST_OBSERVER_H

#include "base/diagnostics.h"
#include "host/child_program.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cufc {

// A remark for the user.
struct HostMessage {
  Severity severity = Severity::Information;
  std::string text;
  bool shown = true; // at once; otherwise it is for a log that can be looked at
};

// A question with answers to choose from.
struct HostQuestion {
  Severity severity = Severity::Information;
  std::string text;
  std::vector<std::string> choices;
  using Answered = std::function<void(const std::string &choice)>; // empty: none of them
};

// The index of a project's files while it is made.
struct IndexProgress {
  std::string folder; // of the project
  enum class Stage { Begun, Goes, Ended } stage = Stage::Begun;
  size_t indexed = 0, sources = 0;
};

enum class TaskKind { Build, Run, FindFlags };

// A task that runs.
struct TaskInfo {
  int number = 0;
  TaskKind kind = TaskKind::Build;
  std::string path;   // what it was started for
  std::string folder; // in which it runs
};

class HostObserver {
public:
  virtual ~HostObserver() = default;

  // What is to be said of a file, by `Host::shownDiagnostics`, may be something else now.
  virtual void diagnosticsChanged(const std::string &path) = 0;
  // Of a file that the host does not know any more.
  virtual void diagnosticsGone(const std::string &path) = 0;
  // The mistakes in a project's file itself.
  virtual void projectFileRead(const std::string &file,
                               const std::vector<Diagnostic> &mistakes) = 0;
  // Projects have been read again. What was said of files that the host does not know
  // (`Host::knows`) should be taken back.
  virtual void projectsReloaded() = 0;
  // A file's analysis has come, or nobody waits for it any more.
  virtual void analysesAdvanced() = 0;
  // What open files mean may be different now, although their texts are as they were.
  virtual void meaningChanged() = 0;
  // New costs of kernels are there for an open file.
  virtual void costsChanged(const std::string &path) = 0;
  // A run has measured times (Host::measurements).
  virtual void timesMeasured() = 0;
  virtual void statusChanged() = 0;
  virtual void indexProgressed(const IndexProgress &progress) = 0;

  virtual void taskBegan(const TaskInfo &task) = 0;
  virtual void taskPrinted(const TaskInfo &task, ChildProgram::Stream stream,
                           std::string_view text) = 0;
  virtual void taskEnded(const TaskInfo &task, bool good) = 0;

  virtual void say(const HostMessage &message) = 0;
  // `answered` is called once, unless the host ends before.
  virtual void ask(const HostQuestion &question, HostQuestion::Answered answered) = 0;
  // For people who look for what went wrong.
  virtual void log(std::string_view text) = 0;
};

} // namespace cufc
#endif // CUFLS_HOST_OBSERVER_H
