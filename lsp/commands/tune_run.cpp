// The project is mirrored: a folder of links, in which the file that launches the kernel is one of
// its own. There each block is written into the launches, built and run by `cufls run`, so what is
// measured is the edit that is offered. A size with which the program prints something else does
// not count.
#include "base/diag.h"
#include "base/runs_diag.h"
#include "base/source_text.h"
#include "commands/caches.h"
#include "commands/measure_run.h"
#include "commands/tune.h"
#include "ide/refactor/refactoring.h"
#include "source/source_form.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace cufc {
namespace {

namespace fs = std::filesystem;

constexpr double worth = 0.99; // what is less than a hundredth faster is no better

// This program with its output in files; the exit status.
int runSelf(const Arguments &arguments, const std::string &output, const std::string &errors) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), flags, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.c_str(), flags, 0600);
  std::vector<char *> argv{const_cast<char *>("cufls")};
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  int failed = posix_spawn(&child, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  while (failed == 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return failed != 0 ? 127 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// The folder of the project: of cufls.json, or the file's.
std::string rootOf(const std::string &file) {
  Diagnostics known;
  ScanOptions none;
  none.none = true;
  Project project = loadProject(file, known, none);
  bool named = project.origin == Project::Origin::ProjectFile;
  return named && file.starts_with(project.root + "/") ? project.root : directoryOf(file);
}

class Mirror {
public:
  Mirror(const std::string &root, const std::string &file) {
    std::string folder = root, here = scratch.root();
    std::string rest = file.substr(root.size() + 1);
    for (size_t slash; (slash = rest.find('/')) != std::string::npos; rest.erase(0, slash + 1)) {
      link(folder, here, rest.substr(0, slash));
      folder += "/" + rest.substr(0, slash);
      here += "/" + rest.substr(0, slash);
      std::error_code ignored;
      fs::create_directory(here, ignored);
    }
    link(folder, here, rest);
    path = here + "/" + rest;
  }

  std::string path; // of the file in it
  std::string scratchFile(const char *name) const { return outputs.path(name); }

private:
  // All entries but one, and but what builds leave.
  static void link(const std::string &from, const std::string &to, const std::string &except) {
    std::error_code error;
    for (const fs::directory_entry &entry : fs::directory_iterator(from, error)) {
      std::string name = entry.path().filename();
      if (name != except && name != "build" && name != ".git")
        fs::create_symlink(entry.path(), fs::path(to) / name, error);
    }
  }

  TemporaryFolder scratch, outputs;
};

TunedBlock blockOf(const BlockShape &shape, const std::string &bounds, bool now) {
  TunedBlock block;
  block.shape = shape;
  block.bounds = bounds;
  block.now = now;
  return block;
}

// The kernel's place in the files of a check.
struct Found {
  const CheckRun::Kept *file = nullptr;
  const KernelInfo *kernel = nullptr;
  std::string name; // "kernels::scale"
};

bool isMeant(const std::string &name, const std::string &wish) {
  std::string wanted = lowerCase(wish);
  return name == wanted || name.ends_with("::" + wanted);
}

class Tuner {
public:
  Tuner(const TuneWish &wish, Diagnostics &diagnostics)
      : wish(wish), diagnostics(diagnostics), file(absolutePath(wish.file)) {}

  std::optional<Tuning> run() {
    if (!analyse() || !findSites())
      return std::nullopt;
    Mirror mirror(rootOf(file), file);
    std::string reference;
    result.kernel = found.name;
    std::vector<BlockShape> shapes = shapesToTry();
    TunedBlock now = measure(mirror, blockOf(result.before, {}, true), {}, reference);
    if (!now.problem.empty()) {
      diagnostics.report(RunsDiag::NothingMeasured, {}, found.name, now.problem);
      return std::nullopt;
    }
    for (const BlockShape &shape : shapes)
      result.blocks.push_back(shape == result.before ? now : tried(mirror, shape, reference));
    choose(now);
    if (wish.bounds)
      tryBounds(mirror, reference);
    predict();
    return std::move(result);
  }

private:
  bool analyse() {
    check.keepAnalyses = true;
    check.add(wish.file, diagnostics);
    Diagnostics ofOthers;
    check.add(directoryOf(file), ofOthers);
    if (diagnostics.hasErrors())
      return false;
    check.check(ofOthers);
    readFile(file, text);
    document.replace(text);
    return true;
  }

  static std::string contentOf(const CheckRun::Kept &kept) {
    std::string content;
    readFile(kept.path, content);
    return content;
  }

  // The launches in the file, of a kernel of this file or another one.
  bool findSites() {
    std::string names;
    for (const CheckRun::Kept &kept : check.kept()) {
      for (const KernelInfo &kernel : kept.analysis.kernels)
        if (std::string name = qualifiedName(kept.analysis, kernel.symbol);
            kernel.symbol >= 0 && isMeant(name, wish.kernel))
          found = {&kept, &kernel, name};
      if (kept.path == file)
        findLaunches(kept.analysis, names);
    }
    if (!found.kernel || sites.empty()) {
      diagnostics.report(RunsDiag::NoKernelToTune, {}, wish.file, wish.kernel,
                         names.empty() ? "none" : names);
      return false;
    }
    Document ofKernel(contentOf(*found.file));
    const std::optional<SourceForm> form = sourceForm(found.file->path);
    for (const LaunchSite &site : sites) {
      std::string reason = !site.reason.empty()
                               ? site.reason
                               : reasonInKernel(found.file->analysis, ofKernel, form && form->fixed,
                                                *found.kernel, site);
      if (!reason.empty())
        diagnostics.report(RunsDiag::LaunchNotTunable, {file, site.line, 1, site.line, 1},
                           found.name, reason);
    }
    result.before = sites.front().block;
    return !diagnostics.hasErrors();
  }

  void findLaunches(const Analysis &analysis, std::string &names) {
    std::vector<int> seen;
    for (const LaunchInfo &launch : analysis.launches) {
      if (launch.kernel < 0 || std::find(seen.begin(), seen.end(), launch.kernel) != seen.end())
        continue;
      seen.push_back(launch.kernel);
      std::string name = nameOf(analysis, launch.kernel);
      names += (names.empty() ? "" : ", ") + name;
      if (isMeant(name, wish.kernel))
        sites = launchSites(analysis, document, launch.kernel);
    }
  }

  // Of a kernel of another file its module is known.
  static std::string nameOf(const Analysis &analysis, int symbol) {
    const SymbolInfo &info = analysis.symbols[static_cast<size_t>(symbol)];
    return info.module.empty() ? qualifiedName(analysis, symbol)
                               : lowerCase(info.module) + "::" + lowerCase(info.name);
  }

  // Of the wish, or the usual ones, those that all launches allow, and what is there now.
  std::vector<BlockShape> shapesToTry() const {
    std::vector<BlockShape> shapes = wish.shapes.empty() ? usualShapes() : wish.shapes;
    std::erase_if(shapes, [&](const BlockShape &shape) {
      return !std::all_of(sites.begin(), sites.end(),
                          [&](const LaunchSite &site) { return site.allows(shape); });
    });
    shapes.push_back(result.before);
    std::sort(shapes.begin(), shapes.end(), [](const BlockShape &one, const BlockShape &other) {
      return std::pair(threadsOf(one), one) < std::pair(threadsOf(other), other);
    });
    shapes.erase(std::unique(shapes.begin(), shapes.end()), shapes.end());
    return shapes;
  }

  std::vector<BlockShape> usualShapes() const {
    std::vector<BlockShape> shapes;
    if (sites.front().isFlat()) {
      for (int x : {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024})
        shapes.push_back({x, 1, 1});
      return shapes;
    }
    for (int x : {4, 8, 16, 32, 64, 128})
      for (int y : {1, 2, 4, 8, 16, 32})
        for (int z : {1, 2, 4, 8})
          if (BlockShape shape{x, y, z}; threadsOf(shape) >= 64 && threadsOf(shape) <= 1024)
            shapes.push_back(shape);
    return shapes;
  }

  TunedBlock tried(const Mirror &mirror, const BlockShape &shape, std::string &reference) {
    TunedBlock tuned = blockOf(shape, {}, false);
    if (found.kernel->maxThreads && threadsOf(shape) > *found.kernel->maxThreads) {
      tuned.problem = fmt::format("launch_bounds allow {} threads", *found.kernel->maxThreads);
      return tuned;
    }
    return measure(mirror, std::move(tuned), blockEdits(sites, shape), reference);
  }

  // The fastest block with launch_bounds for its threads, and for more and more blocks of a
  // multiprocessor; registers follow from them.
  void tryBounds(const Mirror &mirror, std::string &reference) {
    if (found.file->path != file) {
      result.boundsProblem = "the kernel is in another file, " + found.file->path;
      return;
    }
    const Analysis &analysis = found.file->analysis;
    int threads = threadsOf(result.bestShape);
    result.boundsBefore = result.bestBounds = boundsNow();
    std::vector<std::string> wanted{"", fmt::format("launch_bounds({})", threads)};
    for (int blocks = 2; blocks <= 8 && blocks * threads <= 2048; blocks *= 2)
      wanted.push_back(fmt::format("launch_bounds({}, {})", threads, blocks));
    if (std::find(wanted.begin(), wanted.end(), result.boundsBefore) == wanted.end())
      wanted.push_back(result.boundsBefore);
    for (const std::string &bounds : wanted) {
      std::vector<TextChange> edits = result.best;
      if (bounds != result.boundsBefore) {
        std::optional<TextChange> edit = boundsEdit(analysis, document, *found.kernel, bounds);
        if (!edit) {
          result.boundsProblem = "the head of the kernel cannot be read";
          return;
        }
        edits.push_back(*edit);
      }
      TunedBlock tuned = blockOf(result.bestShape, bounds, bounds == result.boundsBefore);
      result.bounds.push_back(measure(mirror, std::move(tuned), edits, reference));
    }
    chooseBounds(analysis);
  }

  std::string boundsNow() const {
    const KernelInfo &kernel = *found.kernel;
    if (!kernel.maxThreads)
      return {};
    return kernel.minBlocks && *kernel.minBlocks > 0
               ? fmt::format("launch_bounds({}, {})", *kernel.maxThreads, *kernel.minBlocks)
               : fmt::format("launch_bounds({})", *kernel.maxThreads);
  }

  void chooseBounds(const Analysis &analysis) {
    const TunedBlock *best = nullptr, *now = nullptr;
    for (const TunedBlock &each : result.bounds) {
      now = each.now ? &each : now;
      if (each.problem.empty() && (!best || each.seconds < best->seconds))
        best = &each;
    }
    if (!best || !now || best == now || best->seconds >= worth * now->seconds)
      return;
    result.bestBounds = best->bounds;
    if (std::optional<TextChange> edit =
            boundsEdit(analysis, document, *found.kernel, best->bounds))
      result.best.push_back(std::move(*edit));
  }

  TunedBlock measure(const Mirror &mirror, TunedBlock tuned, const std::vector<TextChange> &edits,
                     std::string &reference) {
    if (!writeFile(mirror.path, edits.empty() ? text : changedText(document, edits))) {
      tuned.problem = std::strerror(errno);
      return tuned;
    }
    for (int repeat = 0; repeat < wish.repeats && tuned.problem.empty(); ++repeat) {
      double seconds = runOnce(mirror, tuned, reference);
      if (tuned.problem.empty() && (repeat == 0 || seconds < tuned.seconds))
        tuned.seconds = seconds;
    }
    return tuned;
  }

  // The mean time of a call.
  double runOnce(const Mirror &mirror, TunedBlock &tuned, std::string &reference) {
    std::string output = mirror.scratchFile("output"), errors = mirror.scratchFile("errors"),
                report = mirror.scratchFile("report");
    std::error_code ignored;
    fs::remove(report, ignored);
    Arguments arguments{"run", mirror.path, "--report=json", "--report-to=" + report};
    if (!wish.device.empty())
      arguments.push_back("--device=" + wish.device);
    arguments.push_back("--");
    arguments.insert(arguments.end(), wish.arguments.begin(), wish.arguments.end());
    int status = runSelf(arguments, output, errors);
    std::string printed, said, measured;
    readFile(output, printed);
    readFile(errors, said);
    readFile(report, measured);
    if (status != 0) {
      said.erase(said.find_last_not_of('\n') + 1);
      std::string last = said.substr(said.rfind('\n') + 1);
      tuned.problem = fmt::format("exit status {}{}", status, last.empty() ? "" : ": " + last);
    } else if (result.blocks.empty() && tuned.now) {
      reference = printed;
    } else if (printed != reference) {
      tuned.problem = "the program prints something else";
    }
    return tuned.problem.empty() ? secondsIn(measured, tuned.problem) : 0;
  }

  double secondsIn(const std::string &report, std::string &problem) {
    nlohmann::json json = nlohmann::json::parse(report, nullptr, false);
    if (json.is_object()) {
      for (const nlohmann::json &device : json.value("devices", nlohmann::json::array()))
        result.device = device.value("kind", "") == "gpu"
                            ? device.value("name", "a GPU")
                            : fmt::format("the CPU, {} threads", device.value("threads", 0));
      for (const nlohmann::json &kernel : json.value("kernels", nlohmann::json::array()))
        if (lowerCase(kernel.value("name", "")) == found.name && kernel["meanSeconds"].is_number())
          return kernel["meanSeconds"].get<double>();
    }
    problem = "the program's report does not have it";
    return 0;
  }

  // Where ptxas is there.
  void predict() {
    Diagnostics ofCosts;
    std::optional<MeasuredRun> costs = cufc::measure(check, {wish.gpu}, ofCosts);
    if (!costs)
      return;
    for (const KernelReport &kernel : costs->kernels)
      if (kernel.name == found.name && kernel.known())
        for (TunedBlock &each : result.blocks)
          each.occupancy = occupancyOf(costs->gpu, kernel.resources(), threadsOf(each.shape)).share;
  }

  void choose(const TunedBlock &now) {
    const TunedBlock *best = nullptr;
    for (const TunedBlock &each : result.blocks)
      if (each.problem.empty() && (!best || each.seconds < best->seconds))
        best = &each;
    result.bestShape = result.before;
    if (best && !best->now && best->seconds < worth * now.seconds) {
      result.bestShape = best->shape;
      result.best = blockEdits(sites, best->shape);
    }
  }

  const TuneWish &wish;
  Diagnostics &diagnostics;
  std::string file, text;
  CheckRun check{Arguments{}};
  Document document;
  Found found;
  std::vector<LaunchSite> sites;
  Tuning result;
};

} // namespace

std::string textOf(const BlockShape &shape) {
  std::string text = std::to_string(shape[0]);
  for (size_t d = 1; d < 3; ++d)
    if (shape[2] > 1 || (d == 1 && shape[1] > 1))
      text += "x" + std::to_string(shape[d]);
  return text;
}

std::optional<Tuning> tune(const TuneWish &wish, Diagnostics &diagnostics) {
  return Tuner(wish, diagnostics).run();
}

} // namespace cufc
