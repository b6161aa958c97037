// ptxas tells registers, stack, spills and barriers with -v; sizes of code and constants are those
// of sections of the cubin. All kernels that are not remembered go into one module, since ptxas
// takes longer to start than for a small kernel; if it refuses that, each is tried alone.
#include "occupancy/kernel_cost.h"
#include "base/archive.h"
#include "base/files.h"
#include "base/process.h"
#include "base/register_limits.h"
#include "occupancy/code_view.h"
#include "occupancy/performance.h"
#include "occupancy/ptx_module.h"
#include "project/content_hash.h"
#include <algorithm>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <map>
#include <thread>
#include <unistd.h>

namespace cufc {
namespace {

template <typename Archive, typename Cost>
void numbers(Archive &archive, Cost &cost) {
  archive(cost.registers, cost.sharedBytes, cost.localBytes, cost.constantBytes,
          cost.spillStoreBytes, cost.spillLoadBytes, cost.barriers, cost.sassBytes, cost.problem);
}

// Calls `take` with the name and size of each section of an ELF file; nothing for other files.
template <typename Take>
void forSections(const std::string &file, Take take) {
  Elf64_Ehdr head;
  if (file.size() < sizeof head)
    return;
  std::memcpy(&head, file.data(), sizeof head);
  if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_shentsize != sizeof(Elf64_Shdr) ||
      head.e_shoff > file.size() ||
      (file.size() - head.e_shoff) / sizeof(Elf64_Shdr) < head.e_shnum ||
      head.e_shstrndx >= head.e_shnum)
    return;
  std::vector<Elf64_Shdr> sections(head.e_shnum);
  std::memcpy(sections.data(), file.data() + head.e_shoff, head.e_shnum * sizeof(Elf64_Shdr));
  const Elf64_Shdr &texts = sections[head.e_shstrndx];
  if (texts.sh_offset > file.size() || file.size() - texts.sh_offset < texts.sh_size)
    return;
  std::string_view names(file.data() + texts.sh_offset, texts.sh_size);
  for (const Elf64_Shdr &section : sections)
    if (section.sh_name < names.size()) {
      std::string_view name = names.substr(section.sh_name);
      take(name.substr(0, name.find('\0')), static_cast<std::int64_t>(section.sh_size));
    }
}

class Measurement {
public:
  Measurement(const PtxModule &module, const AssemblerChoice &choice)
      : module(module), choice(choice) {}

  // Fills in what ptxas says of these kernels.
  void run(const std::vector<KernelCost *> &wanted) {
    if (wanted.empty() || !scratch.valid())
      return;
    size_t processes = std::min<size_t>(std::max(1U, std::thread::hardware_concurrency()),
                                        (wanted.size() + kernelsOfOne - 1) / kernelsOfOne);
    std::vector<std::vector<KernelCost *>> groups(processes);
    for (size_t i = 0; i < wanted.size(); ++i)
      groups[i % processes].push_back(wanted[i]);
    std::vector<Job> jobs;
    for (std::vector<KernelCost *> &group : groups)
      jobs.push_back(start(std::move(group)));
    for (Job &job : jobs)
      if (std::string problem = finish(job); !problem.empty())
        runAlone(job.kernels, problem);
      else
        limitRegisters(job);
  }

private:
  static constexpr size_t kernelsOfOne = 8; // from which a second process pays

  struct Job {
    std::vector<KernelCost *> kernels;
    std::string ptx, cubin;
    BackgroundProcess process;
    std::vector<RegisterUse> use; // when it is finished
  };

  Job start(std::vector<KernelCost *> kernels, const RegisterLimits &limits = {}) {
    std::vector<std::string> names;
    bool others = false;
    for (const KernelCost *kernel : kernels) {
      names.push_back(kernel->symbol);
      others |= kernel->callsOthers;
    }
    std::string path = scratch.path(std::to_string(++files));
    writeFile(path + ".ptx", withLimits(module.textOf(names, false), limits));
    std::vector<std::string> command = {choice.ptxas, "-v",
                                        "-O" + std::to_string(choice.optimisation),
                                        "-arch=sm_" + std::to_string(choice.gpu)};
    if (others)
      command.push_back("--compile-only");
    if (choice.maxRegisters > 0)
      command.push_back("--maxrregcount=" + std::to_string(choice.maxRegisters));
    command.insert(command.end(), {path + ".ptx", "-o", path + ".cubin"});
    return {std::move(kernels), path + ".ptx", path + ".cubin", BackgroundProcess(command), {}};
  }

  // As the compiler does it (codegen/gpu/device_code.cpp): what it keeps is known anew.
  void limitRegisters(const Job &job) {
    std::string text;
    if (choice.maxRegisters > 0 || choice.optimisation == 0 || !isShort(module.text()) ||
        !readFile(job.ptx, text))
      return;
    std::map<std::string, KernelCost, std::less<>> limited;
    const RegisterLimits kept = limitsToGive(
        job.use, text, [&](const RegisterLimits &tried) { return tryLimits(job, tried, limited); });
    for (KernelCost *kernel : job.kernels)
      if (kept.contains(kernel->symbol))
        *kernel = std::move(limited.at(kernel->symbol));
  }

  // What the kernels then take, and in `costs` cost.
  std::vector<RegisterUse> tryLimits(const Job &job, const RegisterLimits &tried,
                                     std::map<std::string, KernelCost, std::less<>> &costs) {
    std::vector<KernelCost *> limited;
    for (const KernelCost *kernel : job.kernels)
      if (tried.contains(kernel->symbol))
        limited.push_back(&costs.insert_or_assign(kernel->symbol, *kernel).first->second);
    Job second = start(limited, tried);
    return finish(second).empty() ? second.use : std::vector<RegisterUse>{};
  }

  // What ptxas complains of; empty if all is known.
  static std::string finish(Job &job) {
    ProcessResult result = job.process.finish();
    if (result.status != 0)
      return result.output.empty() ? "ptxas failed" : result.output;
    std::map<std::string, KernelCost *, std::less<>> bySymbol;
    for (KernelCost *kernel : job.kernels)
      bySymbol[kernel->symbol] = kernel;
    job.use = registerUse(result.output);
    for (KernelCost *kernel : job.kernels)
      kernel->constantBytes = 0;
    readReport(result.output, bySymbol);
    std::string cubin;
    readFile(job.cubin, cubin);
    forSections(cubin, [&](std::string_view name, std::int64_t size) {
      constexpr std::string_view code = ".text.", constants = ".nv.constant";
      if (name.starts_with(code)) {
        if (auto found = bySymbol.find(name.substr(code.size())); found != bySymbol.end())
          found->second->sassBytes = size;
      } else if (name.starts_with(constants)) {
        size_t dot = name.find('.', constants.size());
        if (dot == name.npos)
          return;
        if (auto found = bySymbol.find(name.substr(dot + 1)); found != bySymbol.end())
          found->second->constantBytes += size;
      }
    });
    return {};
  }

  // The first error of "ptxas FILE, line N; error   : text", without the names of files that are
  // gone.
  static std::string complaint(std::string_view output) {
    constexpr std::string_view mark = "error", fatal = "fatal";
    size_t at = std::min(output.find(mark), output.find(fatal));
    if (at == output.npos)
      at = 0;
    else
      at = std::min(output.find_first_not_of(" :", at + mark.size()), output.size());
    return "ptxas says: " + std::string(output.substr(at, output.find('\n', at) - at));
  }

  void runAlone(const std::vector<KernelCost *> &kernels, const std::string &problem) {
    if (kernels.size() == 1) {
      kernels.front()->problem = complaint(problem);
      return;
    }
    for (KernelCost *kernel : kernels) {
      Job job = start({kernel});
      if (std::string own = finish(job); !own.empty())
        runAlone(job.kernels, own);
    }
  }

  // "Function properties for K", then "N bytes stack frame, ...", then "Used N registers, ...".
  static void readReport(std::string_view text,
                         const std::map<std::string, KernelCost *, std::less<>> &bySymbol) {
    KernelCost *kernel = nullptr;
    for (size_t at = 0; at < text.size();) {
      size_t end = std::min(text.find('\n', at), text.size());
      std::string_view line = text.substr(at, end - at);
      at = end + 1;
      constexpr std::string_view heading = "Function properties for ";
      if (size_t begin = line.find(heading); begin != line.npos) {
        std::string_view name = line.substr(begin + heading.size());
        auto found = bySymbol.find(name.substr(0, name.find_first_of(" \r")));
        kernel = found == bySymbol.end() ? nullptr : found->second;
      } else if (kernel && line.find(" bytes stack frame") != line.npos) {
        kernel->localBytes = numberBefore(line, "bytes stack frame");
        kernel->spillStoreBytes = numberBefore(line, "bytes spill stores");
        kernel->spillLoadBytes = numberBefore(line, "bytes spill loads");
      } else if (kernel && line.find(" registers") != line.npos) {
        kernel->registers = static_cast<int>(numberBefore(line, "registers"));
        kernel->barriers = static_cast<int>(numberBefore(line, "barriers"));
        kernel->sharedBytes = numberBefore(line, "bytes smem");
      }
    }
  }

  const PtxModule &module;
  const AssemblerChoice &choice;
  TemporaryFolder scratch;
  int files = 0;
};

std::string cachePath(const AssemblerChoice &choice, const std::string &key) {
  ArchiveWriter writer;
  constexpr int form = 2; // of the entries
  writer(form, choice.version, choice.gpu, choice.optimisation, choice.maxRegisters, key);
  return choice.cache + "/" + contentHash(writer.bytes).text();
}

bool recall(const std::string &path, KernelCost &cost) {
  std::string bytes;
  if (!readFile(path, bytes))
    return false;
  KernelCost found = cost;
  ArchiveReader reader(bytes);
  numbers(reader, found);
  if (!reader.finished())
    return false;
  cost = std::move(found);
  return true;
}

void remember(const std::string &path, const KernelCost &cost) {
  ArchiveWriter writer;
  numbers(writer, cost);
  std::string temporary = path + "." + std::to_string(getpid());
  std::error_code ignored;
  if (writeFile(temporary, writer.bytes))
    std::filesystem::rename(temporary, path, ignored);
}

template <typename Archive, typename Costs>
void fields(Archive &archive, Costs &costs) {
  archive(costs.gpu, costs.compiledFor, costs.missing, costs.noAssembler, costs.compiled,
          costs.remembered, costs.sass, costs.sassMissing);
}

template <typename Archive, typename Cost>
void kernelFields(Archive &archive, Cost &cost) {
  archive(cost.symbol, cost.display, cost.ptxBytes, cost.maxThreads, cost.minBlocks,
          cost.callsOthers, cost.ptx, cost.work);
  numbers(archive, cost);
}

} // namespace

std::string toBytes(const FileCosts &costs) {
  ArchiveWriter writer;
  fields(writer, costs);
  writer(costs.kernels.size());
  for (const KernelCost &kernel : costs.kernels)
    kernelFields(writer, kernel);
  return std::move(writer.bytes);
}

bool fromBytes(std::string_view bytes, FileCosts &costs) {
  ArchiveReader reader(bytes);
  fields(reader, costs);
  size_t count = 0;
  reader(count);
  for (size_t i = 0; i < count && i < bytes.size(); ++i)
    kernelFields(reader, costs.kernels.emplace_back());
  return reader.finished();
}

void addMachineCode(const std::string &ptx, const AssemblerChoice &choice,
                    const std::string &nvdisasm, FileCosts &costs) {
  TemporaryFolder scratch;
  std::string input = scratch.path("code.ptx"), cubin = scratch.path("code.cubin");
  if (!writeFile(input, ptx)) {
    costs.sassMissing = "cannot write " + input;
    return;
  }
  std::vector<std::string> command = {choice.ptxas, "-lineinfo",
                                      "-O" + std::to_string(choice.optimisation),
                                      "-arch=sm_" + std::to_string(choice.gpu), "--compile-only"};
  if (choice.maxRegisters > 0)
    command.push_back("--maxrregcount=" + std::to_string(choice.maxRegisters));
  command.insert(command.end(), {input, "-o", cubin});
  ProcessResult result = runProcess(command);
  if (result.status != 0)
    costs.sassMissing = "ptxas failed: " + result.output.substr(0, result.output.find('\n'));
  else
    costs.sass = disassemble(nvdisasm, cubin, costs.sassMissing);
}

void addCosts(const std::string &ptx, const AssemblerChoice &choice, FileCosts &costs) {
  PtxModule module(ptx);
  std::error_code ignored;
  if (!choice.cache.empty())
    std::filesystem::create_directories(choice.cache, ignored);
  for (const std::string &name : module.kernels()) {
    KernelCost &cost = costs.kernels.emplace_back();
    cost.symbol = cost.display = name;
    cost.callsOthers = module.callsOthers(name);
    cost.work = countWork(name, module.textOf({name}, false));
    if (choice.keepPtx)
      cost.ptx = module.textOf({name}, true);
  }
  std::vector<KernelCost *> wanted;
  std::vector<std::string> paths;
  for (KernelCost &cost : costs.kernels) {
    std::string key = module.keyOf(cost.symbol);
    cost.ptxBytes = static_cast<std::int64_t>(key.size());
    std::string path = choice.cache.empty() ? "" : cachePath(choice, key);
    if (!path.empty() && recall(path, cost)) {
      ++costs.remembered;
      continue;
    }
    wanted.push_back(&cost);
    paths.push_back(std::move(path));
  }
  costs.compiled += static_cast<int>(wanted.size());
  Measurement(module, choice).run(wanted);
  for (size_t i = 0; i < wanted.size(); ++i)
    if (!paths[i].empty() && wanted[i]->problem.empty())
      remember(paths[i], *wanted[i]);
}

} // namespace cufc
