// See check_programs.h. A program is built and run by `cufls run --check`, as in a terminal; what
// is said there is read from its standard error, and is shown there too.
#include "commands/check_programs.h"
#include "base/diag.h"
#include "base/runs_diag.h"
#include "occupancy/report.h"
#include "project/run_messages.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace cufc {
namespace {

// Runs this program with standard output where errors go, so that ours has the diagnostics alone.
// The status of waitpid, or nothing with errno set. What is said on standard error is in `errors`.
std::optional<int> runSelf(const Arguments &arguments, std::string &errors) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return std::nullopt;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  std::vector<char *> argv{const_cast<char *>("cufls")};
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  int failed = posix_spawn(&child, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  char text[4096];
  ssize_t length = 0;
  while (failed == 0 &&
         ((length = read(ends[0], text, sizeof text)) > 0 || (length < 0 && errno == EINTR)))
    if (length > 0) {
      errors.append(text, static_cast<size_t>(length));
      if (write(STDERR_FILENO, text, static_cast<size_t>(length)) < 0)
        continue; // nobody listens; the findings are what counts
    }
  close(ends[0]);
  int status = 0;
  while (failed == 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  errno = failed;
  return failed == 0 ? std::optional(status) : std::nullopt;
}

std::string endOf(int status) {
  if (WIFSIGNALED(status))
    return std::string("signal ") + sigabbrev_np(WTERMSIG(status));
  return "exit status " + std::to_string(WEXITSTATUS(status));
}

// A message that names a kernel alone stands at the kernel's name.
void placeAtKernel(const CheckRun &run, Diagnostic &found) {
  constexpr std::string_view begin = "kernel ";
  if (!found.range.file.empty() || !found.message.starts_with(begin))
    return;
  std::string name = found.message.substr(begin.size());
  name.resize(std::min(name.find(' '), name.size()));
  for (const CheckRun::Kept &file : run.kept())
    for (const KernelInfo &kernel : file.analysis.kernels)
      if (kernel.symbol >= 0 && qualifiedName(file.analysis, kernel.symbol) == name)
        found.range =
            rangeIn(file.path, file.analysis.symbols[static_cast<size_t>(kernel.symbol)].declared);
}

// False if it could not be run.
bool runOne(const std::string &program, const ProgramRuns &wish, std::vector<Diagnostic> &found,
            Diagnostics &diagnostics) {
  Arguments arguments{"run", "--check"};
  if (wish.jobs > 0)
    arguments.push_back("-j" + std::to_string(wish.jobs));
  if (!program.empty())
    arguments.push_back(program);
  arguments.push_back("--");
  arguments.insert(arguments.end(), wish.arguments.begin(), wish.arguments.end());
  std::string errors;
  std::optional<int> status = runSelf(arguments, errors);
  std::string name = program.empty() ? "the program" : program;
  if (!status) {
    diagnostics.report(Diag::CannotRun, {}, name, std::strerror(errno));
    return false;
  }
  RunMessages messages(absolutePath("."));
  messages.takeText(errors);
  std::vector<Diagnostic> said = messages.diagnostics();
  bool explained = std::any_of(said.begin(), said.end(),
                               [](const Diagnostic &d) { return d.severity == Severity::Error; });
  std::move(said.begin(), said.end(), std::back_inserter(found));
  if (*status != 0 && !explained) {
    Diagnostics failure;
    failure.report(RunsDiag::ProgramFailed, {}, name, endOf(*status));
    found.push_back(failure.list().front());
  }
  return true;
}

bool isIn(const std::vector<std::string> &files, const Diagnostic &diagnostic) {
  return std::find(files.begin(), files.end(), diagnostic.range.file) != files.end();
}

} // namespace

bool checkPrograms(const CheckRun &run, const ProgramRuns &wish, std::vector<Diagnostic> &found,
                   Diagnostics &diagnostics) {
  std::vector<Diagnostic> said;
  bool able = true;
  for (const std::string &program :
       wish.programs.empty() ? std::vector<std::string>{""} : wish.programs)
    able &= runOne(program, wish, said, diagnostics);
  for (Diagnostic &finding : said)
    placeAtKernel(run, finding);
  // What the sources' own settings and comments allow is left out; other files have none here.
  found = run.shownWith(said);
  const std::vector<std::string> files = run.files();
  std::copy_if(said.begin(), said.end(), std::back_inserter(found),
               [&](const Diagnostic &finding) { return !isIn(files, finding); });
  return able;
}

} // namespace cufc
