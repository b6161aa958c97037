// A stock of flang programs is filled once; each fork takes from its own copy of it, so the stock
// never gets smaller. One analysis needs up to three programs, since a source may be analysed again
// with edits; the second and third are made while there is nothing else to do.
#include "service/worker_loop.h"
#include "base/files.h"
#include "base/stage.h"
#include "codegen/targets.h"
#include "frontend/program_stock.h"
#include "service/analyse_file.h"
#include "service/frames.h"
#include "service/measure_kernels.h"
#include "service/request.h"
#include "llvm/Target/TargetMachine.h"
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cufc {
namespace {

constexpr int programsOfOneAnalysis = 3;
constexpr int quietTime = 300;        // in ms: nobody types just now, who would have to wait
constexpr int backgroundPriority = 5; // as of nice(1)
constexpr rlim_t mostMemory = rlim_t(8) << 30; // addresses, of which the stack takes 1 GB

struct Fork {
  std::uint32_t id;
  pid_t pid;
  int handle; // pidfd
  StagePage stage;
};

// A path of a new file in memory that lives as long as the process.
std::string memoryFile() {
  return "/proc/self/fd/" + std::to_string(memfd_create("cufls", MFD_CLOEXEC));
}

// pidfd_open of glibc 2.36 has a header that C++ cannot use.
int openHandle(pid_t pid) { return static_cast<int>(syscall(SYS_pidfd_open, pid, 0)); }

void limitResources() {
  rlimit memory{mostMemory, mostMemory};
  setrlimit(RLIMIT_AS, &memory);
  rlimit time{analysisSeconds, analysisSeconds + 5};
  setrlimit(RLIMIT_CPU, &time);
  rlimit noCore{0, 0};
  setrlimit(RLIMIT_CORE, &noCore);
}

class WorkerLoop {
public:
  WorkerLoop(int socket, const FrontendOptions &defaults, std::vector<std::string> modules)
      : socket(socket), modules(std::move(modules)),
        scratch(defaults.scratchFile.empty() ? ownScratch.emplace().root()
                                             : directoryOf(defaults.scratchFile)),
        target(hostTarget(0)), stock(withScratch(defaults), *target) {}

  void run() {
    sendFrame(socket, {FrameKind::Started, 0, getpid(), {}, -1});
    fill();
    while (serve()) {
    }
    for (const Fork &child : forks)
      kill(child.pid, SIGKILL);
  }

private:
  static FrontendOptions withScratch(FrontendOptions options) {
    options.scratchFile = memoryFile();
    return options;
  }

  void fill() {
    stock.fill(modules);
    ++filled;
  }

  // Waits for one event; false at the end of the stream.
  bool serve() {
    std::vector<pollfd> wanted{{socket, POLLIN, 0}};
    for (const Fork &child : forks)
      wanted.push_back({child.handle, POLLIN, 0});
    bool idle = filled < programsOfOneAnalysis && forks.empty();
    int ready = poll(wanted.data(), wanted.size(), idle ? quietTime : -1);
    if (ready < 0)
      return errno == EINTR;
    if (ready == 0) {
      fill();
      return true;
    }
    for (size_t i = wanted.size(); i-- > 1;)
      if (wanted[i].revents)
        reap(i - 1);
    return !wanted[0].revents || receive();
  }

  bool receive() {
    Frame frame;
    if (!receiveFrame(socket, frame))
      return false;
    if (frame.kind == FrameKind::Cancel)
      cancel(frame.id);
    else
      start(frame);
    if (frame.file >= 0)
      close(frame.file);
    return true;
  }

  void cancel(std::uint32_t id) {
    for (const Fork &child : forks)
      if (child.id == id)
        kill(child.pid, SIGKILL);
  }

  void start(const Frame &frame) {
    StagePage stage;
    pid_t pid = fork();
    if (pid == 0) {
      close(socket);
      signal(SIGPIPE, SIG_DFL);
      stage.enter();
      perform(frame);
      _exit(0);
    }
    if (pid < 0)
      sendFrame(socket, {FrameKind::Ended, frame.id, 1 << 8, "before it began", -1});
    else
      forks.push_back({frame.id, pid, openHandle(pid), std::move(stage)});
  }

  // What came last from the fork is whole.
  static void giveLast(int file, const std::string &bytes) {
    std::uint64_t size = bytes.size() | lastResult;
    std::string_view head(reinterpret_cast<const char *>(&size), sizeof size);
    _exit(writeAll(file, head) && writeAll(file, bytes) ? 0 : 1);
  }

  // Nobody waits for it: others come first when the processor is short.
  void measure(const Frame &frame) {
    std::optional<CostRequest> request = costRequestFromBytes(frame.payload);
    if (!request)
      _exit(1);
    request->front.scratchFile = newScratchFile();
    limitResources();
    setpriority(PRIO_PROCESS, 0, backgroundPriority);
    giveLast(frame.file, toBytes(measureKernels(*request, &stock)));
  }

  void perform(const Frame &frame) {
    if (frame.kind == FrameKind::Measure)
      return measure(frame);
    std::optional<AnalysisRequest> request = requestFromBytes(frame.payload);
    if (!request)
      _exit(1);
    request->front.scratchFile = newScratchFile();
    if (frame.kind == FrameKind::Snapshot) {
      std::optional<std::string> names = std::exchange(request->front.text, std::nullopt);
      if (!names)
        _exit(1);
      return serveAnalyses(frame.file, request->front, lines(*names));
    }
    limitResources();
    if (request->background)
      setpriority(PRIO_PROCESS, 0, backgroundPriority);
    analyseFile(request->front, request->checks, &stock, [&](const std::string &bytes, bool last) {
      std::uint64_t size = bytes.size() | (last ? lastResult : 0);
      std::string_view head(reinterpret_cast<const char *>(&size), sizeof size);
      if (!writeAll(frame.file, head) || !writeAll(frame.file, bytes))
        _exit(1);
      if (last)
        _exit(0);
    });
  }

  // The folder of a fork, which may be killed at any time.
  std::string scratchOf(pid_t fork) const { return scratch + "/" + std::to_string(fork); }

  std::string newScratchFile() const {
    std::string folder = scratchOf(getpid());
    std::error_code ignored; // an error shows when the file is written
    std::filesystem::create_directories(folder, ignored);
    return folder + "/source";
  }

  static std::vector<std::string> lines(const std::string &text) {
    std::vector<std::string> result;
    for (size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos;
         begin = end + 1)
      result.push_back(text.substr(begin, end - begin));
    return result;
  }

  void reap(size_t index) {
    Fork child = std::move(forks[index]);
    forks.erase(forks.begin() + static_cast<long>(index));
    int status = 0;
    while (waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
    }
    close(child.handle);
    std::error_code ignored;
    std::filesystem::remove_all(scratchOf(child.pid), ignored);
    if (child.id != 0) // not a snapshot
      sendFrame(socket, {FrameKind::Ended, child.id, status, child.stage.name(), -1});
  }

  const int socket;
  const std::vector<std::string> modules;
  std::optional<TemporaryFolder> ownScratch; // a snapshot has the folder of its fork
  const std::string scratch;
  const std::unique_ptr<llvm::TargetMachine> target;
  ProgramStock stock;
  int filled = 0;
  std::vector<Fork> forks;
};

} // namespace

void serveAnalyses(int socket, const FrontendOptions &defaults,
                   const std::vector<std::string> &modules) {
  // What flang prints of its own accord is no message to anybody.
  int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    dup2(nowhere, standard);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGINT, SIG_IGN); // of the terminal; the caller decides
  WorkerLoop(socket, defaults, modules).run();
}

} // namespace cufc
