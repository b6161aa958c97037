// Options of ours as options of flang's parser and semantics.
#include "frontend/flang_setup.h"
#include "base/workarounds.h"
#include "flang/Frontend/TargetOptions.h"
#include "flang/Semantics/symbol.h"
#include "flang/Tools/TargetSetup.h"
#include "frontend/search_folders.h"
#include "source/language_options.h"
#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <string_view>
#include <unistd.h>

namespace cufc {
namespace {

using Fortran::common::LanguageFeature;

void setKinds(const FrontendOptions &settings, Fortran::common::IntrinsicTypeDefaultKinds &kinds) {
  if (settings.real8)
    kinds.set_defaultRealKind(8).set_doublePrecisionKind(8);
  if (languageIn(settings.macros).integer8) // a default LOGICAL is as large as a default INTEGER
    kinds.set_defaultIntegerKind(8)
        .set_subscriptIntegerKind(8)
        .set_sizeIntegerKind(8)
        .set_defaultLogicalKind(8);
}

std::string absolute(const std::string &folder) {
  std::error_code error;
  std::string result = std::filesystem::absolute(folder, error).lexically_normal().string();
  while (result.size() > 1 && result.back() == '/')
    result.pop_back();
  return error ? folder : result;
}

// While it lives, the current folder is one without module files.
class ElsewhereForNow {
public:
  ElsewhereForNow() : back(open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    left = back >= 0 && chdir("/") == 0;
  }
  ~ElsewhereForNow() {
    if (left && fchdir(back) != 0)
      _exit(1); // nothing that follows would find its files
    if (back >= 0)
      close(back);
  }
  ElsewhereForNow(const ElsewhereForNow &) = delete;
  ElsewhereForNow &operator=(const ElsewhereForNow &) = delete;

private:
  const int back;
  bool left;
};

void setLanguage(const LanguageOptions &language,
                 Fortran::common::LanguageFeatureControl &features) {
  features.Enable(LanguageFeature::ImplicitNoneTypeAlways, language.implicitNone);
  features.Enable(LanguageFeature::DefaultSave, language.saveLocals);
  features.Enable(LanguageFeature::OldDebugLines, language.debugLines);
  if (language.standard)
    features.WarnOnAllNonstandard();
}

void setParserOptions(const FrontendOptions &settings, Fortran::parser::Options &options) {
  options = {};
  options.isFixedForm = settings.fixedForm;
  options.fixedFormColumns = languageIn(settings.macros).fixedColumns;
  options.features.Enable(LanguageFeature::CUDA, settings.cuda);
  options.features.Enable(LanguageFeature::CudaManaged, settings.managed);
  options.features.Enable(LanguageFeature::OpenMP, openmpVersion(settings) != 0);
  options.features.EnableWarning(Fortran::common::UsageWarning::CUDAUsage);
  options.features.EnableWarning(LanguageFeature::HollerithOrCharacterAsBOZ);
  options.features.Enable(LanguageFeature::BackslashEscapes, settings.backslashEscapes);
  if (settings.warnings)
    options.features.WarnOnAllUsage();
  setLanguage(languageIn(settings.macros), options.features);
  options.searchDirectories = includeFolders(settings);
  options.intrinsicModuleDirectories = settings.intrinsicModules;
  // flang obeys directives in files of every suffix, where !@cuf lines count too.
  if (settings.cuda)
    options.predefinitions.emplace_back("_CUDA", "1");
  if (!settings.preprocess)
    return;
  for (const char *name : {"__cufc__", "__linux__", "__unix__"})
    options.predefinitions.emplace_back(name, "1");
  for (const auto &[macro, define] : settings.macros) {
    if (isLanguageWord(macro))
      continue;
    size_t equals = macro.find('=');
    std::string value = equals == std::string::npos ? "1" : macro.substr(equals + 1);
    options.predefinitions.emplace_back(macro.substr(0, equals),
                                        define ? std::optional<std::string>(value) : std::nullopt);
  }
}

bool defines(const FrontendOptions &settings, const char *macro) {
  const auto &macros = settings.macros;
  return std::find(macros.begin(), macros.end(), std::pair(std::string(macro), true)) !=
         macros.end();
}

} // namespace

int openmpVersion(const FrontendOptions &settings) {
  constexpr std::string_view name = "__cufc_openmp__=";
  for (const auto &[macro, define] : settings.macros)
    if (define && macro.compare(0, name.size(), name) == 0)
      return std::atoi(macro.c_str() + name.size());
  return 0;
}

bool usesOpenacc(const FrontendOptions &settings) {
  return defines(settings, "__cufc_openacc__=1");
}

bool usesThreads(const FrontendOptions &settings) { return defines(settings, "__cufc_stdpar__=1"); }

void setLanguage(const FrontendOptions &settings, FlangProgram &program) {
  setParserOptions(settings, program.options);
  program.languageOptions.OpenMPVersion = static_cast<unsigned>(openmpVersion(settings));
}

std::unique_ptr<FlangProgram> newFlangProgram(const FrontendOptions &settings) {
  auto program = std::make_unique<FlangProgram>();
  setKinds(settings, program->kinds);
  setLanguage(settings, *program);
  return program;
}

void setModuleFolders(const FrontendOptions &settings, FlangProgram &program) {
  std::vector<std::string> search, intrinsic;
  for (const std::string &folder : moduleFolders(settings))
    search.push_back(absolute(folder));
  for (const std::string &folder : settings.intrinsicModules)
    intrinsic.push_back(absolute(folder));
  program.context->set_searchDirectories(search).set_intrinsicModuleDirectories(intrinsic);
}

std::string pathOfModuleFile(const FrontendOptions &settings, const std::string &path) {
  for (const std::string &folder : moduleFolders(settings))
    if (path.compare(0, absolute(folder).size() + 1, absolute(folder) + "/") == 0) {
      std::string name = path.substr(absolute(folder).size() + 1);
      return folder == "." ? name : folder + "/" + name;
    }
  return path;
}

// -Msave is about the local variables of host procedures that are not recursive; a thread's own
// begin and end with the call. That device procedures are none of those is said when flang has made
// its checks, one of which is that kernels are not recursive.
static void exemptDeviceProcedures(Fortran::semantics::Scope &scope) {
  for (Fortran::semantics::Scope &child : scope.children()) {
    Fortran::semantics::Symbol *symbol = child.symbol();
    const auto *details =
        symbol ? symbol->detailsIf<Fortran::semantics::SubprogramDetails>() : nullptr;
    if (details &&
        details->cudaSubprogramAttrs().value_or(Fortran::common::CUDASubprogramAttrs::Host) !=
            Fortran::common::CUDASubprogramAttrs::Host)
      symbol->attrs().set(Fortran::semantics::Attr::RECURSIVE);
    exemptDeviceProcedures(child);
  }
}

bool perform(Fortran::semantics::Semantics &semantics) {
  std::optional<ElsewhereForNow> elsewhere;
  if (isMade(Workaround::CurrentFolder))
    elsewhere.emplace();
  bool good = semantics.Perform();
  if (semantics.context().IsEnabled(LanguageFeature::DefaultSave))
    exemptDeviceProcedures(semantics.context().globalScope());
  return good;
}

void makeContext(const FrontendOptions &settings, const llvm::TargetMachine &target,
                 FlangProgram &program) {
  program.context = std::make_unique<Fortran::semantics::SemanticsContext>(
      program.kinds, program.options.features, program.languageOptions, program.cooked);
  setModuleFolders(settings, program);
  Fortran::evaluate::TargetCharacteristics &characteristics =
      program.context->targetCharacteristics();
  Fortran::tools::setUpTargetCharacteristics(characteristics, target,
                                             Fortran::frontend::TargetOptions{}, "cufc", "");
  // flang asks the machine that it runs on; there, it is C's long double.
  if (target.getTargetTriple().isAArch64()) {
    characteristics.EnableType(Fortran::common::TypeCategory::Real, 16, 16, 16);
    characteristics.EnableType(Fortran::common::TypeCategory::Complex, 16, 32, 16);
  }
}

} // namespace cufc
