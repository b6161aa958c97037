// By ssh, a first connection carries the files into a new folder, a second one runs the program
// there. The shell that ssh starts gets one word for `sh -c`, with all that comes from the user in
// quotes. That script watches its standard input: when it ends, because of Ctrl-C here or because
// this process is gone, it ends the program and removes the folder.
//
// With slurm the folder is in the current one, which the nodes have to share, and srun does the
// rest.
#include "commands/run_on.h"
#include "base/diag.h"
#include "base/files.h"
#include "base/runs_diag.h"
#include "base/shell_quote.h"
#include "commands/job_process.h"
#include "commands/tar_archive.h"
#include "project/project.h"
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

extern char **environ;

namespace cufc {
namespace {

namespace fs = std::filesystem;

constexpr const char *reportName = ".cufls-report";

struct CarriedFile {
  std::string path, name; // here and in the job's folder
};

// Inputs keep their names relative to where they were named from; those from elsewhere have their
// last part alone.
std::vector<CarriedFile> filesOf(const Machine &machine, const JobWish &wish,
                                 Diagnostics &diagnostics) {
  std::vector<CarriedFile> files{{wish.program, stem(wish.program)}};
  files[0].name = wish.program.substr(wish.program.rfind('/') + 1);
  auto add = [&](const std::string &path, const std::string &root) {
    std::string absolute = absolutePath(path, root);
    bool inside = absolute.starts_with(root + "/");
    files.push_back({absolute, inside ? absolute.substr(root.size() + 1)
                                      : absolute.substr(absolute.rfind('/') + 1)});
    std::error_code error;
    if (!fs::is_regular_file(absolute, error))
      diagnostics.report(Diag::CannotRead, {}, path,
                         error ? error.message() : "it is no ordinary file");
  };
  for (const std::string &input : machine.inputs)
    add(input, machine.root);
  for (const std::string &input : wish.inputs)
    add(input, absolutePath("."));
  return files;
}

std::string describeEnd(int status) {
  return status == 255 ? "it could not connect" : "exit status " + std::to_string(status);
}

class SshJob {
public:
  SshJob(const Machine &machine, const JobWish &wish, Diagnostics &diagnostics)
      : machine(machine), wish(wish), diagnostics(diagnostics) {}

  bool carry(const std::vector<CarriedFile> &files) {
    const std::string script =
        "umask 077; d=$(mktemp -d \"${TMPDIR:-/tmp}/cufls.XXXXXX\") && tar -xf - -C \"$d\" && "
        "printf '%s\\n' \"$d\"";
    JobProcess process;
    bool sent =
        process.start(command(script), JobProcess::Output::Kept, JobProcess::Ends::BySignal);
    int error = errno;
    TarArchive archive(process.input());
    for (const CarriedFile &file : files)
      if (sent) {
        sent = archive.add(file.path, file.name);
        if (!sent)
          error = errno;
      }
    sent = sent && archive.finish();
    carried = archive.bytes();
    process.closeInput();
    int status = process.wait();
    folder = process.output();
    while (!folder.empty() && folder.back() == '\n')
      folder.pop_back();
    if (sent && status == 0 && folder.starts_with("/") && folder.find('\n') == folder.npos)
      return true;
    diagnostics.report(RunsDiag::MachineFailed, {}, "ssh", machine.where,
                       process.interrupted() ? "it was interrupted"
                       : status != 0         ? describeEnd(status)
                       : sent                ? "it gave no folder"
                                             : std::strerror(error));
    return false;
  }

  int run(const std::string &name) {
    std::string call = "env";
    for (const std::string &variable : variables())
      call += " " + quotedForShell(variable);
    call += " " + quotedForShell("./" + name);
    for (const std::string &argument : wish.arguments)
      call += " " + quotedForShell(argument);
    std::string remove = "cd /; rm -rf " + quotedForShell(folder);
    // A command in the background has /dev/null as its input, and ignores SIGINT.
    std::string script =
        "cd " + quotedForShell(folder) + " || exit 126; exec 3<&0; " + call +
        " </dev/null 3<&- & p=$!; { cat <&3 >/dev/null; kill -TERM $p; sleep 2; kill -KILL $p; " +
        remove + "; } >/dev/null 2>&1 & w=$!; exec 3<&-; wait $p; s=$?; kill $w 2>/dev/null; " +
        (wish.reportFile.empty() ? remove + "; " : "") + "exit $s";
    JobProcess process;
    if (!process.start(command(script), JobProcess::Output::Shown, JobProcess::Ends::WithInput)) {
      diagnostics.report(RunsDiag::MachineFailed, {}, "ssh", machine.where, std::strerror(errno));
      return exitFailed;
    }
    int status = process.wait();
    if (process.interrupted())
      return 128 + process.interrupted();
    if (status == 255)
      diagnostics.report(RunsDiag::MachineFailed, {}, "ssh", machine.where, describeEnd(status));
    else if (!wish.reportFile.empty())
      fetchReport();
    return status;
  }

  unsigned long long carried = 0;

private:
  Arguments command(const std::string &script) const {
    Arguments result{"ssh"};
    result.insert(result.end(), machine.options.begin(), machine.options.end());
    result.insert(result.end(), {"--", machine.where, "exec sh -c " + quotedForShell(script)});
    return result;
  }

  std::vector<std::string> variables() const {
    std::vector<std::string> result;
    for (char **entry = environ; *entry; ++entry)
      if (std::string_view(*entry).starts_with("CUF_") &&
          !std::string_view(*entry).starts_with("CUF_REPORT_FILE="))
        result.emplace_back(*entry);
    if (!wish.reportFile.empty())
      result.push_back(std::string("CUF_REPORT_FILE=") + reportName);
    return result;
  }

  void fetchReport() {
    JobProcess process;
    std::string report = quotedForShell(folder + "/" + reportName);
    bool started =
        process.start(command("cat " + report + "; cd /; rm -rf " + quotedForShell(folder)),
                      JobProcess::Output::Kept, JobProcess::Ends::BySignal);
    process.closeInput();
    if (started && process.wait() == 0 && !writeFile(wish.reportFile, process.output()))
      diagnostics.report(Diag::CannotWrite, {}, wish.reportFile, std::strerror(errno));
  }

  const Machine &machine;
  const JobWish &wish;
  Diagnostics &diagnostics;
  std::string folder; // there
};

// A folder that the nodes see, with what the job needs.
class SharedFolder {
public:
  explicit SharedFolder(const std::vector<CarriedFile> &files, Diagnostics &diagnostics) {
    std::string pattern = absolutePath("cufls-job.XXXXXX");
    std::error_code error;
    if (!mkdtemp(pattern.data())) {
      diagnostics.report(Diag::CannotWrite, {}, pattern, std::strerror(errno));
      return;
    }
    folder = pattern;
    for (const CarriedFile &file : files) {
      std::string target = folder + "/" + file.name;
      fs::create_directories(directoryOf(target), error);
      if (!fs::copy_file(file.path, target, error))
        diagnostics.report(Diag::CannotWrite, {}, target, error.message());
    }
  }
  ~SharedFolder() {
    std::error_code ignored;
    if (!folder.empty())
      fs::remove_all(folder, ignored);
  }
  SharedFolder(const SharedFolder &) = delete;
  SharedFolder &operator=(const SharedFolder &) = delete;

  std::string folder;
};

int runWithSlurm(const Machine &machine, const JobWish &wish, const std::vector<CarriedFile> &files,
                 Diagnostics &diagnostics) {
  SharedFolder shared(files, diagnostics);
  if (diagnostics.hasErrors())
    return exitFailed;
  Arguments command{"srun", "--quit-on-interrupt", "--job-name=cufls"};
  if (!machine.where.empty())
    command.push_back("--partition=" + machine.where);
  command.insert(command.end(), machine.options.begin(), machine.options.end());
  command.insert(command.end(),
                 {"--chdir=" + shared.folder, shared.folder + "/" + files.front().name});
  command.insert(command.end(), wish.arguments.begin(), wish.arguments.end());
  if (!wish.reportFile.empty())
    setenv("CUF_REPORT_FILE", wish.reportFile.c_str(), 1);
  JobProcess process;
  if (!process.start(command, JobProcess::Output::Shown, JobProcess::Ends::BySignal)) {
    diagnostics.report(RunsDiag::MachineFailed, {}, "srun", machine.name, std::strerror(errno));
    return exitFailed;
  }
  process.closeInput();
  int status = process.wait();
  return process.interrupted() ? 128 + process.interrupted() : status;
}

} // namespace

int runOn(const Machine &machine, const JobWish &wish, Diagnostics &diagnostics) {
  std::vector<CarriedFile> files = filesOf(machine, wish, diagnostics);
  if (diagnostics.hasErrors())
    return exitFailed;
  using Clock = std::chrono::steady_clock;
  auto seconds = [](Clock::duration time) { return std::chrono::duration<double>(time).count(); };
  Clock::time_point begin = Clock::now(), started = begin;
  SshJob job(machine, wish, diagnostics);
  int status = exitFailed;
  if (machine.kind == Machine::Kind::Slurm) {
    status = runWithSlurm(machine, wish, files, diagnostics);
  } else if (job.carry(files)) {
    started = Clock::now();
    status = job.run(files.front().name);
  }
  if (diagnostics.hasErrors())
    return status == 0 ? exitFailed : status;
  std::string text =
      fmt::format("cufls: ran on {} in {:.1f} s", machine.name, seconds(Clock::now() - started));
  if (job.carried > 0)
    text += fmt::format(", {:.1f} MB carried in {:.1f} s", static_cast<double>(job.carried) / 1e6,
                        seconds(started - begin));
  std::fprintf(stderr, "%s\n", text.c_str());
  return status;
}

} // namespace cufc
