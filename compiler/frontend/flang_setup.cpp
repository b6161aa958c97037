// Options of ours as options of flang's parser and semantics.
#include "frontend/flang_setup.h"
#include "base/files.h"
#include "flang/Frontend/TargetOptions.h"
#include "flang/Tools/TargetSetup.h"

namespace cufc {
namespace {

using Fortran::common::LanguageFeature;

void setKinds(const FrontendOptions &settings, Fortran::common::IntrinsicTypeDefaultKinds &kinds) {
  if (settings.real8)
    kinds.set_defaultRealKind(8).set_doublePrecisionKind(8);
}

} // namespace

void setParserOptions(const FrontendOptions &settings, Fortran::parser::Options &options) {
  options = {};
  options.isFixedForm = settings.fixedForm;
  options.fixedFormColumns = settings.extendedLines ? 132 : 72;
  options.features.Enable(LanguageFeature::CUDA, settings.cuda);
  options.features.Enable(LanguageFeature::CudaManaged, settings.managed);
  options.features.EnableWarning(Fortran::common::UsageWarning::CUDAUsage);
  options.features.Enable(LanguageFeature::BackslashEscapes, settings.backslashEscapes);
  if (settings.warnings)
    options.features.WarnOnAllUsage();
  options.searchDirectories.push_back(directoryOf(settings.path));
  for (const std::string &folder : settings.includes)
    options.searchDirectories.push_back(folder);
  options.intrinsicModuleDirectories = settings.intrinsicModules;
  if (!settings.preprocess)
    return;
  for (const char *name : {"__cufc__", "__x86_64__", "__linux__", "__unix__"})
    options.predefinitions.emplace_back(name, "1");
  if (settings.cuda)
    options.predefinitions.emplace_back("_CUDA", "1");
  for (const auto &[macro, define] : settings.macros) {
    size_t equals = macro.find('=');
    std::string value = equals == std::string::npos ? "1" : macro.substr(equals + 1);
    options.predefinitions.emplace_back(macro.substr(0, equals),
                                        define ? std::optional<std::string>(value) : std::nullopt);
  }
}

std::unique_ptr<FlangProgram> newFlangProgram(const FrontendOptions &settings) {
  auto program = std::make_unique<FlangProgram>();
  setKinds(settings, program->kinds);
  setParserOptions(settings, program->options);
  return program;
}

void setModuleFolders(const FrontendOptions &settings, FlangProgram &program) {
  std::vector<std::string> search{settings.moduleDirectory};
  search.insert(search.end(), program.options.searchDirectories.begin(),
                program.options.searchDirectories.end());
  program.context->set_moduleDirectory(settings.moduleDirectory)
      .set_searchDirectories(search)
      .set_intrinsicModuleDirectories(settings.intrinsicModules);
}

void makeContext(const FrontendOptions &settings, const llvm::TargetMachine &target,
                 FlangProgram &program) {
  program.context = std::make_unique<Fortran::semantics::SemanticsContext>(
      program.kinds, program.options.features, program.languageOptions, program.cooked);
  setModuleFolders(settings, program);
  Fortran::tools::setUpTargetCharacteristics(program.context->targetCharacteristics(), target,
                                             Fortran::frontend::TargetOptions{}, "cufc", "");
}

} // namespace cufc
