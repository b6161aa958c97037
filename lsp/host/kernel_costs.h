// What the kernels of open files cost, measured in the background.
//
// An analysis of the newest text without errors starts a measurement in a fork of the worker, after
// the diagnostics have been sent; an edit ends it. Results stay, as stale ones, until there are
// newer ones. Kernels of other files that an open file launches are measured too, as they are on
// disk.
#ifndef CUFLS_HOST_KERNEL_COSTS_H
#define CUFLS_HOST_KERNEL_COSTS_H

#include "host/local_chip.h"
#include "host/parts.h"
#include "ide/kernel_texts.h"
#include <functional>
#include <map>
#include <memory>
#include <set>

namespace cufc {

struct CostRequest;

struct CostSettings {
  bool enabled = true;
  std::string gpu; // or the name of a chip; empty: of the project, or of this machine
};

// The costs that are known, for one GPU.
struct CostView {
  enum class State { Ready, Computing, Unavailable };
  State state = State::Computing;
  std::string message;
  bool stale = false;
  bool noAssembler = false; // there is no ptxas, so nothing is known of any kernel
  GpuLimits gpu;
  Chip chip;
  CostsOf of;
  std::vector<KernelReport> kernels; // of all files, with the launches of open ones

  bool isReady() const { return state == State::Ready; }
};

class KernelCosts {
public:
  KernelCosts(const HostParts &parts, asio::io_context &loop)
      : parts(parts), local(loop, [this] { chipFound(); }) {}

  void setSettings(const CostSettings &settings);
  void analysed(const std::string &path);
  void edited(const std::string &path);
  // A module that the file uses has changed, so that the same text may cost something else.
  void modulesChanged(const std::string &path);
  // What is known of a file is of no interest any more.
  void forget(const std::string &path);

  // The chip that a file is looked at for: of the settings, of its options, of this machine, or the
  // usual one. Waits for the driver's answer if it has not come.
  Chip chipOf(const std::string &path);
  // Whether that is a GPU that the user has or has named.
  bool isUsersChip(const std::string &path);
  // What is known, and for a file with kernels of which nothing is known for that chip, the start
  // of a measurement.
  CostView view(const std::string &path, const WhatIf &whatIf = {},
                const std::optional<Chip> &chip = std::nullopt);
  std::vector<Diagnostic> diagnosticsOf(const std::string &path);

  // Measures a file's kernels once more, with their code. `done` is called once, unless the host
  // ends before.
  void code(const std::string &path, bool machineCode, const Chip &chip,
            const std::function<void(const FileCosts &)> &done);

private:
  struct Entry {
    std::shared_ptr<const FileCosts> costs; // null before the first
    size_t text = 0;                        // a hash of what was measured last or is being
    std::uint32_t running = 0;              // 0: nothing
    bool stale = true;
  };
  using Key = std::pair<std::string, int>; // file, compute capability

  CostRequest requestFor(const std::string &path, int gpu) const;
  void start(const std::string &path, int gpu);
  void finished(const Key &key, FileCosts costs);
  void startLaunched(const std::string &path, int gpu);
  bool knowsChip() { return chosen || local.isKnown(); }
  void chipFound();
  bool hasKernels(const std::string &path) const;

  HostParts parts;
  bool enabled = true;
  std::optional<Chip> chosen; // by the settings
  LocalChip local;
  std::set<std::string> waiting; // analysed files, for the GPU of this machine to be known
  std::map<Key, Entry> entries;
  std::set<std::string> warned; // files for which diagnostics of costs were told
};

} // namespace cufc
#endif // CUFLS_HOST_KERNEL_COSTS_H
