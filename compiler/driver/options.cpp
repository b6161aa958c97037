// Command line parsing: a look-up in the generated option table, then one switch over the ids.
#include "driver/options.h"
#include "base/diag.h"
#include "base/diagnostic_formats.h"
#include "base/source_text.h"
#include "driver/gpu_items.h"
#include "driver/parallel_items.h"
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>

namespace cufc {
namespace {

enum class Kind { Flag, Joined, Separate, Equals, Optional };

enum class Id {
#define CUF_OPTION_ID(id) id,
#include "tables/options.inc"
#undef CUF_OPTION_ID
};

struct Row {
  std::string_view name;
  Kind kind;
  Id id;
  std::string_view value;
  std::string_view group;
  std::string_view help;
};

constexpr Row rows[] = {
#define CUF_OPTION(name, kind, id, value, group, help)                                             \
  {name, Kind::kind, Id::id, value, group, help},
#include "tables/options.inc"
#undef CUF_OPTION
};

// One option found on the command line: its row, the value, and how many arguments it took.
struct Match {
  const Row *row = nullptr;
  std::string value;
  bool missingValue = false;
  int taken = 1;
};

bool matches(const Row &row, const std::string &argument) {
  if (argument == row.name)
    return true;
  if (row.kind == Kind::Joined)
    return argument.starts_with(row.name);
  if (row.kind == Kind::Equals || row.kind == Kind::Optional)
    return argument.starts_with(std::string(row.name) + "=");
  return false;
}

// The longest name wins, so that -Mcuda is not read as -M.
const Row *findRow(const std::string &argument) {
  const Row *best = nullptr;
  for (const Row &row : rows)
    if (matches(row, argument) && (!best || row.name.size() > best->name.size()))
      best = &row;
  return best;
}

Match match(const std::vector<std::string> &arguments, size_t at) {
  const std::string &argument = arguments[at];
  Match result{findRow(argument), {}, false, 1};
  if (!result.row || result.row->kind == Kind::Flag)
    return result;
  bool alone = argument == result.row->name;
  if (!alone) {
    bool equals = result.row->kind == Kind::Equals || result.row->kind == Kind::Optional;
    result.value = argument.substr(result.row->name.size() + (equals ? 1 : 0));
    result.missingValue = result.value.empty();
  } else if (result.row->kind == Kind::Joined || result.row->kind == Kind::Separate) {
    result.missingValue = at + 1 >= arguments.size();
    if (!result.missingValue)
      result.value = arguments[at + 1];
    result.missingValue = result.value.empty();
    result.taken = 2;
  } else {
    result.missingValue = result.row->kind == Kind::Equals;
  }
  return result;
}

std::vector<std::string> splitList(const std::string &list) {
  std::vector<std::string> items;
  for (size_t begin = 0; begin <= list.size();) {
    size_t end = std::min(list.find(',', begin), list.size());
    if (end > begin)
      items.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return items;
}

// The option's name that is nearest to a mistyped one by edit distance, or empty.
std::string nearest(const std::string &argument) {
  std::string typed = argument.substr(0, argument.find('='));
  size_t bestDistance = 3;
  std::string best;
  for (const Row &row : rows)
    if (size_t distance = editDistance(typed, row.name);
        distance < bestDistance && row.group != "refused") {
      bestDistance = distance;
      best = row.name;
    }
  return best;
}

class Parser {
public:
  Parser(const std::vector<std::string> &arguments, Diagnostics &diagnostics)
      : arguments(arguments), diagnostics(diagnostics) {}

  Options run() {
    for (size_t at = 0; at < arguments.size();) {
      const std::string &argument = arguments[at];
      if (argument.size() < 2 || argument[0] != '-') {
        options.inputs.push_back(argument);
        ++at;
        continue;
      }
      Match found = match(arguments, at);
      at += found.taken;
      if (!found.row) {
        std::string guess = nearest(argument);
        report(Diag::UnknownOption, argument, guess.empty() ? "" : "; did you mean " + guess + "?");
      } else if (found.missingValue) {
        report(Diag::OptionNeedsValue, std::string(found.row->name), std::string(found.row->value));
      } else {
        apply(*found.row, found.value);
      }
    }
    for (const std::string &text : ignored)
      if (options.verbose)
        report(Diag::OptionIgnored, text);
    return std::move(options);
  }

private:
  template <typename... Arguments>
  void report(DiagnosticId<Arguments...> id, const typename AsIs<Arguments>::type &...arguments) {
    diagnostics.report(id, {}, arguments...);
  }

  void apply(const Row &row, const std::string &value) {
    if (row.group == "ignored")
      ignored.push_back(fmt::format("{}: {}", row.name, row.help));
    else if (row.group == "refused")
      report(Diag::OptionRefused, std::string(row.name), std::string(row.help));
    else if (!applyLevel(row.id) && !applyOutput(row.id, value) && !applyLanguage(row.id, value) &&
             !applyParallel(row.id, value))
      applyFiles(row.id, value);
  }

  bool applyLevel(Id id) {
    static constexpr std::pair<Id, int> levels[] = {
        {Id::O0, 0}, {Id::O1, 1}, {Id::O2, 2}, {Id::O3, 3}, {Id::Fast, 3}};
    for (auto [level, number] : levels)
      if (id == level) {
        options.optimisation = number;
        return true;
      }
    return false;
  }

  bool applyOutput(Id id, const std::string &value) {
    switch (id) {
    case Id::Output:
      options.output = value;
      return true;
    case Id::CompileOnly:
      options.emit = Emit::Object;
      return true;
    case Id::Assembly:
      options.emit = Emit::Assembly;
      return true;
    case Id::PreprocessOnly:
      options.emit = Emit::Preprocessed;
      return true;
    case Id::SyntaxOnly:
      options.emit = Emit::Nothing;
      return true;
    case Id::Annotate:
      options.annotate = options.lineInfo = true;
      return true;
    case Id::Emit:
      applyEmit(value);
      return true;
    case Id::Debug:
      options.debug = true;
      return true;
    case Id::Info:
      options.info = true;
      return true;
    case Id::NoWarnings:
      options.warnings = false;
      return true;
    case Id::DiagnosticsFormat:
      applyDiagnosticsFormat(value);
      return true;
    case Id::DiagnosticsColour:
      applyColour(value);
      return true;
    case Id::Verbose:
      options.verbose = true;
      return true;
    case Id::Version:
      options.version = true;
      return true;
    case Id::BareVersion:
      options.bareVersion = true;
      return true;
    case Id::Help:
      options.help = true;
      return true;
    default:
      return false;
    }
  }

  bool applyLanguage(Id id, const std::string &value) {
    switch (id) {
    case Id::Cuda:
      options.cuda = true;
      return true;
    case Id::Mcuda:
      options.cuda = true;
      applyGpu(value);
      return true;
    case Id::Gpu:
      applyGpu(value);
      return true;
    case Id::LargeArrays:
      options.largeArrays = true;
      return true;
    case Id::Bounds:
      options.bounds = true;
      return true;
    case Id::NoBounds:
      options.bounds = false;
      return true;
    case Id::Real8:
      options.real8 = true;
      return true;
    case Id::FixedForm:
      options.fixedForm = true;
      return true;
    case Id::FreeForm:
      options.fixedForm = false;
      return true;
    case Id::Extend:
      options.extendedLines = true;
      return true;
    case Id::Preprocess:
    case Id::NoPreprocess:
      options.preprocess = id == Id::Preprocess;
      return true;
    case Id::Backslash:
      options.backslashEscapes = true;
      return true;
    case Id::NoBackslash:
      options.backslashEscapes = false;
      return true;
    default:
      return false;
    }
  }

  bool applyParallel(Id id, const std::string &value) {
    switch (id) {
    case Id::Openmp:
      applyParallelItems("-mp", value);
      return true;
    case Id::NoOpenmp:
      setOpenmp(options, 0);
      return true;
    case Id::OpenmpVersion:
      setOpenmp(options, openmpVersion(value));
      if (!openmpOf(options))
        report(Diag::BadOptionValue, value, std::string("-fopenmp-version"),
               std::string("31, 40, 45, 50, 51, 52 or 60"));
      return true;
    case Id::Openacc:
      applyParallelItems("-acc", value);
      return true;
    case Id::NoOpenacc:
      clearOpenacc(options);
      return true;
    case Id::Concurrent:
      applyParallelItems("-stdpar", value);
      return true;
    default:
      return false;
    }
  }

  // -acc=sync alone asks for OpenACC where -acc does, so what it is for must be said too.
  void applyParallelItems(const std::string &option, const std::string &list) {
    bool placed = false;
    for (const std::string &item : splitList(list)) {
      placed |= item == "gpu" || item == "host" || item == "multicore";
      placed |= !applyParallelItem(option, item); // whose place nobody knows
    }
    if (!placed)
      applyParallelItem(option, "");
  }

  // False if there is no such item.
  bool applyParallelItem(const std::string &option, const std::string &item) {
    ParallelItemResult found = cufc::applyParallelItem(option, item, options);
    std::string spelled = item.empty() ? option : option + "=" + item;
    if (found.state == ParallelItemState::Refused)
      report(Diag::OptionRefused, spelled, std::string(found.text));
    else if (found.state == ParallelItemState::Ignored)
      ignored.push_back(fmt::format("{}: {}", spelled, found.text));
    else if (found.state == ParallelItemState::Unknown)
      report(Diag::BadOptionValue, item, option, std::string(found.text));
    return found.state != ParallelItemState::Unknown;
  }

  void applyFiles(Id id, const std::string &value) {
    switch (id) {
    case Id::Include:
      options.includes.push_back(value);
      break;
    case Id::Define:
    case Id::Undefine:
      applyMacro(value, id == Id::Define);
      break;
    case Id::ModuleDirectory:
      options.moduleDirectory = value;
      break;
    case Id::Dependencies:
      options.dependencies = true;
      break;
    case Id::DependencyFile:
      options.dependencies = true;
      options.dependencyFile = value;
      break;
    case Id::LibraryDirectory:
      options.linkArguments.push_back("-L" + value);
      break;
    case Id::Library:
      options.linkArguments.push_back("-l" + value);
      break;
    case Id::LinkerOption:
      options.linkArguments.push_back("-Wl," + value);
      break;
    case Id::Shared:
      options.shared = true;
      break;
    case Id::CudaLibrary:
      applyCudaLibraries(value);
      break;
    default:
      break;
    }
  }

  void applyMacro(const std::string &value, bool define) {
    std::string name = define ? value.substr(0, value.find('=')) : value;
    auto belongs = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) ||
        !std::all_of(name.begin(), name.end(), belongs))
      report(Diag::BadMacro, name);
    else
      options.macros.emplace_back(value, define);
  }

  void applyDiagnosticsFormat(const std::string &value) {
    if (std::optional<DiagnosticFormat> format = formatNamed(value))
      options.diagnosticFormat = *format;
    else
      report(Diag::BadOptionValue, value, std::string("-fdiagnostics-format"),
             std::string(formatNames));
  }

  void applyColour(const std::string &value) {
    if (value.empty() || value == "always")
      options.colour = true;
    else if (value == "never")
      options.colour = false;
    else if (value == "auto")
      options.colour.reset();
    else
      report(Diag::BadOptionValue, value, std::string("-fdiagnostics-color"),
             std::string("auto, always or never"));
  }

  void applyEmit(const std::string &value) {
    static constexpr std::pair<std::string_view, Emit> kinds[] = {
        {"ptx", Emit::Ptx},   {"sass", Emit::Sass},   {"cubin", Emit::Cubin},
        {"llvm", Emit::Llvm}, {"hlfir", Emit::Hlfir}, {"asm", Emit::Assembly},
        {"obj", Emit::Object}};
    for (auto [name, kind] : kinds)
      if (value == name) {
        options.emit = kind;
        return;
      }
    report(Diag::BadOptionValue, value, std::string("--emit"),
           std::string("ptx, sass, cubin, llvm, hlfir, asm or obj"));
  }

  void applyGpu(const std::string &list) {
    for (const std::string &item : splitList(list)) {
      if (applyGpuFlag(item))
        continue;
      if (item.starts_with("maxregcount:")) {
        const char *number = item.data() + std::strlen("maxregcount:");
        const char *end = item.data() + item.size();
        auto [rest, failure] = std::from_chars(number, end, options.maxRegisters);
        bool whole = failure == std::errc() && rest == end;
        if (!whole || options.maxRegisters < 16 || options.maxRegisters > 255)
          report(Diag::BadOptionValue, item, std::string("-gpu"),
                 std::string("maxregcount:N with N from 16 to 255"));
      } else if (std::optional<Gpu> gpu = findGpu(item)) {
        auto same = [&](const Gpu &other) { return other.number == gpu->number; };
        if (std::none_of(options.gpus.begin(), options.gpus.end(), same))
          options.gpus.push_back(*gpu);
      } else {
        report(Diag::UnknownGpu, item, gpuNames());
      }
    }
  }

  bool applyGpuFlag(const std::string &item) {
    GpuItemResult found = applyGpuItem(item, options);
    if (found.state == GpuItemState::Ignored)
      ignored.push_back(fmt::format("-gpu={}: {}", item, found.help));
    else if (found.state == GpuItemState::Refused)
      report(Diag::GpuModeUnsupported, item);
    if (found.state != GpuItemState::Unknown)
      return true;
    bool version = item.starts_with("cuda") && item.size() > 4 &&
                   item.find_first_not_of("0123456789.", 4) == std::string::npos;
    if (version) {
      ignored.push_back(fmt::format("-gpu={}: the toolkit that is found is used", item));
      return true;
    }
    return false;
  }

  void applyCudaLibraries(const std::string &list) {
    static constexpr std::string_view known[] = {"cublas", "cufft", "curand", "cusolver",
                                                 "cusparse"};
    for (const std::string &item : splitList(list))
      if (std::find(std::begin(known), std::end(known), item) != std::end(known))
        options.cudaLibraries.push_back(item);
      else
        report(Diag::BadOptionValue, item, std::string("-cudalib"),
               std::string("cublas, cufft, curand, cusolver or cusparse"));
  }

  const std::vector<std::string> &arguments;
  Diagnostics &diagnostics;
  Options options;
  std::vector<std::string> ignored;
};

} // namespace

Options parseOptions(const std::vector<std::string> &arguments, Diagnostics &diagnostics) {
  return Parser(arguments, diagnostics).run();
}

std::string helpText() {
  std::string text = "cufc: compiler for CUDA Fortran\n\nUse: cufc [options] file...\n"
                     "Sources: .cuf .CUF .f90 .F90 .f .F .cu; .o and .a files are linked.\n";
  for (std::string_view group :
       {"Output", "Code", "Language", "CUDA", "Files", "Linking", "Messages"}) {
    text += fmt::format("\n{}:\n", group);
    for (const Row &row : rows) {
      if (row.group != group)
        continue;
      std::string form(row.name);
      if (row.kind == Kind::Equals)
        form += "=" + std::string(row.value);
      else if (row.kind == Kind::Optional)
        form += "[=" + std::string(row.value) + "]";
      else if (row.kind != Kind::Flag)
        form += " " + std::string(row.value);
      text += fmt::format("  {:<20} {}\n", form, row.help);
    }
  }
  return text;
}

} // namespace cufc
