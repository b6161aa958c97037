// Analyses of a whole project in a process of its own, which can be ended at any time: what it has
// found is in the cache, so the next one goes on from there.
#ifndef CUFLS_HOST_INDEXER_H
#define CUFLS_HOST_INDEXER_H

#include "service/check_project.h"
#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <functional>
#include <memory>

namespace cufc {

class Indexer {
public:
  struct Found {
    size_t source = 0; // of the project
    bool cached = false;
    Analysis analysis;
    std::vector<ModuleFile> modules;  // that it defines
    std::vector<std::string> outside; // files on which it depends: service/outside_files.h
  };
  struct Work {
    Project project;
    std::vector<std::vector<size_t>> stages; // sources that are wanted first, then others
    ProjectCheckOptions options;             // `moduleDirectory` and `finished` do not count
    std::string cacheFolder;
  };

  Indexer(asio::io_context &loop, std::function<void(Found)> found,
          std::function<void(bool complete)> ended)
      : loop(loop), found(std::move(found)), ended(std::move(ended)) {}
  ~Indexer() { cancel(); }
  Indexer(const Indexer &) = delete;
  Indexer &operator=(const Indexer &) = delete;

  // Ends what runs and starts anew. A source is given once for each start.
  void start(const Work &work);
  void cancel(); // `ended` is not called
  bool running() const { return process > 0; }

private:
  void read();
  void takeFrames();
  void finish();

  asio::io_context &loop;
  std::function<void(Found)> found;
  std::function<void(bool complete)> ended;
  std::shared_ptr<asio::posix::stream_descriptor> pipe;
  std::string buffer, bytes;
  pid_t process = -1;
};

} // namespace cufc
#endif // CUFLS_HOST_INDEXER_H
