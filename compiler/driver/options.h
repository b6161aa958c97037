// The command line of cufc, from tables/options.toml, as one plain value.
#ifndef CUFC_DRIVER_OPTIONS_H
#define CUFC_DRIVER_OPTIONS_H

#include "base/diagnostics.h"
#include "base/gpus.h"
#include "codegen/host_code_options.h"
#include "source/language_options.h"
#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cufc {

// What a compilation can write, in the order of its stages.
enum class Emit {
  Preprocessed,
  Hlfir,
  Llvm,
  Ptx,
  Cubin,
  Sass,
  Assembly,
  Object,
  Executable,
  Nothing
};

// What it shall write: one of them, or several of --emit's.
class Emits {
public:
  Emits(Emit one) : bits(bit(one)) {}
  void add(Emit one) { bits |= bit(one); }
  bool has(Emit one) const { return (bits & bit(one)) != 0; }
  bool hasAny(std::initializer_list<Emit> some) const {
    return std::any_of(some.begin(), some.end(), [&](Emit one) { return has(one); });
  }
  // In the order of the stages.
  std::vector<Emit> list() const;
  bool operator==(const Emits &) const = default;

private:
  static unsigned bit(Emit one) { return 1U << static_cast<unsigned>(one); }
  unsigned bits;
};

struct Options {
  std::vector<std::string> inputs; // sources, objects and libraries in the order given
  std::string output;              // empty: derived
  Emits emit = Emit::Executable;
  bool annotate = false; // PTX and machine code with the lines of the source
  int optimisation = 2;  // 0 to 3
  bool debug = false;
  bool verbose = false;
  DiagnosticFormat diagnosticFormat = DiagnosticFormat::Text;
  std::optional<bool> colour; // of messages; otherwise on a terminal
  bool warnings = true;
  bool warningsAreErrors = false;
  bool informs = false;    // -Minform=inform: also what is no reason for a warning
  bool info = false;       // -Minfo=accel, -gpu=ptxinfo
  bool hostInfo = false;   // -Minfo=loop: what became of loops of host code
  bool hostMissed = false; // -Mneginfo: and why others did not
  bool dryRun = false;     // -###: print what would be run
  bool help = false;
  bool version = false;
  bool bareVersion = false;  // -dumpversion
  bool targetTriple = false; // -dumpmachine
  std::string query;         // -print-search-dirs and its like, with "=" and a value

  bool cuda = false;              // CUDA Fortran in files of every suffix
  std::optional<bool> preprocess; // otherwise by suffix
  std::optional<bool> fixedForm;  // otherwise by suffix
  int fixedColumns = 72;          // of a line in fixed form
  bool backslashEscapes = false;
  bool real8 = false;
  LanguageOptions language;

  std::vector<Gpu> gpus;                    // empty: the default set
  bool nativeGpu = false;                   // that of this machine
  std::vector<std::string> toolkitVersions; // -gpu=cudaX.Y, as they were asked for
  bool hostOnly = false;                    // no GPU code
  bool keep = false;
  bool fastMath = false;
  bool fuse = true;            // device code: a*b + c is rounded once
  bool flushDenormals = false; // device code: in single precision
  bool managed = false;        // allocatables without an attribute are managed
  bool lineInfo = false;
  bool largeArrays = false;
  bool check = false;              // -gpu=check: kernels are checked on the host device
  bool bounds = false;             // -Mbounds: subscripts of host code are checked
  std::optional<bool> relocatable; // -gpu=rdc, nordc; otherwise if other files may need it
  int maxRegisters = 0;
  HostCodeOptions host;

  std::vector<std::string> llvmOptions; // -mllvm, -mmlir

  std::vector<std::string> includes;
  std::vector<std::pair<std::string, bool>>
      macros; // "NAME=VALUE", true; or "NAME", false to undefine
  std::string moduleDirectory = ".";
  bool dependencies = false;                  // a rule of make for each object
  std::string dependencyFile;                 // where to; empty: derived
  std::vector<std::string> dependencyTargets; // of the rule, in place of the object
  bool phonyTargets = false;                  // a rule without recipe for each file that was read
  bool dependenciesOnly = false;              // -M: the rule on standard output, nothing else
  std::vector<std::string> linkArguments;     // -L, -l, -Wl and their like in the order given
  std::vector<size_t> linkPlaces;             // how many inputs stand before each of them
  std::vector<std::string> cudaLibraries;
  bool shared = false;
  bool plainText = false;             // -P: no #line in what -E writes
  std::optional<bool> unknownIsFixed; // -x: files of unknown suffix are sources, of this form
  bool listing = false;               // -Mlist: the numbered lines of each source
  bool mpi = false;                   // -Mmpi
  std::string mpiName;                // of -Mmpi=
  bool noMpi = false;                 // -Mnompi
};

// Reads the arguments after the program's name, and those in files that are named as @FILE.
// Mistakes are reported; the result is then unusable.
Options parseOptions(const std::vector<std::string> &arguments, Diagnostics &diagnostics);

// The text of --help.
std::string helpText();

// -mno-workaround=help, and what it prints.
bool asksForWorkarounds(const Options &options);
std::string workaroundsText();

} // namespace cufc
#endif // CUFC_DRIVER_OPTIONS_H
