// Which diagnostics are kept back while somebody types: what follows only from a statement that is
// not finished, or from a block that is not, would come and go with each key.
//
// An edit of a few characters, or a line's end, counts as typing. While it goes on
//  - nothing new is said of the statement at the cursor;
//  - what is new elsewhere is said once the typist has gone on to another statement;
//  - an END that is missing behind the cursor, and what is only advice about the procedure at the
//    cursor, wait until the file is saved, or for a long pause.
// After a pause all of the first two is said. Nothing is kept back that was shown already.
#ifndef CUFLS_HOST_TYPING_H
#define CUFLS_HOST_TYPING_H

#include "base/diagnostics.h"
#include "index/workspace.h"
#include <chrono>
#include <map>
#include <set>

namespace cufc {

class Typing {
public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds pause{1000}, longPause{4000};

  void edited(const std::string &path, const TextChange &change, bool wholeText,
              Clock::time_point now);
  // Saved: nothing is kept back.
  void pauses(const std::string &path) { files[path].typing = false; }
  void forget(const std::string &path) { files.erase(path); }

  // Those that are to be shown, of a file's newest analysis.
  std::vector<Diagnostic> shown(const SourceFile &file, std::vector<Diagnostic> all,
                                Clock::time_point now);
  // When more of a file may have to be said, if anything was kept back.
  std::optional<Clock::time_point> due(const std::string &path) const;

private:
  struct File {
    bool typing = false;
    Clock::time_point last;             // edit
    TextPosition cursor;                // behind it
    int statement = 0;                  // line in which the statement at the cursor begins
    std::set<std::string> said;         // what is shown, or was since the typing began
    std::map<std::string, int> waiting; // and what is not, since which statement
    bool heldShort = false, heldLong = false;
  };
  bool isHeld(File &state, const SourceFile &file, const Diagnostic &diagnostic,
              const std::string &key, std::chrono::milliseconds since) const;

  std::map<std::string, File> files;
};

} // namespace cufc
#endif // CUFLS_HOST_TYPING_H
