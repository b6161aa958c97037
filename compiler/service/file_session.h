// One open file while it is edited: what is known of the latest text, soon and then exactly.
//
// After an edit that is confined to one procedure, the analysis of that procedure alone is merged
// into what was known; the whole file follows and has the last word. A newer text cancels what
// still runs for an older one. Results come while the owner calls `advance` of the session, which
// does not wait, so it serves an event loop and a command alike. Not thread-safe.
#ifndef CUFC_SERVICE_FILE_SESSION_H
#define CUFC_SERVICE_FILE_SESSION_H

#include "service/part.h"
#include "service/worker.h"

namespace cufc {

// Whether users of the modules see the same: equal names and hashes.
bool sameInterfaces(const std::vector<ModuleInterface> &a, const std::vector<ModuleInterface> &b);

class FileSession {
public:
  // The analysis of the newest text: brought up to date by that of one procedure, or whole.
  enum class Quality { Merged, Whole };
  // It may start another update, but not end the session.
  using Changed = std::function<void(const Analysis &, Quality)>;

  // The worker must outlive the session, whose owner calls its `advance` too. `request` names the
  // file and how it is read; its text is ignored.
  FileSession(Worker &worker, AnalysisRequest request, Changed changed);
  ~FileSession();
  FileSession(const FileSession &) = delete;
  FileSession &operator=(const FileSession &) = delete;

  // Starts to analyse a new text.
  void update(std::string text);
  // Modules that the file uses have changed.
  void modulesChanged();

  // The analysis of the newest text, or of an older one while the session is busy; null before the
  // first. It stays as it is when the session goes on.
  std::shared_ptr<const Analysis> latest() const { return analysis; }

  // Of the session's own worker, as those of Worker.
  void addDescriptors(std::vector<int> &descriptors) const;
  void advance();
  bool busy() const { return wholeId != 0 || partId != 0; }

  // Bytes that `release` would give back: the next edit then needs an analysis of the whole text.
  std::uint64_t memory() const { return snapshot ? snapshot->memory() : 0; }
  void release();

private:
  bool startPart();
  void startWhole();
  void finishPart(const Part &part, const Analysis &found);
  void finishWhole(Analysis found);
  void stop();
  bool canAnswerParts() const;
  void setUnits();

  Worker &worker;
  AnalysisRequest request;
  Changed changed;
  std::unique_ptr<Worker> snapshot; // keeps the modules of the file loaded, and those it uses
  std::vector<ModuleInterface> interfaces; // of the file's modules, as `snapshot` holds them
  std::string text;                        // the newest
  std::string known;                       // the text of `analysis`
  std::vector<ProgramUnit> units;          // of `known`
  std::shared_ptr<const Analysis> analysis;
  bool broken = false;              // statements of `known` were left out, ...
  std::optional<size_t> brokenUnit; // ... all of one unit, or nobody knows
  std::uint32_t wholeId = 0, partId = 0;
};

} // namespace cufc
#endif // CUFC_SERVICE_FILE_SESSION_H
