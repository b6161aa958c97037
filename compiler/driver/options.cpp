// Command line parsing: a look-up in the table, then what each identifier does, most as a field.
#include "driver/options.h"
#include "base/command_line_diag.h"
#include "base/diag.h"
#include "base/diagnostic_formats.h"
#include "base/option_table.h"
#include "driver/gpu_items.h"
#include "driver/option_values.h"
#include "driver/parallel_items.h"
#include "driver/response_files.h"
#include <algorithm>
#include <fmt/format.h>

namespace cufc {
namespace {

using Id = OptionId;

class Parser {
public:
  Parser(const std::vector<std::string> &arguments, Diagnostics &diagnostics)
      : arguments(withResponseFiles(arguments, diagnostics)), diagnostics(diagnostics) {}

  Options run() {
    for (size_t at = 0; at < arguments.size();) {
      const std::string &argument = arguments[at];
      if (argument.size() < 2 || argument[0] != '-') {
        options.inputs.push_back(arguments[at++]);
        continue;
      }
      OptionMatch found = matchOption(arguments, at);
      at += found.taken;
      if (!found.row) {
        reportUnknown(argument, nearestOption(argument));
      } else if (found.missingValue) {
        report(Diag::OptionNeedsValue, std::string(found.row->name), std::string(found.row->value));
      } else if (std::string wrong = wrongItem(*found.row, found.value); !wrong.empty()) {
        report(Diag::BadOptionValue, wrong, std::string(found.row->name), valuesOf(*found.row));
      } else {
        apply(*found.row, found.value);
      }
    }
    finish();
    return std::move(options);
  }

private:
  void reportUnknown(const std::string &option, const std::string &guess) {
    report(Diag::UnknownOption, option, guess.empty() ? "" : "; did you mean " + guess + "?");
  }

  void reportUnknownGpu(const std::string &item, const std::string &guess) {
    if (guess.empty())
      return report(Diag::UnknownGpu, item, gpuNames());
    reportUnknown("-gpu=" + item, "-gpu=" + guess);
  }

  template <typename... Arguments>
  void report(DiagnosticId<Arguments...> id, const typename AsIs<Arguments>::type &...arguments) {
    diagnostics.report(id, {}, arguments...);
  }

  void finish() {
    if (defaultReal8 && !double8)
      note("-fdefault-real-8", "DOUBLE PRECISION keeps kind 8, since there is no kind 16 here");
    for (const ParallelItem &found : accelerators)
      if (options.cuda) {
        note("-ta", std::string(acceleratorBesideCuda));
        applyGpu(found.item, true);
      } else {
        report(Diag::OptionRefused, found.spelled, found.text);
      }
    // Meson asks so which linker there is.
    if (options.inputs.empty() &&
        options.linkArguments == std::vector<std::string>{"-Wl,--version"})
      options.query = options.linkArguments.front();
    for (const std::string &text : ignored)
      if (options.verbose)
        report(Diag::OptionIgnored, text);
  }

  // Once for each reason: makefiles say the same for every file and more than once.
  void note(const std::string &option, const std::string &text) {
    if (std::find(notes.begin(), notes.end(), option) != notes.end())
      return;
    notes.push_back(option);
    report(CommandLineDiag::OptionNoted, option, text);
  }

  void apply(const OptionRow &row, const std::string &value) {
    std::string name(row.name);
    if (row.fate == OptionFate::Quiet) {
      ignored.push_back(fmt::format("{}: {}", name, row.help));
    } else if (row.fate == OptionFate::Noted) {
      note(name, std::string(row.help));
    } else if (row.fate == OptionFate::Refused) {
      report(Diag::OptionRefused, name, std::string(row.help));
    } else if (bool *target = switchOf(row.id)) {
      *target = row.on;
    } else if (row.id == Id::Query) {
      options.query = queryOf(row, value);
    } else if (std::string *text = textOf(row.id)) {
      *text = value;
    } else if (!applyOutput(row) && !applyCode(row, value) && !applyLanguage(row, value)) {
      applyFiles(row, value);
    }
  }

  // The field that an option sets to true or, in its negated spellings, to false.
  bool *switchOf(Id id) {
    switch (id) {
    case Id::Annotate:
      return &options.annotate;
    case Id::Debug:
      return &options.debug;
    case Id::Warnings:
      return &options.warnings;
    case Id::WarningsAreErrors:
      return &options.warningsAreErrors;
    case Id::Verbose:
      return &options.verbose;
    case Id::DryRun:
      return &options.dryRun;
    case Id::Version:
      return &options.version;
    case Id::BareVersion:
      return &options.bareVersion;
    case Id::TargetTriple:
      return &options.targetTriple;
    case Id::Help:
      return &options.help;
    case Id::Cuda:
      return &options.cuda;
    case Id::LargeArrays:
      return &options.largeArrays;
    case Id::Bounds:
      return &options.bounds;
    case Id::Real8:
      return &options.real8;
    case Id::Backslash:
      return &options.backslashEscapes;
    case Id::Shared:
      return &options.shared;
    case Id::PlainText:
      return &options.plainText;
    case Id::Listing:
      return &options.listing;
    case Id::Keep:
      return &options.keep;
    case Id::PhonyTargets:
      return &options.phonyTargets;
    case Id::StackArrays:
      return &options.language.stackArrays;
    default:
      return switchOfLanguage(id) ? switchOfLanguage(id) : switchOfHostCode(id);
    }
  }

  bool *switchOfLanguage(Id id) {
    switch (id) {
    case Id::Integer8:
      return &options.language.integer8;
    case Id::ImplicitNone:
      return &options.language.implicitNone;
    case Id::SaveLocals:
      return &options.language.saveLocals;
    case Id::Standard:
      return &options.language.standard;
    case Id::DebugLines:
      return &options.language.debugLines;
    case Id::Reallocate:
      return &options.language.reallocate;
    case Id::Underscore:
      return &options.language.underscore;
    default:
      return nullptr;
    }
  }

  bool *switchOfHostCode(Id id) {
    HostCodeOptions &host = options.host;
    switch (id) {
    case Id::Vectorise:
      return &host.vectorise;
    case Id::Unroll:
      return &host.unroll;
    case Id::Inline:
      return &host.inlining;
    case Id::Fuse:
      return &host.fuse;
    case Id::Associative:
      return &host.relaxed.associative;
    case Id::Reciprocal:
      return &host.relaxed.reciprocal;
    case Id::Approximate:
      return &host.relaxed.approximate;
    case Id::Finite:
      return &host.relaxed.finite;
    case Id::UnsignedZeros:
      return &host.relaxed.unsignedZeros;
    case Id::Profile:
      return &host.profile;
    case Id::FindRaces:
      return &host.findRaces;
    case Id::Traceback:
      return &host.traceback;
    case Id::FramePointers:
      return &host.framePointers;
    case Id::FlushResults:
      return &host.flushResults;
    case Id::FlushOperands:
      return &host.flushOperands;
    default:
      return nullptr;
    }
  }

  std::string *textOf(Id id) {
    switch (id) {
    case Id::Output:
      return &options.output;
    case Id::ModuleDirectory:
      return &options.moduleDirectory;
    case Id::CodeModel:
      return &options.host.codeModel;
    case Id::Tune:
      return &options.host.tune;
    case Id::InitialReal:
      return &options.language.initial.real;
    case Id::InitialLogical:
      return &options.language.initial.logical;
    default:
      return nullptr;
    }
  }

  bool applyOutput(const OptionRow &row) {
    static constexpr std::pair<Id, Emit> outputs[] = {{Id::CompileOnly, Emit::Object},
                                                      {Id::Assembly, Emit::Assembly},
                                                      {Id::PreprocessOnly, Emit::Preprocessed},
                                                      {Id::SyntaxOnly, Emit::Nothing}};
    for (auto [id, emit] : outputs)
      if (row.id == id) {
        options.emit = emit;
        return true;
      }
    static constexpr std::pair<Id, int> levels[] = {{Id::O0, 0}, {Id::O1, 1},   {Id::O2, 2},
                                                    {Id::O3, 3}, {Id::Fast, 3}, {Id::Ofast, 3}};
    for (auto [id, level] : levels)
      if (row.id == id) {
        options.optimisation = level;
        if (id == Id::Ofast)
          relax(true);
        return true;
      }
    return false;
  }

  void relax(bool on) {
    options.host.relaxed = {on, on, on, on, on};
    options.host.fuse |= on;
  }

  bool applyCode(const OptionRow &row, const std::string &value) {
    HostCodeOptions &host = options.host;
    switch (row.id) {
    case Id::FastMath:
      relax(row.on);
      return true;
    case Id::UnsafeMath:
      host.relaxed.associative = host.relaxed.reciprocal = host.relaxed.unsignedZeros = row.on;
      return true;
    case Id::Contraction:
      host.fuse = value != "off";
      return true;
    case Id::Traps:
      if (std::string wrong = setTraps(value, host.traps); !wrong.empty())
        report(Diag::BadOptionValue, wrong, std::string(row.name), std::string(trapNames));
      return true;
    case Id::Target:
      if (const HostMachine *machine = findHostMachine(value))
        host.machine = machine;
      else
        report(Diag::BadOptionValue, value, std::string(row.name), machineNames());
      return true;
    case Id::Processor:
      applyProcessor(row, value);
      return true;
    case Id::Feature:
      host.features.push_back((row.on ? "+" : "-") + std::string(row.name.substr(row.on ? 2 : 5)));
      return true;
    case Id::Check:
      options.bounds = checksBounds(value).value_or(options.bounds);
      if (std::string others = otherChecks(value); !others.empty())
        note(std::string(row.name) + "=" + others, "only the bounds of arrays are checked");
      return true;
    case Id::Info:
    case Id::MissedInfo:
      for (const std::string &item : addInformation(row.id == Id::MissedInfo, value, options))
        ignored.push_back(fmt::format("-Minfo={}: nothing is known of it", item));
      return true;
    default:
      return false;
    }
  }

  void applyProcessor(const OptionRow &row, const std::string &value) {
    std::vector<std::string> names = splitAtCommas(value);
    std::string name = names.empty() ? value : names.front();
    std::optional<std::string> known = row.name == "-tp" ? processorNamed(name) : name;
    if (!known)
      report(Diag::BadOptionValue, name, std::string(row.name), processorNames());
    else
      options.host.cpu = *known;
    if (names.size() > 1)
      note(std::string(row.name) + "=" + value, "code is made for " + name + " alone");
  }

  bool applyLanguage(const OptionRow &row, const std::string &value) {
    switch (row.id) {
    case Id::Mcuda:
      options.cuda = true;
      applyGpu(value, true);
      return true;
    case Id::Gpu:
      applyGpu(value, false);
      return true;
    case Id::FixedForm:
      options.fixedForm = row.on;
      return true;
    case Id::Columns:
      options.language.fixedColumns = columnsOf(row, value);
      if (options.language.fixedColumns == 0)
        report(Diag::BadOptionValue, value, std::string(row.name),
               std::string("none, 0, or a number from 7 on"));
      return true;
    case Id::Preprocess:
      options.preprocess = row.on;
      return true;
    case Id::DefaultReal8:
      options.real8 = defaultReal8 = row.on;
      return true;
    case Id::Double8:
      double8 = row.on;
      return true;
    case Id::Allocatable:
      options.language.reallocate = value != "95";
      return true;
    case Id::Conversion:
      options.language.conversion = conversionNamed(row.on ? value : "native");
      return true;
    case Id::InitialInteger:
      options.language.initial.integer = value;
      if (!isInteger(value))
        report(Diag::BadOptionValue, value, std::string(row.name), std::string("a number"));
      return true;
    case Id::InitialLocals:
      options.language.initial = {"zero", "0", "false"};
      return true;
    case Id::SourceLanguage:
      options.cuda |= value.starts_with("cu");
      if (value != "none")
        options.unknownIsFixed = value.starts_with("f77");
      if (value.starts_with("f"))
        options.preprocess = value.ends_with("-input");
      return true;
    case Id::Pretend:
      addMacrosOf(value, options.macros);
      return true;
    case Id::LeastSeverity:
      options.warnings = value != "severe" && value != "fatal";
      options.informs = value.starts_with("inform");
      return true;
    default:
      return false;
    }
  }

  void applyParallel(const OptionRow &row, const std::string &value) {
    Id id = row.id;
    for (Id list : {Id::Openmp, Id::Openacc, Id::Accelerator, Id::Concurrent})
      if (id == list)
        applyParallelItems(parallelOption(row.name), value);
    if (id == Id::NoOpenmp || id == Id::OpenmpVersion)
      setOpenmp(options, openmpVersion(value));
    else if (id == Id::NoOpenacc)
      clearOpenacc(options);
  }

  void applyParallelItems(const std::string &option, const std::string &list) {
    for (const ParallelItem &found : cufc::applyParallelItems(option, splitAtCommas(list), options))
      if (found.state == ParallelItemState::Refused)
        report(Diag::OptionRefused, found.spelled, found.text);
      else if (found.state == ParallelItemState::Ignored)
        ignored.push_back(fmt::format("{}: {}", found.spelled, found.text));
      else if (found.state == ParallelItemState::Unknown)
        report(Diag::BadOptionValue, found.item, option, found.text);
      else if (found.state == ParallelItemState::OfGpu)
        accelerators.push_back(found);
  }

  void applyFiles(const OptionRow &row, const std::string &value) {
    switch (row.id) {
    case Id::Include:
      return options.includes.push_back(value);
    case Id::LlvmOption:
      return options.llvmOptions.push_back(value);
    case Id::NoWorkaround:
      return void(options.language.leftOut += "," + value);
    case Id::Define:
    case Id::Undefine:
      applyMacro(value, row.id == Id::Define);
      break;
    case Id::DependencyTarget:
      return options.dependencyTargets.push_back(value);
    case Id::DependenciesOnly:
      options.dependenciesOnly = true;
      options.emit = Emit::Nothing;
      [[fallthrough]];
    case Id::Dependencies:
      return void(options.dependencies = true);
    case Id::DependencyFile:
      options.dependencies = true;
      options.dependencyFile = value;
      break;
    case Id::LinkerOption: // as the system's compiler spells it
      options.linkArguments.push_back(linkerArgument(row, value));
      options.linkPlaces.push_back(options.inputs.size());
      break;
    case Id::CudaLibrary:
      addCudaLibraries(value, options.cudaLibraries);
      break;
    case Id::Mpi:
    case Id::NoMpi:
      options.mpi = row.id == Id::Mpi;
      options.noMpi = !options.mpi;
      options.mpiName = value;
      break;
    case Id::DiagnosticsFormat:
      return applyDiagnosticsFormat(value);
    case Id::DiagnosticsColour:
      options.colour = value == "auto" ? std::nullopt : std::optional(row.on && value != "never");
      break;
    case Id::Emit:
      options.emit = emitsNamed(value);
      break;
    default:
      applyParallel(row, value);
      break;
    }
  }

  void applyMacro(const std::string &value, bool define) {
    std::string name = define ? value.substr(0, value.find('=')) : value;
    if (!isMacroName(name))
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

  void applyGpu(const std::string &list, bool inMcuda) {
    for (const std::string &item : splitAtCommas(list)) {
      GpuItemResult found = applyGpuItem(item, inMcuda, options);
      if (found.state == GpuItemState::Ignored)
        ignored.push_back(fmt::format("-gpu={}: {}", item, found.help));
      else if (found.state == GpuItemState::Noted)
        note("-gpu=" + item, std::string(found.help));
      else if (found.state == GpuItemState::Refused)
        report(Diag::GpuModeUnsupported, item);
      else if (found.state == GpuItemState::Wrong)
        report(Diag::BadOptionValue, item, std::string("-gpu"), std::string(found.help));
      else if (found.state == GpuItemState::Unknown)
        reportUnknownGpu(item, nearestGpuItem(item));
    }
  }

  const std::vector<std::string> arguments;
  Diagnostics &diagnostics;
  Options options;
  bool defaultReal8 = false, double8 = false;
  std::vector<std::string> ignored, notes;
  std::vector<ParallelItem> accelerators; // of -ta=, a GPU
};

} // namespace

Options parseOptions(const std::vector<std::string> &arguments, Diagnostics &diagnostics) {
  return Parser(arguments, diagnostics).run();
}

} // namespace cufc
