// `cufls doctor`: what is there, what is missing, and how to get it. It looks and changes nothing,
// but for a small program in a temporary folder, which shows best whether programs can be built.
#include "base/diag.h"
#include "base/files.h"
#include "base/process.h"
#include "codegen/toolkit.h"
#include "commands/command_line.h"
#include "driver/installation.h"
#include "driver/mpi.h"
#include "driver/terminal.h"
#include "project/json_reader.h"
#include "project/process_pool.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <thread>
#include <unistd.h>

namespace cufc {
namespace {

enum class State {
  Good,
  Absent, // and not needed for programs that run on the CPU
  Broken  // nothing can be built without it
};

struct Finding {
  std::string name;
  State state;
  std::string detail;
  std::string advice; // how to get what is missing
};

std::string firstLine(const std::string &text) { return text.substr(0, text.find('\n')); }

class Doctor {
public:
  std::vector<Finding> run() {
    compiler();
    hostTools();
    toolkit();
    mpi();
    gpu();
    hostDevice();
    openmp();
    program();
    return std::move(findings);
  }

private:
  void add(std::string name, State state, std::string detail, std::string advice = {}) {
    findings.push_back(
        {std::move(name), state, std::move(detail), state == State::Good ? "" : std::move(advice)});
  }

  static bool readable(const std::string &path) { return access(path.c_str(), R_OK) == 0; }

  void compiler() {
    Diagnostics ignored;
    installation = findInstallation(ignored);
    std::error_code error;
    std::string self = std::filesystem::read_symlink("/proc/self/exe", error).string();
    add("cufc", State::Good, fmt::format("{} {} (LLVM {})", self, CUFC_VERSION, CUFC_LLVM));
    for (const char *name : {"modules/cudafor.mod", "modules/cudadevice.mod", "libcufrt.a",
                             "libcufrt_modules.a", "libflang_rt.runtime.a"}) {
      std::string path = installation.libraries + "/" + name;
      if (!readable(path))
        add(name, State::Broken, path + " is not there",
            "unpack or build the compiler again; bin and lib/cufc belong together");
    }
    if (findings.size() == 1)
      add("libraries", State::Good, installation.libraries);
  }

  void hostTools() {
    tool("cc", "C compiler, which links programs", State::Broken,
         "install GCC with its C++ library (Debian: apt install g++)");
    cppLibrary();
    tool("ar", "for static libraries", State::Absent, "install binutils");
    for (const char *name : {"ld.lld", "ld.gold", "ld"})
      if (std::string path = findProgram(name); !path.empty())
        return add("linker", State::Good, path);
    add("linker", State::Broken, "no ld, ld.gold or ld.lld on PATH",
        "install binutils or lld (Debian: apt install binutils)");
  }

  // The runtime library is C++; programs get that language's library statically.
  void cppLibrary() {
    if (findProgram("cc").empty())
      return;
    std::string path = firstLine(runProcess({"cc", "-print-file-name=libstdc++.a"}).output);
    if (path.find('/') != std::string::npos)
      return add("C++ library", State::Good, path);
    add("C++ library", State::Broken, "cc knows no libstdc++.a", "Debian: apt install g++");
  }

  void tool(const std::string &name, const std::string &use, State otherwise,
            const std::string &advice) {
    std::string path = findProgram(name);
    if (path.empty())
      return add(name, otherwise, use + ": not on PATH", advice);
    add(name, State::Good, path + ": " + firstLine(runProcess({path, "--version"}).output));
  }

  void toolkit() {
    constexpr const char *advice =
        "install CUDA Toolkit 12 or 13 (developer.nvidia.com/cuda-downloads) and set CUDA_HOME, or "
        "have its nvcc on PATH; without it programs run on the CPU alone";
    std::optional<Toolkit> found = findToolkit();
    if (!found) {
      const char *home = std::getenv("CUDA_HOME");
      std::string where = home && *home ? fmt::format("none at CUDA_HOME={}", home)
                                        : "none through CUDA_HOME, PATH or /usr/local/cuda";
      return add("CUDA Toolkit", State::Absent, where, advice);
    }
    add("CUDA Toolkit", State::Good,
        fmt::format("{} {}.{}", found->root, found->version / 1000, found->version % 1000 / 10));
    part("ptxas", found->program("ptxas"), "machine code for GPUs");
    part("libdevice", found->libdevice(), "mathematics in device code");
    part("fatbinary", found->program("fatbinary"), "code for several GPUs in one program");
    part("nvlink", found->program("nvlink"), "linking with device code of nvcc");
    part("libcudart", found->libraryFolder() + "/libcudart_static.a", "the CUDA runtime");
    part("nvcc", found->program("nvcc"), "CUDA C sources in a project");
    part("GPU runtime", installation.libraries + "/libcufrt_cuda.a",
         "the part of the runtime that was built with a toolkit");
  }

  // Also makes the kit, so that it is told here if that fails.
  void mpi() {
    Diagnostics wrong;
    if (std::optional<MpiKit> kit = findMpiKit(Options(), "", installation, wrong))
      add("MPI", State::Good,
          fmt::format("{} (MPI {}): {}", kit->name(), kit->standard, kit->header));
    else
      add("MPI", State::Absent, "no mpifort or mpif90 on PATH says where an mpif.h is",
          "only for programs that use MPI (Debian: apt install libopenmpi-dev openmpi-bin, or "
          "libmpich-dev mpich)");
  }

  void part(const std::string &name, const std::string &path, const std::string &use) {
    bool there = readable(path);
    add(name, there ? State::Good : State::Absent, there ? path : use + ": no " + path,
        "install the complete CUDA Toolkit");
  }

  void gpu() {
    std::string version;
    readFile("/proc/driver/nvidia/version", version);
    int api = 0;
    if (void *library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL)) {
      using Version = int (*)(int *);
      auto ask = reinterpret_cast<Version>(dlsym(library, "cuDriverGetVersion"));
      if (!ask || ask(&api) != 0)
        api = 0;
    }
    if (api == 0)
      return add("GPU driver", State::Absent, "no libcuda.so.1",
                 "install NVIDIA's driver; without one programs run their kernels on the CPU");
    std::string detail = fmt::format("for CUDA {}.{}", api / 1000, api % 1000 / 10);
    if (!version.empty())
      detail += ", " + firstLine(version);
    add("GPU driver", State::Good, detail);
    std::string query = findProgram("nvidia-smi");
    ProcessResult list{-1, {}};
    if (!query.empty())
      list =
          runProcess({query, "--query-gpu=name,compute_cap,memory.total", "--format=csv,noheader"});
    if (list.status != 0)
      return add("GPU", State::Absent, "nvidia-smi names none", "see what nvidia-smi says");
    for (size_t begin = 0; begin < list.output.size();) {
      size_t end = std::min(list.output.find('\n', begin), list.output.size());
      add("GPU", State::Good, list.output.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  void hostDevice() {
    add("CPU device", State::Good,
        fmt::format("kernels run on {} threads", std::thread::hardware_concurrency()));
  }

  void openmp() {
    std::string path = installation.libraries + "/libomp.so.5";
    bool there = readable(path);
    add("OpenMP", there ? State::Good : State::Absent, there ? path : "no " + path,
        "for -mp: install LLVM's OpenMP library (Debian: apt install libomp-" CUFC_LLVM
        "-dev) and build the "
        "compiler again");
  }

  // A kernel on the CPU, from source to result.
  void program() {
    TemporaryFolder folder;
    std::string source = folder.path("doctor.cuf"), output = folder.path("doctor");
    bool written = folder.valid() && writeFile(source, R"(
program doctor
  use cudafor
  integer, device :: d(32)
  integer :: h(32), i
  !$cuf kernel do <<<*, *>>>
  do i = 1, 32
    d(i) = i
  end do
  h = d
  if (sum(h) /= 528) stop 1
end program
)");
    if (!written)
      return add("a program", State::Broken, "no temporary folder", "free some space in /tmp");
    ProcessPool pool; // which can give a program another name
    pool.start(0, "/proc/self/exe", {"cufc", source, "-o", output}, folder.root());
    std::optional<FinishedProcess> built = pool.wait();
    if (!built || built->status != 0)
      return add("a program", State::Broken,
                 "cannot be built: " + (built ? firstLine(built->output) : "interrupted"),
                 "mend what is missing above");
    ProcessResult ran = runProcess({"env", "CUF_DEVICE=host", output});
    add("a program", ran.status == 0 ? State::Good : State::Broken,
        ran.status == 0 ? "was compiled, linked and run on the CPU"
                        : "was built, but fails: " + firstLine(ran.output),
        "report this");
  }

  Installation installation;
  std::vector<Finding> findings;
};

const char *stateName(State state) {
  static constexpr const char *names[] = {"good", "absent", "broken"};
  return names[static_cast<size_t>(state)];
}

std::string asJson(const std::vector<Finding> &findings, bool able) {
  std::string list;
  for (const Finding &each : findings)
    list += fmt::format("{}\n  {{\"name\": {}, \"state\": \"{}\", \"detail\": {}, \"advice\": {}}}",
                        list.empty() ? "" : ",", quoteJson(each.name), stateName(each.state),
                        quoteJson(each.detail), quoteJson(each.advice));
  return fmt::format("{{\"able\": {}, \"checks\": [{}\n]}}\n", able, list);
}

std::string asText(const std::vector<Finding> &findings, bool able) {
  bool colour = hasColours(STDOUT_FILENO);
  std::string text;
  for (const Finding &each : findings) {
    const char *mark = each.state == State::Good ? (colour ? "\033[32mok\033[0m     " : "ok     ")
                       : each.state == State::Absent
                           ? (colour ? "\033[33mabsent\033[0m " : "absent ")
                           : (colour ? "\033[31mbroken\033[0m " : "broken ");
    text += fmt::format("{}{}: {}\n", mark, each.name, each.detail);
    if (!each.advice.empty())
      text += fmt::format("       -> {}\n", each.advice);
  }
  return text + (able ? "Programs can be built.\n" : "Programs cannot be built.\n");
}

} // namespace

int doctorCommand(const Arguments &arguments) {
  const std::vector<CommandOption> options = {{"--format", "FORM", "text (default) or json"},
                                              {"--help", "", "print this text"}};
  Diagnostics diagnostics;
  CommandLine line = parseCommandLine(arguments, options, diagnostics);
  if (line.has("--help"))
    return printHelp(
        "doctor [--format=text|json]",
        "Says what is installed, what is missing and how to get it. The exit status is 0 "
        "if programs\ncan be built, at least for the CPU, and 1 if not.",
        options);
  std::string format = line.has("--format") ? line.value("--format") : "text";
  if (format != "text" && format != "json")
    diagnostics.report(Diag::BadOptionValue, {}, format, "--format", "text or json");
  for (const std::string &operand : line.operands)
    diagnostics.report(Diag::ExtraOperand, {}, operand);
  if (diagnostics.hasErrors()) {
    diagnostics.flush();
    return exitFailed;
  }
  std::vector<Finding> findings = Doctor().run();
  bool able = true;
  for (const Finding &each : findings)
    able &= each.state != State::Broken;
  std::string text = format == "json" ? asJson(findings, able) : asText(findings, able);
  bool written = std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
  return !written ? exitFailed : able ? exitClean : exitErrors;
}

} // namespace cufc
