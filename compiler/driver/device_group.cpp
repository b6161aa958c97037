// The units' bitcode is merged to one device module; from a copy of it comes host code of the
// kernels that reach procedures of other files. `DeviceGroupLink::run` is the table of contents.
#include "driver/device_group.h"
#include "base/diag.h"
#include "base/files.h"
#include "base/process.h"
#include "codegen/cpu/host_kernels.h"
#include "codegen/device_road.h"
#include "codegen/emit.h"
#include "codegen/linked_images.h"
#include "codegen/registration.h"
#include "codegen/targets.h"
#include "driver/child.h"
#include "driver/code_options.h"
#include "driver/llvm_errors.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <cerrno>
#include <cstring>
#include <functional>
#include <memory>

namespace cufc {
namespace {

class DeviceGroupLink {
public:
  DeviceGroupLink(const DeviceGroup &group, const CompileContext &context)
      : group(group), options(context.options),
        toolkit(context.options.hostOnly ? std::nullopt : context.toolkit),
        diagnostics(context.options.diagnosticFormat) {
    reportFatalErrors(diagnostics);
    reportMessages(llvmContext, diagnostics);
  }

  int run() {
    setStage("while linking device code");
    llvm::Module program("device link", llvmContext);
    std::unique_ptr<llvm::TargetMachine> host = hostTarget(options.optimisation, options.host);
    program.setTargetTriple(host->getTargetTriple());
    program.setDataLayout(host->createDataLayout());
    if (addImage(program) && addHostCode(program, *host)) {
      optimise(program, *host, options.optimisation, options.host);
      if (!writeFile(group.output, emitCode(program, *host, CodeForm::Object)))
        diagnostics.report(Diag::CannotWrite, {}, group.output, std::string(std::strerror(errno)));
    }
    bool failed = diagnostics.hasErrors();
    diagnostics.flush();
    return failed ? 1 : 0;
  }

private:
  bool addImage(llvm::Module &program) {
    if (!toolkit)
      return true;
    LinkedImage image;
    bool isLinked = !group.foreign.empty() || compiledUnits().size() == group.units.size();
    if (!(isLinked ? linkMachineCode(*toolkit, image) : compileMerged(*toolkit, image)))
      return false;
    addLinkedImage(program, image);
    return true;
  }

  std::vector<const DeviceUnit *> unitsThat(bool areCompiled) const {
    std::vector<const DeviceUnit *> result;
    for (const DeviceUnit *unit : group.units)
      if (unit->gpus.empty() != areCompiled)
        result.push_back(unit);
    return result;
  }
  std::vector<const DeviceUnit *> compiledUnits() const { return unitsThat(true); }

  bool compileMerged(const Toolkit &tools, LinkedImage &image) {
    for (const DeviceUnit *unit : group.units)
      image.ids.push_back(unit->id);
    std::unique_ptr<Assembler> assembler =
        assemble(tools, group.units, /*relocatable=*/false, &image.packed);
    return assembler && keep(*assembler) && assembler->makeFatBinary(image.fatBinary);
  }

  // PTX and machine code of units, compiled as one.
  std::unique_ptr<Assembler> assemble(const Toolkit &tools,
                                      const std::vector<const DeviceUnit *> &units,
                                      bool relocatable,
                                      std::vector<PackedKernel> *packed = nullptr) {
    std::optional<DeviceProgram> merged = merge(units);
    if (!merged)
      return nullptr;
    CodeOptions code = codeOptions(options);
    code.device.relocatable = relocatable;
    Gpu lowest = lowestGpu(options);
    if (!optimiseDeviceCode(*merged, lowest, toolkit, code, diagnostics))
      return nullptr;
    if (packed)
      *packed = merged->facts.packed;
    auto assembler = std::make_unique<Assembler>(tools, code.device, group.scratch, diagnostics);
    for (const Gpu &gpu : gpus(tools))
      if (!assembler->start(*merged->module, gpu))
        return nullptr;
    if (!assembler->addPtx(*merged->module, lowest) || !assembler->finish())
      return nullptr;
    return assembler;
  }

  std::vector<Gpu> gpus(const Toolkit &tools) const {
    return options.gpus.empty() ? tools.defaultGpus() : options.gpus;
  }

  bool keep(const Assembler &assembler) {
    for (const DeviceImage &image : assembler.images()) {
      std::string data,
          name = group.name + ".sm_" + std::to_string(image.gpu.number) + extension(image.path);
      if (options.keep && readFile(image.path, data) && !writeFile(name, data)) {
        diagnostics.report(Diag::CannotWrite, {}, name, std::string(std::strerror(errno)));
        return false;
      }
    }
    return true;
  }

  // nvlink, for each GPU. Which GPUs nvcc's objects have code for only nvlink knows: without a list
  // of the user's, those are taken that can be linked.
  bool linkMachineCode(const Toolkit &tools, LinkedImage &image) {
    image.hasParts = true;
    std::vector<const DeviceUnit *> deferred = unitsThat(/*areCompiled=*/false);
    std::unique_ptr<Assembler> assembler;
    if (!deferred.empty()) {
      assembler = assemble(tools, deferred, /*relocatable=*/true);
      if (!assembler)
        return false;
    }
    std::vector<DeviceImage> linked;
    ProcessResult failure{0, ""};
    for (const Gpu &gpu : gpusOfObjects(tools)) {
      std::vector<std::string> inputs;
      for (const DeviceImage &made : assembler ? assembler->images() : std::vector<DeviceImage>())
        if (made.machineCode && made.gpu.number == gpu.number)
          inputs.push_back(made.path);
      DeviceImage result{gpu, true,
                         group.scratch + "/linked_" + std::to_string(gpu.number) + ".cubin"};
      ProcessResult process = runProcess(linkCommand(tools, result, inputs));
      if (process.status == 0)
        linked.push_back(result);
      else
        failure = process;
    }
    if (failure.status != 0 && (linked.empty() || !options.gpus.empty()))
      return reportLinker(failure.output);
    readIds(image);
    for (const DeviceUnit *unit : deferred)
      image.ids.push_back(unit->id);
    return packImages(tools, linked, group.scratch, false, image.fatBinary, diagnostics);
  }

  std::vector<Gpu> gpusOfObjects(const Toolkit &tools) {
    std::vector<Gpu> result;
    for (const Gpu &gpu : gpus(tools)) {
      bool all = true;
      for (const DeviceUnit *unit : compiledUnits()) {
        bool has = std::find(unit->gpus.begin(), unit->gpus.end(), gpu.number) != unit->gpus.end();
        if (!has && !options.gpus.empty())
          diagnostics.report(Diag::NoCodeForGpu, {}, unit->source, gpu.number, gpuList(*unit));
        all &= has;
      }
      if (all)
        result.push_back(gpu);
    }
    return result.empty() ? gpus(tools) : result;
  }

  static std::string gpuList(const DeviceUnit &unit) {
    std::string text;
    for (int gpu : unit.gpus)
      text += (text.empty() ? "cc" : ", cc") + std::to_string(gpu);
    return text;
  }

  std::string idFile() const { return group.scratch + "/linked_ids"; }

  std::vector<std::string> linkCommand(const Toolkit &tools, const DeviceImage &result,
                                       const std::vector<std::string> &inputs) const {
    std::vector<std::string> command = {tools.program("nvlink"), "-m64",
                                        "--arch=sm_" + std::to_string(result.gpu.number),
                                        "--register-link-binaries=" + idFile()};
    if (options.info)
      command.push_back("-v");
    if (options.debug && options.optimisation == 0)
      command.push_back("-g");
    for (const auto *files : {&inputs, &group.objects, &group.foreign})
      command.insert(command.end(), files->begin(), files->end());
    if (!group.foreign.empty())
      command.insert(command.end(), {"-L" + tools.libraryFolder(), "-lcudadevrt"});
    command.insert(command.end(), {"-o", result.path});
    return command;
  }

  // nvlink's list has a line DEFINE_REGISTER_FUNC(id) for each object.
  void readIds(LinkedImage &image) {
    std::string text;
    readFile(idFile(), text);
    static constexpr std::string_view mark = "DEFINE_REGISTER_FUNC(";
    for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
      at += mark.size();
      image.ids.push_back(text.substr(at, text.find(')', at) - at));
    }
  }

  // "nvlink error : Undefined reference to 'f' in 'b.o'" names what some unit imports.
  bool reportLinker(const std::string &output) {
    for (const DeviceUnit *unit : group.units)
      for (const DeviceImport &import : unit->facts.imports)
        if (output.find("Undefined reference to '" + import.name + "'") != std::string::npos)
          diagnostics.report(Diag::UndefinedDeviceSymbol, import.use, import.display);
    if (!diagnostics.hasErrors())
      diagnostics.report(Diag::ToolFailed, {}, std::string("nvlink"), output);
    return false;
  }

  std::optional<DeviceProgram> merge(const std::vector<const DeviceUnit *> &units) {
    DeviceProgram merged;
    for (const DeviceUnit *unit : units) {
      auto buffer = llvm::MemoryBuffer::getMemBuffer(unit->bitcode, unit->source, false);
      llvm::Expected<std::unique_ptr<llvm::Module>> module =
          llvm::parseBitcodeFile(*buffer, llvmContext);
      if (!module) {
        diagnostics.report(Diag::BadDeviceUnit, {}, unit->source,
                           llvm::toString(module.takeError()));
        return std::nullopt;
      }
      append(merged.facts, unit->facts);
      if (!merged.module)
        merged.module = std::move(*module);
      else if (llvm::Linker::linkModules(*merged.module, std::move(*module)))
        return std::nullopt; // reported through the context
    }
    std::erase_if(merged.facts.imports, [&](const DeviceImport &import) {
      const llvm::GlobalValue *value = merged.module->getNamedValue(import.name);
      return !value || !value->isDeclaration();
    });
    return merged;
  }

  static void append(DeviceFacts &all, const DeviceFacts &more) {
    all.kernels.insert(all.kernels.end(), more.kernels.begin(), more.kernels.end());
    all.variables.insert(all.variables.end(), more.variables.begin(), more.variables.end());
    all.procedures.insert(all.procedures.end(), more.procedures.begin(), more.procedures.end());
    all.imports.insert(all.imports.end(), more.imports.begin(), more.imports.end());
  }

  bool addHostCode(llvm::Module &program, const llvm::TargetMachine &host) {
    auto needsLinking = [](const KernelFacts &kernel) { return kernel.needsLinking; };
    bool any = false;
    for (const DeviceUnit *unit : group.units)
      any |= std::any_of(unit->facts.kernels.begin(), unit->facts.kernels.end(), needsLinking);
    if (!any)
      return true;
    setStage("while generating device code for the host");
    std::optional<DeviceProgram> merged = merge(group.units);
    if (!merged)
      return false;
    for (const KernelFacts &kernel : merged->facts.kernels)
      if (!kernel.needsLinking) // its object has it
        merged->module->getFunction(kernel.name)->eraseFromParent();
    std::erase_if(merged->facts.kernels, std::not_fn(needsLinking));
    referToDefinedVariables(*merged->module, merged->facts);
    markLinkedKernels(*merged->module, merged->facts);
    for (const KernelFacts &kernel : merged->facts.kernels)
      if (kernel.needsLinking && options.warnings)
        diagnostics.report(Diag::HostCodeUnsupported, {}, kernel.display,
                           std::string("it calls device procedures that are not CUDA Fortran"));
    merged->module = cloneForHost(*merged->module, options.debug);
    HostKernels kernels = buildHostKernels(*merged->module, host, merged->facts, diagnostics);
    merged->module->setTargetTriple(program.getTargetTriple());
    llvm::Linker::linkModules(program, std::move(merged->module));
    addHostCodeRegistration(program, merged->facts, kernels);
    return !diagnostics.hasErrors();
  }

  const DeviceGroup &group;
  const Options &options;
  const std::optional<Toolkit> toolkit;
  Diagnostics diagnostics;
  llvm::LLVMContext llvmContext;
};

} // namespace

int compileDeviceGroup(const DeviceGroup &group, const CompileContext &context) {
  return DeviceGroupLink(group, context).run();
}

} // namespace cufc
