// The system's C compiler drives the linker, since it knows where the C library is. With a toolkit
// the program gets libcudart statically, so it starts on machines without one.
#include "driver/link.h"
#include "base/diag.h"
#include "base/files.h"
#include "base/parallel.h"
#include "base/process.h"
#include "base/terminal_text.h"
#include "driver/code_processes.h"
#include "driver/linker_messages.h"
#include "driver/mpi.h"
#include "driver/object_facts.h"
#include "driver/parallel_items.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace cufc {
namespace {

constexpr const char *openmpLibrary = "libomp.so.5";
constexpr const char *openmpOrder =
    "libarcher.so"; // tells ThreadSanitizer how OpenMP orders threads

// Build systems compile with a flag for OpenMP and do not always link with it: CMake takes the
// library from what a compiler says of its own link, or from a list of compilers.
bool usesOpenmp(const Options &options, const ObjectFacts &facts) {
  return openmpOf(options) || hasThreads(options) || facts.openmp;
}

// The objects, and before the first library of MPI among them what must be found before it.
std::vector<std::string> withMpi(std::vector<std::string> objects,
                                 const std::vector<std::string> &mpi) {
  auto isLibrary = [](const std::string &file) {
    return !file.ends_with(".o") && !mpiLibraryNamed(file).empty();
  };
  objects.insert(std::find_if(objects.begin(), objects.end(), isLibrary), mpi.begin(), mpi.end());
  return objects;
}

// Whether an argument of the linker is about the files behind it.
bool governsFiles(const std::string &argument) {
  for (std::string_view word :
       {"-archive", "-Bstatic", "-Bdynamic", "-group", "-needed", "-state", "--defsym"})
    if (argument.starts_with("-Wl,") && argument.find(word) != std::string::npos)
      return true;
  return false;
}

// The arguments of the linker that stand among the files: from the first that is about files behind
// it to the last that has such files, or that ends what one among the files began.
std::vector<std::string> withArguments(const std::vector<std::string> &files,
                                       const Options &options, size_t &first, size_t &last) {
  const std::vector<std::string> &arguments = options.linkArguments;
  first = last = 0;
  if (files.size() != options.inputs.size())
    return files;
  auto isAmong = [&](size_t i) {
    return governsFiles(arguments[i]) && options.linkPlaces[i] < files.size();
  };
  while (first < arguments.size() && !isAmong(first))
    ++first;
  for (size_t i = first; i < arguments.size(); ++i)
    if (governsFiles(arguments[i]))
      last = i + 1;
  last = std::max(first, last);
  std::vector<std::string> all;
  size_t next = first;
  for (size_t file = 0; file <= files.size(); ++file) {
    for (; next < last && options.linkPlaces[next] <= file; ++next)
      all.push_back(arguments[next]);
    if (file < files.size())
      all.push_back(files[file]);
  }
  return all;
}

// The library that what gfortran compiled calls, in the folder of the system's gcc; empty if it is
// not installed. That of a shared library is found by the linker.
std::string gfortranLibrary(const HostMachine &machine) {
  ProcessResult found = runProcess({cCompiler(machine), "-print-file-name=libgfortran.so"});
  std::string path = found.output.substr(0, found.output.find('\n'));
  return found.status == 0 && path.find('/') != std::string::npos ? path : "";
}

void addForeign(const ObjectFacts &facts, const HostMachine &machine,
                std::vector<std::string> &command) {
  if (facts.executableStack)
    command.insert(command.end(), {"-z", "execstack"});
  std::string library = facts.gfortran ? gfortranLibrary(machine) : "";
  if (!library.empty())
    command.insert(command.end(), {"-Wl,--as-needed", library, "-Wl,--no-as-needed"});
}

// The toolkit's libraries that the user asked for. Most of what they have is in our layer.
void addToolkit(const Toolkit &toolkit, const Options &options, const ObjectFacts &facts,
                std::vector<std::string> &command) {
  command.push_back("-L" + toolkit.libraryFolder());
  if (!options.cudaLibraries.empty()) {
    command.push_back("-Wl,--as-needed");
    for (const std::string &name : options.cudaLibraries)
      command.push_back("-l" + name);
    command.push_back("-Wl,--no-as-needed");
  }
  if (!options.cudaLibraries.empty() || facts.cudaLibraries)
    command.push_back("-Wl,-rpath," + toolkit.libraryFolder());
  command.push_back("-Wl,--wrap=__cudaRegisterVar"); // runtime/cuda/foreign_variables.cpp
}

// OpenMP's library, which the program finds where the compiler lies, or by the system. What tells
// the order of its operations to the search for races is found among what is loaded.
void addOpenmp(const std::string &folder, bool findRaces, std::vector<std::string> &command) {
  command.push_back("-Wl,--as-needed");
  if (findRaces)
    command.insert(command.end(),
                   {"-Wl,--no-as-needed", folder + "/" + openmpOrder, "-Wl,--as-needed"});
  command.insert(command.end(),
                 {folder + "/" + openmpLibrary, "-Wl,--no-as-needed", "-Wl,-rpath," + folder});
}

// Where the linker writes: beside the file that is wanted, which stays as it was until the new one
// is complete. A name that leads elsewhere, to a device or by a link, is written as it is.
class LinkedFile {
public:
  explicit LinkedFile(const std::string &wanted) : wanted(wanted), written(wanted) {
    struct stat status;
    bool isThere = lstat(wanted.c_str(), &status) == 0;
    if ((!isThere || S_ISREG(status.st_mode)) && access(directoryOf(wanted).c_str(), W_OK) == 0)
      written += "." + std::to_string(getpid());
  }
  ~LinkedFile() {
    if (written != wanted)
      unlink(written.c_str()); // what a linker that failed left
  }
  LinkedFile(const LinkedFile &) = delete;
  LinkedFile &operator=(const LinkedFile &) = delete;

  const std::string &path() const { return written; }
  bool keep() const {
    return written == wanted || std::rename(written.c_str(), wanted.c_str()) == 0;
  }

private:
  const std::string wanted;
  std::string written;
};

} // namespace

std::string cCompiler(const HostMachine &machine) {
  return &machine == &thisMachine ? "cc" : std::string(machine.libraries) + "-gcc";
}

std::vector<std::string> linkCommand(const Plan &plan, const std::vector<std::string> &mpi,
                                     const Options &options, const Installation &installation,
                                     const std::optional<Toolkit> &toolkit) {
  std::vector<std::string> command = {cCompiler(*options.host.machine), "-o", plan.executable};
  // The linker is a good part of a small program's build time: lld and gold take half of GNU ld's.
  // lld takes a % in the name for a random character (llvm::sys::fs::createUniqueFile), and would
  // die of a full disk by its mapping of the file.
  const bool canLld = plan.executable.find('%') == std::string::npos;
  if (canLld && !findProgram("ld.lld").empty())
    command.insert(command.end(), {"-fuse-ld=lld", "-Wl,--no-mmap-output-file"});
  else if (!findProgram("ld.gold").empty())
    command.push_back("-fuse-ld=gold");
  command.push_back(options.shared ? "-shared" : "-Wl,-u,cufrt_allocate"); // how memory is kept
  if (options.host.profile) // gprof knows addresses as they stand in the file alone
    command.insert(command.end(), {"-pg", "-no-pie"});
  if (options.host.findRaces)
    command.push_back("-fsanitize=thread");
  size_t first = 0, last = 0; // the arguments that stand among the objects
  std::vector<std::string> objects = withMpi(withArguments(plan.linked, options, first, last), mpi);
  const ObjectFacts facts = readObjectFacts(objects);
  // Before a -lcufft: interfaces that programs write themselves then lead to the host device too.
  objects.insert(std::find_if(objects.begin(), objects.end(),
                              [](const std::string &word) { return word.starts_with("-l"); }),
                 installation.libraries + "/libcufrt_libraries.a");
  command.insert(command.end(), objects.begin(), objects.end());
  for (const CompileJob &job : plan.jobs)
    for (const std::string &part : partObjects(job.scratch))
      command.push_back(part);
  bool fixesLibraries = false;
  for (size_t i = 0; i < options.linkArguments.size(); ++i) {
    const std::string &argument = options.linkArguments[i];
    if (i < first || i >= last)
      command.push_back(argument);
    fixesLibraries |= argument == "-Wl,-Bstatic";
  }
  if (fixesLibraries) // -Bstatic is about the libraries behind it on the command line
    command.push_back("-Wl,-Bdynamic");
  addForeign(facts, *options.host.machine, command);
  command.push_back("-L" + installation.libraries); // -lnvToolsExt
  bool gpu = toolkit && !options.hostOnly &&
             access((installation.libraries + "/libcufrt_cuda.a").c_str(), R_OK) == 0;
  if (gpu)
    addToolkit(*toolkit, options, facts, command);
  command.push_back(installation.libraries + (gpu ? "/libcufc_gpu.a" : "/libcufc_host.a"));
  if (usesOpenmp(options, facts))
    addOpenmp(installation.libraries, options.host.findRaces, command);
  // The shared libstdc++ is for what CMake links: it passes over the other spelling.
  command.insert(command.end(), {"-l:libstdc++.a", "-Wl,--as-needed", "-lstdc++",
                                 "-Wl,--no-as-needed", "-lm", "-lpthread", "-ldl", "-lrt"});
  if (options.verbose) // CMake reads there what a program of another language needs beside Fortran
    command.push_back("-v");
  return command;
}

bool link(const Plan &asked, const Options &options, const Installation &installation,
          const std::optional<Toolkit> &toolkit, Diagnostics &diagnostics) {
  LinkedFile file(asked.executable);
  Plan plan = asked;
  plan.executable = file.path();
  std::vector<std::string> mpi = mpiLinkArguments(plan, options, installation, diagnostics);
  if (diagnostics.hasErrors())
    return false;
  std::vector<std::string> command = linkCommand(plan, mpi, options, installation, toolkit);
  if (options.verbose)
    std::fprintf(stderr, "%s\n", quoteCommand(command).c_str());
  if (findProgram(command[0]).empty()) {
    diagnostics.report(Diag::ToolMissing, {}, command[0]);
    return false;
  }
  std::string openmp = installation.libraries + "/" + openmpLibrary;
  if (std::find(command.begin(), command.end(), openmp) != command.end() &&
      access(openmp.c_str(), R_OK) != 0) {
    diagnostics.report(Parallel::OpenmpLibraryMissing, {}, openmp, CUFC_LLVM);
    return false;
  }
  ProcessResult result = runProcess(command);
  if (result.status == 0) {
    if (options.verbose)
      std::fputs(terminalText(result.output).c_str(), stderr);
    if (file.keep())
      return true;
    diagnostics.report(Diag::CannotWrite, {}, asked.executable, std::string(std::strerror(errno)));
    return false;
  }
  reportLinkerOutput(result.output, asked.executable, plan.sources, diagnostics);
  return false;
}

} // namespace cufc
