// Breakpoints of the client: at lines, procedures, data, and what counts as an exception. gdb holds
// them; what gdb cannot decide is decided here when one is hit.
#ifndef CUFLS_DEBUG_BREAKPOINTS_H
#define CUFLS_DEBUG_BREAKPOINTS_H

#include "debug/launch.h"
#include "debug/variables.h"
#include <set>

namespace cufc::debug {

std::string textOf(const Json &object, const char *name); // empty where it is no text

class Breakpoints {
public:
  Breakpoints(MiConnection &gdb, KernelModel &kernels, Variables &variables)
      : gdb(gdb), kernels(kernels), variables(variables) {}

  // Each takes the protocol's list, which replaces the earlier one, and returns what became of it.
  Json setInSource(const std::string &path, const Json &list);
  Json setAtProcedures(const Json &list);
  Json setAtData(const Json &list);
  // Of the names of filters that are on.
  Json setExceptions(const std::vector<std::string> &filters);

  // How data is watched.
  struct Watching {
    bool bySteps = false;     // one instruction after the other, without debug registers
    bool isForbidden = false; // because the client wants it
    int hostThreads = 1;      // as the launch has it
  };
  void setWatching(const Watching &how) { watching = how; }
  // Whether the program is executed so now: some data is watched.
  bool watchesBySteps() const;
  // What a user should know of that.
  std::string watchingNote() const;

  // Whether faults stop outside of signals' own stops.
  bool catchesFaults() const { return !faultCatcher.empty(); }

  // The data of an expression that a breakpoint can watch; a null `dataId` with a reason if none.
  Json dataOf(const FrameContext &context, const std::string &expression);

  bool isAtProcedure(const std::string &number);

  struct Hit {
    bool stops = true;
    int id = 0; // the client's, 0 if it is none of the client's
    bool isProcedure = false;
    std::string exception; // the filter
    std::string output;    // of a log point, or why a condition could not be decided
  };
  Hit hit(const std::string &number, const FrameContext &context);

private:
  struct HitCount {
    std::string sign; // empty: from that time on
    int64_t number = 0;
  };
  struct Breakpoint {
    int id = 0;
    std::string number;    // gdb's; empty if there is no such place
    std::string condition; // to be decided here
    HitCount count;
    std::string log;
    int64_t hits = 0;
    bool isProcedure = false;
  };

  static std::optional<HitCount> hitCountIn(const std::string &text);
  std::string describe(const Json &asked, Breakpoint &made);
  std::string whyNotWatched(const std::string &access);
  MiReply watch(const std::string &data, const std::string &kind);
  // Each says why it cannot, or nothing.
  std::string catchAt(const char *filter, const std::string &place);
  std::string catchFaults(bool isOn);
  std::string catchOtherFaults();
  std::string catchErrorStop();
  Json insert(const std::string &location, const Json &asked, bool isProcedure,
              std::vector<Breakpoint> &list);
  void remove(std::vector<Breakpoint> &list);
  Breakpoint *find(const std::string &number);
  bool countAllows(Breakpoint &breakpoint) const;
  std::string interpolate(const std::string &text, const FrameContext &context);
  std::string valueOf(const FrameContext &context, const std::string &expression,
                      std::string &problem);

  MiConnection &gdb;
  KernelModel &kernels;
  Variables &variables;
  std::map<std::string, std::vector<Breakpoint>> inSource;
  std::vector<Breakpoint> procedures, data;
  std::map<std::string, std::string> exceptions; // gdb's numbers, and their filters
  std::string faultCatcher;                      // gdb's number
  Watching watching;
  int lastId = 0;
};

} // namespace cufc::debug
#endif // CUFLS_DEBUG_BREAKPOINTS_H
