// The command line of cufc, from tables/options.toml, as one plain value.
#ifndef CUFC_DRIVER_OPTIONS_H
#define CUFC_DRIVER_OPTIONS_H

#include "base/diagnostics.h"
#include "base/gpus.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cufc {

enum class Emit {
  Executable,
  Object,
  Assembly,
  Ptx,
  Sass,
  Cubin,
  Llvm,
  Hlfir,
  Preprocessed,
  Nothing
};

struct Options {
  std::vector<std::string> inputs; // sources, objects and libraries in the order given
  std::string output;              // empty: derived
  Emit emit = Emit::Executable;
  bool annotate = false; // PTX and machine code with the lines of the source
  int optimisation = 2;  // 0 to 3
  bool debug = false;
  bool verbose = false;
  DiagnosticFormat diagnosticFormat = DiagnosticFormat::Text;
  std::optional<bool> colour; // of messages; otherwise on a terminal
  bool warnings = true;
  bool info = false; // -Minfo, -gpu=ptxinfo
  bool help = false;
  bool version = false;
  bool bareVersion = false; // -dumpversion

  bool cuda = false;              // CUDA Fortran in files of every suffix
  std::optional<bool> preprocess; // otherwise by suffix
  std::optional<bool> fixedForm;  // otherwise by suffix
  bool extendedLines = false;
  bool backslashEscapes = false;
  bool real8 = false;

  std::vector<Gpu> gpus; // empty: the default set
  bool hostOnly = false; // no GPU code
  bool keep = false;
  bool fastMath = false;
  bool managed = false; // allocatables without an attribute are managed
  bool lineInfo = false;
  bool largeArrays = false;
  bool check = false;              // -gpu=check: kernels are checked on the host device
  bool bounds = false;             // -Mbounds: subscripts of host code are checked
  std::optional<bool> relocatable; // -gpu=rdc, nordc; otherwise if other files may need it
  int maxRegisters = 0;

  std::vector<std::string> includes;
  std::vector<std::pair<std::string, bool>>
      macros; // "NAME=VALUE", true; or "NAME", false to undefine
  std::string moduleDirectory = ".";
  bool dependencies = false;              // a rule of make for each object
  std::string dependencyFile;             // where to; empty: derived
  std::vector<std::string> linkArguments; // -L, -l, -Wl in the order given
  std::vector<std::string> cudaLibraries;
  bool shared = false;
};

// Reads the arguments after the program's name. Mistakes are reported; the result is then unusable.
Options parseOptions(const std::vector<std::string> &arguments, Diagnostics &diagnostics);

// The text of --help.
std::string helpText();

} // namespace cufc
#endif // CUFC_DRIVER_OPTIONS_H
