// Each is a fork, which has the module as it is. Their objects become one by a relocatable link
// ("-r"; System V ABI, chapter 4).
#include "driver/code_processes.h"
#include "base/diag.h"
#include "base/files.h"
#include "base/process.h"
#include "codegen/cpu/code_parts.h"
#include "driver/code_options.h"
#include "driver/link.h"
#include "llvm/IR/Module.h"
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unistd.h>
#include <utility>

namespace cufc {

CodeProcesses::CodeProcesses(const Options &options, std::string source, std::string scratch)
    : options(options), source(std::move(source)), scratch(std::move(scratch)) {}

// After an error they still write to the folder.
CodeProcesses::~CodeProcesses() {
  std::string output;
  for (Child &process : processes)
    process.finish(output);
}

bool CodeProcesses::canDivide() const {
  const bool isObject = options.emit == Emit::Object || options.emit == Emit::Executable;
  const bool tells = options.hostInfo || options.hostMissed || !options.llvmOptions.empty();
  return isObject && options.optimisation >= 2 && !tells && !keepsLines(options) &&
         !options.host.findRaces && options.host.codeModel.empty() &&
         options.host.machine == &thisMachine && !findProgram(cCompiler(thisMachine)).empty();
}

namespace {

// On few cores the code for GPUs is what comes last, by one ptxas after another; these processes
// take what that leaves. Steps of setpriority(2).
constexpr int behindAssembler = 5;

// Not a name that a source's own object could have.
std::string fileOf(const std::string &scratch, size_t part) {
  return scratch + "/" + std::to_string(part) + ".part";
}

} // namespace

std::vector<std::string> partObjects(const std::string &scratch) {
  std::vector<std::string> found;
  while (std::filesystem::exists(fileOf(scratch, found.size())))
    found.push_back(fileOf(scratch, found.size()));
  return found;
}

void CodeProcesses::start(llvm::Module &module, const MakeObject &makeObject) {
  if (!canDivide())
    return;
  const std::vector<CodePart> parts = divideCode(module);
  for (const CodePart &part : parts)
    processes.emplace_back(source, options.diagnosticFormat, [&, number = objects++] {
      (void)!nice(behindAssembler);
      llvm::Module &copy = *copyOfPart(module, part).release(); // the process ends with it
      return makeObject(copy, fileOf(scratch, number)) ? 0 : 1;
    });
  dropParts(parts);
}

bool CodeProcesses::addPart(const std::string &object, Diagnostics &diagnostics) {
  const std::string file = fileOf(scratch, objects++);
  if (writeFile(file, object))
    return true;
  diagnostics.report(Diag::CannotWrite, {}, file, std::string(std::strerror(errno)));
  return false;
}

bool CodeProcesses::addTo(std::string &object, Diagnostics &diagnostics) {
  if (processes.empty())
    return true;
  bool good = true;
  for (Child &process : processes)
    good &= process.finish() == 0;
  processes.clear();
  if (!good) // which they have said
    return false;
  return options.emit == Emit::Executable || join(object, diagnostics);
}

bool CodeProcesses::join(std::string &object, Diagnostics &diagnostics) const {
  const std::string rest = scratch + "/rest.o", joined = scratch + "/joined.o";
  std::vector<std::string> command = {
      cCompiler(thisMachine), "-nostdlib", "-r", "-o", joined, rest};
  if (!findProgram("ld.lld").empty())
    command.emplace_back("-fuse-ld=lld");
  for (const std::string &part : partObjects(scratch))
    command.push_back(part);
  if (!writeFile(rest, object)) {
    diagnostics.report(Diag::CannotWrite, {}, rest, std::string(std::strerror(errno)));
    return false;
  }
  const ProcessResult linked = runProcess(command);
  if (linked.status == 0 && readFile(joined, object))
    return true;
  diagnostics.report(Diag::LinkFailed, {}, linked.output);
  return false;
}

} // namespace cufc
