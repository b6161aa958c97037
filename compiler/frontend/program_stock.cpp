// A program of the stock has analysed a small subroutine of device code that uses the modules.
//
// flang's check of declarations walks all children of the global scope, modules from files
// included, which would cost each analysis more than its own text. Names lead to the scopes of
// modules without that list, so they leave it.
//
// A program that is to be lowered gets them back after its own checks. The named modules stay,
// since submodules of them may be analysed, but without the scopes of their procedures and types.
#include "frontend/program_stock.h"
#include "base/files.h"
#include "base/workarounds.h"
#include "frontend/flang_program.h"
#include "frontend/flang_setup.h"
#include "frontend/modules/foreign_uses.h"
#include "frontend/workarounds/device_names.h"
#include "source/language_options.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cstring>

namespace cufc {
namespace {

constexpr const char *preloadingName = "cufls_preloading";

std::string preloadingText(const FrontendOptions &settings,
                           const std::vector<std::string> &modules) {
  std::string text = settings.cuda ? "attributes(global) " : "";
  text += std::string("subroutine ") + preloadingName + "\n";
  std::vector<std::string> names = {"iso_c_binding", "iso_fortran_env", "ieee_arithmetic"};
  if (settings.cuda)
    names.push_back("cudafor");
  names.insert(names.end(), modules.begin(), modules.end());
  for (const std::string &name : names) // no name becomes visible, so none can clash
    text += "  use " + name + ", only:\n";
  return text + "end subroutine\n";
}

} // namespace

ProgramStock::ProgramStock(FrontendOptions settings, const llvm::TargetMachine &target)
    : settings(std::move(settings)), target(target) {}

ProgramStock::~ProgramStock() = default;

void ProgramStock::fill(const std::vector<std::string> &modules) {
  std::unique_ptr<FlangProgram> program = newFlangProgram(settings);
  program->options.isFixedForm = false;
  if (!writeFile(settings.scratchFile, preloadingText(settings, modules)))
    return;
  program->preloading = std::make_unique<Fortran::parser::Parsing>(program->cooked);
  program->preloading->Prescan(settings.scratchFile, program->options);
  program->preloading->Parse(llvm::nulls());
  if (!program->preloading->parseTree())
    return;
  makeContext(settings, target, *program);
  provideForeignModules(*program, settings, modules);
  Fortran::parser::Program &tree = *program->preloading->parseTree();
  std::optional<HiddenDeviceNames> hidden; // which dummies of the modules' procedures may have
  if (settings.cuda && isMade(Workaround::DeviceNames))
    hidden.emplace(*program, tree);
  Fortran::semantics::Semantics semantics(*program->context, tree);
  perform(semantics);
  if (hidden && !hidden->restore())
    return modules.empty() ? void() : fill();
  program->context->messages().clear();
  Fortran::semantics::Scope &global = program->context->globalScope();
  global.erase(Fortran::parser::CharBlock(preloadingName, std::strlen(preloadingName)));
  std::list<Fortran::semantics::Scope> &scopes = global.children();
  for (auto scope = scopes.begin(); scope != scopes.end();) {
    auto next = std::next(scope);
    bool stays = scope->symbol() &&
                 std::count(modules.begin(), modules.end(), scope->symbol()->name().ToString());
    if (stays)
      program->preloaded.splice(program->preloaded.end(), scope->children());
    else
      program->preloaded.splice(program->preloaded.end(), scopes, scope);
    scope = next;
  }
  programs.push_back(std::move(program));
}

std::unique_ptr<FlangProgram> ProgramStock::take(const FrontendOptions &wanted) {
  if (programs.empty() || wanted.cuda != settings.cuda || wanted.real8 != settings.real8 ||
      languageIn(wanted.macros).integer8 != languageIn(settings.macros).integer8 ||
      wanted.intrinsicModules != settings.intrinsicModules)
    return nullptr;
  std::unique_ptr<FlangProgram> program = std::move(programs.back());
  programs.pop_back();
  setLanguage(wanted, *program);
  setModuleFolders(wanted, *program);
  return program;
}

// In the order that they had, before what the program itself has declared.
void restoreScopes(FlangProgram &program) {
  std::list<Fortran::semantics::Scope> &away = program.preloaded;
  while (!away.empty()) {
    std::list<Fortran::semantics::Scope> &home = away.back().parent().children();
    home.splice(home.begin(), away, std::prev(away.end()));
  }
}

} // namespace cufc
