// Tells the user once a project that its build may know flags which its files lack, and has the
// build asked when the user agrees. Nothing is run in a workspace that is not trusted.
#ifndef CUFLS_HOST_FLAG_NOTICES_H
#define CUFLS_HOST_FLAG_NOTICES_H

#include "service/missing_flags.h"
#include <set>
#include <string>

namespace cufc {

class Host;
struct LoadedProject;

class FlagNotices {
public:
  explicit FlagNotices(Host &host) : host(host) {}

  // All files of a project have been analysed.
  void indexed(const LoadedProject &project);
  // A build has been asked.
  void answered(const std::string &folder, bool found);
  // One that gave no answer may now.
  void buildChanged() { silent.clear(); }
  // Files by whose names one knows that they belong to a build.
  static bool isBuildFile(const std::string &path);

private:
  MissingFlags lacking(const LoadedProject &project) const;
  void offer(const std::string &folder, const std::string &message);
  void ask(const std::string &folder, const std::string &from);

  Host &host;
  std::set<std::string> offered, silent; // folders; whose build gave no answer
};

} // namespace cufc
#endif // CUFLS_HOST_FLAG_NOTICES_H
