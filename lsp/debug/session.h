// A debugging session: a client of the Debug Adapter Protocol, a program under gdb, and what each
// asks of the other.
//
// One thread waits for the client, gdb and the program's output. A request is answered before the
// next is read; what it asks of gdb is waited for. Texts of the protocol are in `dispatch`.
#ifndef CUFLS_DEBUG_SESSION_H
#define CUFLS_DEBUG_SESSION_H

#include "debug/breakpoints.h"
#include "debug/dap_client.h"
#include "debug/launch.h"
#include "debug/stepping.h"

namespace cufc::debug {

struct SessionSettings {
  std::string cufls;   // this program, for builds
  std::string logFile; // empty for none
};

class Session {
public:
  Session(int input, int output, SessionSettings settings);

  // Until the client leaves.
  void run();

private:
  // What a request is answered with: a body, or why it is not done.
  struct Answer {
    Json body;
    std::string problem;
  };
  struct Method {
    const char *name;
    Answer (Session::*handle)(const Json &arguments);
    bool needsStop; // is refused while the program runs
  };
  static const std::vector<Method> &methods();

  void dispatch(const Json &request);
  Answer call(const Method &method, const Json &arguments);
  void poll();

  // session.cpp: begin and end
  Answer initialize(const Json &arguments);
  Answer attach(const Json &arguments);
  Answer launch(const Json &arguments);
  Answer configurationDone(const Json &arguments);
  Answer disconnect(const Json &arguments);
  Answer terminate(const Json &arguments);
  void breakAtEntry();
  void programEnded(const MiValue &stop);
  void output(const char *category, std::string_view text);

  // session_run.cpp: breakpoints, going on, stops
  Answer setBreakpoints(const Json &arguments);
  Answer setFunctionBreakpoints(const Json &arguments);
  Answer setExceptionBreakpoints(const Json &arguments);
  Answer setDataBreakpoints(const Json &arguments);
  Answer continueAll(const Json &arguments);
  Answer next(const Json &arguments);
  Answer stepIn(const Json &arguments);
  Answer stepOut(const Json &arguments);
  Answer pause(const Json &arguments);
  Answer nextBarrier(const Json &arguments);
  Answer step(Step kind, const Json &arguments);
  template <typename Change>
  Answer whileStopped(Change change);
  bool interrupt();
  std::string letRun(); // why it does not, or nothing
  void goOn();
  void doesNotGoOn(const std::string &why);
  void takeEvents();
  void threadChanged(bool isNew, int64_t number);
  void stopped(const MiValue &stop);
  void stoppedAtBreakpoint(const MiValue &stop);
  bool isBackInProcedure(const MiValue &stop);
  void stoppedBySignal(const std::string &name, const MiValue &stop,
                       const std::string &faultAddress = "$_siginfo._sifields._sigfault.si_addr");
  void tellStop(const char *reason, const MiValue &stop, Json more = Json::object());
  void findingAt(const MiValue &stop, const std::string &filter);

  // session_inspect.cpp: what there is to see
  Answer threads(const Json &arguments);
  Answer stackTrace(const Json &arguments);
  Answer scopes(const Json &arguments);
  Answer listVariables(const Json &arguments);
  Answer evaluate(const Json &arguments);
  Answer setVariable(const Json &arguments);
  Answer setExpression(const Json &arguments);
  Answer dataBreakpointInfo(const Json &arguments);
  Answer exceptionInfo(const Json &arguments);
  Answer source(const Json &arguments);
  FrameContext frameOf(const Json &arguments);
  FrameContext contextOf(int thread) const;
  SourceLine lineAt(const FrameContext &context);

  // console_commands.cpp: threads of a block
  Answer blockThreads(const Json &arguments);
  Answer selectThread(const Json &arguments);
  std::optional<Answer> consoleCommand(const std::string &text, const Json &arguments);
  std::string select(int thread, const std::optional<Index> &block, const Index &index);
  std::string selectOnDevice(KernelPosition position, const std::optional<Index> &block,
                             const Index &index);
  void noteDevice(const MiValue &stop);
  void tellThreadShown(int thread);
  std::string threadTable(int thread);
  void showWaiting();
  void noteWatching();

  SessionSettings settings;
  DapClient client;
  MiConnection gdb;
  ProgramStreams streams;
  ProcessMemory memory{gdb};
  KernelModel kernels{gdb, memory};
  ThreadFocus focus{gdb, kernels};
  Variables variables{gdb, kernels, focus};
  Breakpoints breakpoints{gdb, kernels, variables};
  Stepper stepper{gdb, kernels, focus, memory};

  LaunchOptions options;
  bool isRunning = false, hasBegun = false, hasEnded = false, isOver = false;
  bool pauseAsked = false;
  std::vector<MiRecord> heldStops;      // that came while we stopped the program for ourselves
  std::vector<FrameContext> frames;     // a frame's number is its place plus one
  std::map<int, FrameContext> selected; // threads of a block that are shown in a thread's place
  int stoppedThread = 1;
  std::string entryBreakpoint;
  std::string exceptionName, exceptionText;
  bool linesFromOne = true, hasNotedWatching = false;
  bool takesInvalidated = false; // the client knows the event `invalidated`
  std::FILE *log = nullptr;
};

} // namespace cufc::debug
#endif // CUFLS_DEBUG_SESSION_H
