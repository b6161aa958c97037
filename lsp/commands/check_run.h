// What `cufls check` does once, and what it does again while it watches.
#ifndef CUFLS_COMMANDS_CHECK_RUN_H
#define CUFLS_COMMANDS_CHECK_RUN_H

#include "base/diagnostic_settings.h"
#include "base/files.h"
#include "commands/commands.h"
#include "project/source_finder.h"
#include "service/check_project.h"
#include "service/measure_kernels.h"

namespace cufc {

class CheckRun {
public:
  // `flags` of cufc apply to all sources.
  explicit CheckRun(Arguments flags);

  // A file or folder; reports what is not there.
  void add(const std::string &path, Diagnostics &diagnostics);
  // These count before what projects say.
  void setSeverity(const std::string &key, const std::string &severity, Diagnostics &diagnostics);
  void makeWarningsErrors() { warningsAreErrors = true; }

  // What is to be shown of the files that were asked for, in the order of their paths. What is
  // wrong with projects goes to `diagnostics`.
  std::vector<Diagnostic> check(Diagnostics &diagnostics);

  // The files that were asked for have changed: which modules they define and use is read again.
  void readAgain();

  // Texts that files have from now on instead of what lies on disk, and files that are called
  // otherwise; free form if the new name says so.
  void setTexts(const std::map<std::string, std::string> &texts,
                const std::map<std::string, std::string> &renamed);

  // Checks again whenever a file changes and prints what is found as text, until it is interrupted;
  // the exit status.
  int watch();

  std::vector<std::string> files() const;

  // By path, for the files that were asked for, after a check.
  std::map<std::string, AnalysisRequest> requests() const;
  // What is to be shown of an analysis of one of them.
  std::vector<Diagnostic> shown(const std::string &path, const Analysis &analysis) const;

  // With `keepAnalyses`: what a check has found of the files that were asked for.
  struct Kept {
    std::string path;
    Analysis analysis;
    CostRequest request; // for the first GPU of its options, or 0
  };
  const std::vector<Kept> &kept() const { return analyses; }
  // What is to be shown of these files, with further diagnostics of them.
  std::vector<Diagnostic> shownWith(const std::vector<Diagnostic> &more) const;

  size_t jobs;
  bool useCache = true;
  bool watching = false;     // a call of `watch` follows
  bool keepAnalyses = false; // for what comes after a check; module files stay too
  DiagnosticFormat format = DiagnosticFormat::Text; // of `watch`
  size_t analysed = 0, cached = 0;                  // files, at the last check
  // After a check: the files from outside on which each source depends, by its path
  // (service/outside_files.h).
  std::map<std::string, std::vector<std::string>> outside;

private:
  struct Part { // of one project
    Project project;
    std::vector<size_t> wanted;
    std::string modules; // the folder of its module files
  };
  // Of a folder that was asked for as a whole, or of a file in it.
  Part &partOf(const std::string &path, bool whole, Diagnostics &diagnostics);
  void addSource(Part &part, const std::string &path, bool asked);
  void addNeeded(Part &part);
  std::string keptScans() const; // where scans are kept
  DiagnosticSettings settingsOf(const Project &project, Diagnostics &diagnostics) const;
  void keep(const ProjectSource &source, const CheckedSource &checked);
  void sayMissingFlags(const Part &part, const std::map<size_t, CheckedSource> &checked,
                       Diagnostics &diagnostics) const;
  void checkPart(Part &part, std::vector<Diagnostic> &found, Diagnostics &diagnostics);

  Arguments flags;
  std::vector<std::pair<std::string, std::string>> severities; // of the command line
  bool warningsAreErrors = false;
  ProjectCheckOptions options;
  TemporaryFolder scratch;
  std::vector<Kept> analyses;
  std::map<std::string, Part> parts; // by the project's file; "" has all files of no project
  std::map<std::pair<std::string, bool>, Part *> partsOfFolders;
  std::optional<SourceFinder> finder;
};

// Where analyses are kept: $XDG_CACHE_HOME/cufls or ~/.cache/cufls; empty if there is no home.
std::string cacheFolder();

} // namespace cufc
#endif // CUFLS_COMMANDS_CHECK_RUN_H
