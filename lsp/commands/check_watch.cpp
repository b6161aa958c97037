// `cufls check --watch`: a session for each file that was asked for, fed whenever the file is
// written.
//
// A change of a module's interface makes all files be checked again, of which the cache answers for
// those that do not use it.
#include "base/files.h"
#include "commands/check_run.h"
#include "commands/output.h"
#include "service/file_session.h"
#include "service/file_watch.h"
#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdio>
#include <set>
#include <sys/inotify.h>
#include <unistd.h>

namespace cufc {
namespace {

using Clock = std::chrono::steady_clock;

} // namespace

class Watch {
public:
  explicit Watch(CheckRun &run)
      : run(run), notifications(inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {}
  ~Watch() { close(notifications); }

  int serve() {
    if (!begin())
      return exitFailed;
    while (true) {
      std::vector<int> descriptors{notifications};
      if (outside.descriptor() >= 0)
        descriptors.push_back(outside.descriptor());
      worker->addDescriptors(descriptors);
      for (auto &[path, file] : files)
        file.session->addDescriptors(descriptors);
      waitFor(descriptors);
      readNotifications();
      readOutside();
      worker->advance();
      for (auto &[path, file] : files)
        file.session->advance();
      if (std::exchange(interfacesChanged, false))
        checkAll();
    }
  }

private:
  struct File {
    std::unique_ptr<FileSession> session;
    Clock::time_point saved;
    std::vector<ModuleInterface> interfaces;
    bool seen = false; // one whole analysis
  };

  bool begin() {
    for (const auto &[path, request] : run.requests()) {
      if (!worker)
        worker = Worker::start(request.front);
      if (!worker)
        return false;
      File &file = files[path];
      file.session = std::make_unique<FileSession>(
          *worker, request,
          [this, path = path](const Analysis &analysis, FileSession::Quality quality) {
            changed(path, analysis, quality);
          });
      watchFolder(directoryOf(path));
      update(path);
    }
    watchOutside();
    return true;
  }

  void watchFolder(const std::string &folder) {
    int id = inotify_add_watch(notifications, folder.c_str(), IN_CLOSE_WRITE | IN_MOVED_TO);
    if (id >= 0)
      folders[id] = folder;
  }

  void readNotifications() {
    alignas(inotify_event) char buffer[sizeof(inotify_event) + NAME_MAX + 1];
    std::set<std::string> written;
    for (ssize_t n; (n = read(notifications, buffer, sizeof buffer)) > 0;)
      for (ssize_t at = 0; at < n;) {
        const auto *event = reinterpret_cast<const inotify_event *>(buffer + at);
        if (event->len > 0)
          written.insert(folders[event->wd] + "/" + event->name);
        at += static_cast<ssize_t>(sizeof *event + event->len);
      }
    for (const std::string &path : written)
      if (files.count(path))
        update(path);
  }

  void watchOutside() {
    std::set<std::string> paths;
    for (const auto &[source, list] : run.outside)
      paths.insert(list.begin(), list.end());
    outside.watch(paths);
  }

  // Modules and included files from outside.
  void readOutside() {
    std::set<std::string> changed = outside.changed();
    if (changed.empty())
      return;
    interfacesChanged = true;
    for (auto &[path, file] : files)
      for (const std::string &used : run.outside[path])
        if (changed.count(used) != 0) {
          file.saved = Clock::now();
          file.session->modulesChanged();
          break;
        }
  }

  void update(const std::string &path) {
    File &file = files[path];
    std::string text;
    file.saved = Clock::now();
    if (readFile(path, text))
      file.session->update(std::move(text));
  }

  // The first whole analysis of each file says nothing new.
  void changed(const std::string &path, const Analysis &analysis, FileSession::Quality quality) {
    File &file = files[path];
    bool whole = quality == FileSession::Quality::Whole;
    if (file.seen)
      print(path, analysis, whole);
    if (!whole)
      return;
    bool isNew = !file.seen;
    interfacesChanged |= file.seen && !sameInterfaces(file.interfaces, analysis.interfaces);
    file.interfaces = analysis.interfaces;
    file.seen = true;
    auto isSeen = [](const auto &entry) { return entry.second.seen; };
    if (isNew && std::all_of(files.begin(), files.end(), isSeen)) {
      std::printf("watching %zu %s\n", files.size(), files.size() == 1 ? "file" : "files");
      std::fflush(stdout);
    }
  }

  void print(const std::string &path, const Analysis &analysis, bool whole) const {
    std::vector<Diagnostic> list = run.shown(path, analysis);
    double milliseconds =
        std::chrono::duration<double, std::milli>(Clock::now() - files.at(path).saved).count();
    printDiagnostics(list, run.format, {}, {path});
    std::printf("%s: %zu %s, %s after %.1f ms\n", path.c_str(), list.size(),
                list.size() == 1 ? "message" : "messages", whole ? "whole file" : "procedure",
                milliseconds);
    std::fflush(stdout);
  }

  void checkAll() {
    Diagnostics diagnostics;
    std::vector<Diagnostic> list = run.check(diagnostics);
    list.insert(list.begin(), diagnostics.list().begin(), diagnostics.list().end());
    watchOutside();
    printDiagnostics(list, run.format, {}, run.files());
    std::printf("%zu files analysed, %zu as before\n", run.analysed, run.cached);
    std::fflush(stdout);
  }

  CheckRun &run;
  const int notifications;
  FileWatch outside;
  std::map<int, std::string> folders; // by inotify's number
  std::unique_ptr<Worker> worker;
  std::map<std::string, File> files;
  bool interfacesChanged = false;
};

int CheckRun::watch() { return Watch(*this).serve(); }

} // namespace cufc
