// Sources that depend on files which no client tells of (outside_watch.h): they are analysed again
// when such a file changes.
#ifndef CUFLS_HOST_OUTSIDE_SOURCES_H
#define CUFLS_HOST_OUTSIDE_SOURCES_H

#include "host/outside_watch.h"
#include <chrono>

namespace cufc {

class Host;

class OutsideSources {
public:
  explicit OutsideSources(Host &host);

  // An open file's analysis begins; it has come as a whole; nobody wants it any more.
  void begun(const std::string &path);
  void noteSoon(const std::string &path);
  void forget(const std::string &path) { analysedSince.erase(path); }
  // Modules from outside that an open file uses may have changed.
  void viewsChanged(const std::string &path) { viewsDue.insert(path); }
  // On which files a source depends that is not open: the index says it.
  void set(const std::string &path, const std::vector<std::string> &files) {
    watch.set(path, files);
  }

private:
  bool note(const std::string &path, std::chrono::system_clock::time_point begin);
  void changed(const std::set<std::string> &sources);

  Host &host;
  // Open files whose files from outside have to be noted, since when they are analysed.
  std::map<std::string, std::chrono::system_clock::time_point> analysedSince, due;
  std::set<std::string> viewsDue; // open files whose modules from outside may have changed
  asio::steady_timer timer;
  OutsideWatch watch;
};

} // namespace cufc
#endif // CUFLS_HOST_OUTSIDE_SOURCES_H
