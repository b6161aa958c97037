// Whether the edits of code actions compile: the texts that they make are analysed beside the open
// files before an editor gets them.
//
// Files are analysed one after the other, that of the action first, with the modules that they make
// in a folder of their own. An error counts if the text as it is does not have it.
#ifndef CUFLS_HOST_ACTION_CHECK_H
#define CUFLS_HOST_ACTION_CHECK_H

#include "base/files.h"
#include "host/parts.h"
#include "ide/actions/action.h"
#include "service/request.h"
#include <functional>
#include <memory>

namespace cufc {

class ActionCheck {
public:
  // Called once for each action: the first new error in words, or "".
  using Done = std::function<void(const std::vector<std::string> &problems)>;
  // `path` is the file in which the actions were asked for.
  static void start(const HostParts &parts, const std::string &path,
                    std::vector<CodeAction> actions, Done done);

private:
  struct Job {
    size_t action;
    std::string path;  // of the file
    std::string known; // as it is called now
    std::string text;  // empty: as it is, for the errors that it has
  };
  using Errors = std::map<std::string, int>;

  ActionCheck(const HostParts &parts, Done done) : parts(parts), done(std::move(done)) {}
  void next(const std::shared_ptr<ActionCheck> &self);
  void take(const Job &job, const Analysis &analysis);
  AnalysisRequest requestFor(const Job &job) const;

  HostParts parts;
  Done done;
  std::vector<Job> jobs;
  size_t at = 0;
  TemporaryFolder scratch;
  std::map<std::string, Errors> before;
  std::vector<std::string> problems;
};

} // namespace cufc
#endif // CUFLS_HOST_ACTION_CHECK_H
