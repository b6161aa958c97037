// Tables of names; those of processors are in tables/options.toml.
#include "driver/option_values.h"
#include "codegen/host_code_options.h"
#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <iterator>

namespace cufc {
namespace {

// Fixed form without a limit: flang still wants one.
constexpr int everyColumn = 10000;

constexpr unsigned usualTraps = trapInvalid | trapDivisionByZero | trapOverflow;

constexpr std::pair<std::string_view, unsigned> traps[] = {
    {"fp", usualTraps},           {"inv", trapInvalid},         {"invalid", trapInvalid},
    {"divz", trapDivisionByZero}, {"zero", trapDivisionByZero}, {"ovf", trapOverflow},
    {"overflow", trapOverflow},   {"unf", trapUnderflow},       {"underflow", trapUnderflow},
    {"denorm", trapDenormal},     {"denormal", trapDenormal},   {"inexact", trapInexact}};

constexpr std::pair<std::string_view, std::string_view> processors[] = {
#define CUF_PROCESSOR(name, llvm) {name, llvm},
#include "tables/options.inc"
#undef CUF_PROCESSOR
};

// Versions whose macros stand for a compiler of today.
constexpr std::string_view nvfortranVersion = "25.9", gfortranVersion = "14.2";

// What the linker takes and the system's compiler does not: -Bstatic, and words behind two hyphens,
// which libtool gives to compilers that it does not know.
bool isLinkersOwn(std::string_view name) {
  return name.starts_with("-B") || name.starts_with("--") || name == "-retain-symbols-file";
}

} // namespace

std::vector<Emit> Emits::list() const {
  std::vector<Emit> all;
  for (Emit one = Emit::Preprocessed; one <= Emit::Nothing;
       one = static_cast<Emit>(static_cast<int>(one) + 1))
    if (has(one))
      all.push_back(one);
  return all;
}

Emits emitsNamed(const std::string &list) {
  static constexpr std::pair<std::string_view, Emit> kinds[] = {
      {"ptx", Emit::Ptx},     {"sass", Emit::Sass},    {"cubin", Emit::Cubin}, {"llvm", Emit::Llvm},
      {"hlfir", Emit::Hlfir}, {"asm", Emit::Assembly}, {"obj", Emit::Object}};
  std::optional<Emits> all;
  for (const std::string &item : splitAtCommas(list))
    for (auto [known, kind] : kinds)
      if (item == known && all)
        all->add(kind);
      else if (item == known)
        all = kind;
  return all.value_or(Emit::Executable);
}

std::string setTraps(const std::string &list, unsigned &mask) {
  for (const std::string &item : splitAtCommas(list)) {
    auto found = std::find_if(std::begin(traps), std::end(traps),
                              [&](const auto &one) { return one.first == item; });
    if (found != std::end(traps))
      mask |= found->second;
    else if (item == "none")
      mask = 0;
    else if (item != "align") // which neither machine needs
      return item;
  }
  return {};
}

std::optional<std::string> processorNamed(const std::string &name) {
  for (auto [known, llvm] : processors)
    if (name == known)
      return std::string(llvm);
  return std::nullopt;
}

std::string processorNames() {
  std::string names;
  for (auto [known, llvm] : processors)
    names += (names.empty() ? "" : ", ") + std::string(known);
  return names;
}

std::string machineNames() {
  std::string names;
  for (const HostMachine &machine : hostMachines)
    names += (names.empty() ? "" : ", ") + std::string(machine.libraries);
  return names;
}

std::optional<bool> checksBounds(const std::string &list) {
  std::optional<bool> result;
  for (const std::string &item : splitAtCommas(list.empty() ? "all" : list))
    if (item == "all" || item == "bounds")
      result = true;
    else if (item == "none" || item == "no-bounds" || item == "no-all")
      result = false;
  return result;
}

std::string otherChecks(const std::string &list) {
  std::string others;
  for (const std::string &item : splitAtCommas(list))
    if (item != "bounds" && item != "none" && item != "no-all" && !item.starts_with("no-"))
      others += (others.empty() ? "" : ",") + item;
  return others;
}

int columnsOf(const OptionRow &row, const std::string &value) {
  if (row.kind == OptionKind::Flag)
    return row.on ? 132 : 72;
  if (value == "none" || value == "0")
    return everyColumn;
  int columns = 0;
  auto [rest, failure] = std::from_chars(value.data(), value.data() + value.size(), columns);
  bool good = failure == std::errc() && rest == value.data() + value.size() && columns >= 7;
  return good ? std::min(columns, everyColumn) : 0;
}

bool isMacroName(const std::string &text) {
  auto belongs = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), belongs);
}

std::string queryOf(const OptionRow &row, const std::string &value) {
  std::string_view name = row.name.substr(row.name.find_last_of('-', 1));
  return std::string(name) + (row.kind == OptionKind::Flag ? "" : "=" + value);
}

bool isInteger(const std::string &text) {
  long long number = 0;
  auto [rest, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failure == std::errc() && rest == text.data() + text.size();
}

std::string conversionNamed(const std::string &value) {
  static constexpr std::pair<std::string_view, std::string_view> names[] = {
      {"native", ""},
      {"swap", "SWAP"},
      {"big-endian", "BIG_ENDIAN"},
      {"little-endian", "LITTLE_ENDIAN"}};
  for (auto [name, text] : names)
    if (value == name)
      return std::string(text);
  return "SWAP"; // -byteswapio has no value
}

void addMacrosOf(const std::string &compiler, std::vector<std::pair<std::string, bool>> &macros) {
  size_t colon = compiler.find(':');
  bool gnu = compiler.starts_with("gfortran");
  std::string version = colon == std::string::npos
                            ? std::string(gnu ? gfortranVersion : nvfortranVersion)
                            : compiler.substr(colon + 1);
  size_t dot = std::min(version.find('.'), version.size());
  std::string major = version.substr(0, dot);
  std::string minor = dot < version.size() ? version.substr(dot + 1) : "0";
  auto define = [&](std::string_view name, std::string_view value) {
    macros.emplace_back(fmt::format("{}={}", name, value), true);
  };
  if (gnu) {
    for (const char *name : {"__GFORTRAN__", "_LANGUAGE_FORTRAN"})
      define(name, "1");
    define("__GNUC__", major);
    define("__GNUC_MINOR__", minor);
    define("__GNUC_PATCHLEVEL__", "0");
    return;
  }
  for (const char *name : {"__NVCOMPILER", "__NVCOMPILER_LLVM__", "__PGI", "__PGLLVM__"})
    define(name, "1");
  for (const char *prefix : {"__NVCOMPILER_", "__PGIF90_"}) {
    bool own = std::string_view(prefix) == "__NVCOMPILER_";
    define(own ? "__NVCOMPILER_MAJOR__" : "__PGIF90__", major);
    define(fmt::format("{}MINOR__", prefix), minor);
    define(fmt::format("{}PATCHLEVEL__", prefix), "0");
  }
  for (const auto &[name, value] : {std::pair<const char *, std::string>{"__PGIC__", major},
                                    {"__PGIC_MINOR__", minor},
                                    {"__PGIC_PATCHLEVEL__", "0"}})
    define(name, value);
}

// nvfortran's names are those of the files but for these; a version may stand behind a colon.
static std::vector<std::string> librariesOf(const std::string &item) {
  std::string name = item.substr(0, item.find(':'));
  if (name == "cusolver")
    return {"cusolver", "cublas", "cusparse"};
  if (name == "cufftw")
    return {"cufftw", "cufft"};
  if (name == "nvshmem")
    return {"nvshmem_host", "nvshmem_device"};
  if (name == "nvtx" || name == "nvtx3")
    return {"nvToolsExt"};
  return {name};
}

std::vector<std::string> addInformation(bool missed, const std::string &list, Options &options) {
  static constexpr std::string_view ofGpu[] = {"accel", "acc", "all", "cuda", "ptxinfo"};
  static constexpr std::string_view ofHost[] = {"all",    "loop",   "vect", "opt",
                                                "inline", "unroll", "lre"};
  std::vector<std::string> unknown;
  for (const std::string &item : splitAtCommas(list.empty() ? "all" : list)) {
    bool gpu = std::find(std::begin(ofGpu), std::end(ofGpu), item) != std::end(ofGpu);
    bool host = std::find(std::begin(ofHost), std::end(ofHost), item) != std::end(ofHost);
    if (missed)
      options.hostMissed |= host;
    else
      options.info |= gpu, options.hostInfo |= host;
    if (!gpu && !host)
      unknown.push_back(item);
  }
  return unknown;
}

void addCudaLibraries(const std::string &list, std::vector<std::string> &libraries) {
  for (const std::string &item : splitAtCommas(list))
    for (const std::string &library : librariesOf(item))
      if (std::find(libraries.begin(), libraries.end(), library) == libraries.end())
        libraries.push_back(library);
}

std::string linkerArgument(const OptionRow &row, const std::string &value) {
  std::string name(row.name);
  if (name == "-rpath" || name == "-R")
    return "-Wl,-rpath," + value;
  if (name == "-Xlinker")
    return "-Wl," + value;
  if (name == "-soname" || name == "-z" || name == "-u")
    return "-Wl," + name + "," + value;
  if (isLinkersOwn(name))
    return "-Wl," + name + (row.kind == OptionKind::Flag ? "" : "," + value);
  return name + (row.kind == OptionKind::Equals ? "=" : "") + value;
}

} // namespace cufc
