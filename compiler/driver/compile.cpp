// One source file from text to the output that was asked for. `Compilation::run` is the table of
// contents.
#include "driver/compile.h"
#include "base/diag.h"
#include "base/files.h"
#include "checks/mpi_checks.h"
#include "codegen/array_alignment.h"
#include "codegen/cpu/code_parts.h"
#include "codegen/cpu/cpu_forms.h"
#include "codegen/cpu/host_kernels.h"
#include "codegen/device_road.h"
#include "codegen/emit.h"
#include "codegen/foreign_calls.h"
#include "codegen/gpu/device_code.h"
#include "codegen/host_code.h"
#include "codegen/large_arrays.h"
#include "codegen/large_values.h"
#include "codegen/registration.h"
#include "codegen/targets.h"
#include "codegen/variable_places.h"
#include "driver/child.h"
#include "driver/code_options.h"
#include "driver/code_processes.h"
#include "driver/compilations.h"
#include "driver/dependency_rule.h"
#include "driver/device_link.h"
#include "driver/device_listing.h"
#include "driver/foreign_sources.h"
#include "driver/frontend_options.h"
#include "driver/llvm_errors.h"
#include "driver/llvm_options.h"
#include "driver/loop_report.h"
#include "driver/mpi.h"
#include "driver/plan.h"
#include "frontend/modules/foreign_uses.h"
#include "frontend/program.h"
#include "lower/debugger_word.h"
#include "lower/lowering.h"
#include "mpi/note.h"
#include "mpi/profiling_names.h"
#include "source/allow_comments.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace cufc {
namespace {

class Compilation {
public:
  Compilation(const CompileJob &job, const CompileContext &context)
      : job(job), options(context.options), installation(context.installation),
        toolkit(options.hostOnly ? std::nullopt : context.toolkit), code(codeOptions(options)),
        diagnostics(options.diagnosticFormat) {
    reportFatalErrors(diagnostics);
    setLlvmOptions(options.llvmOptions, diagnostics);
  }

  int run() {
    if (options.emit == Emit::Preprocessed)
      preprocess();
    else
      compile();
    bool failed = diagnostics.hasErrors();
    show();
    return failed || strictlyFailed;
  }

private:
  // Without the warnings that comments in the source allow.
  void show() {
    bool fixed = options.fixedForm.value_or(job.form.fixed);
    auto dropAllowed = [&](auto &all) {
      all = withoutAllowedWarnings(std::move(all), fixed, options.language.fixedColumns);
    };
    auto dropHints = [&](auto &all) { // which `cufls check` has
      std::erase_if(all, [&](auto &one) { return !options.informs && one.code == "CUF1302"; });
    };
    std::vector<Diagnostic> list = diagnostics.list();
    DroppedMessages dropped;
    applyFilters(
        {{MessageFilter::Allowed, dropAllowed}, {MessageFilter::UnusedVariables, dropHints}}, list,
        dropped);
    tell(dropped);
    if (options.warningsAreErrors)
      for (Diagnostic &diagnostic : list)
        if (diagnostic.severity == Severity::Warning) {
          diagnostic.severity = Severity::Error;
          strictlyFailed = true;
        }
    diagnostics.replace(list);
    diagnostics.flush();
  }

  void tell(const DroppedMessages &dropped) const {
    if (options.verbose)
      std::fputs(textOf(dropped).c_str(), stderr);
  }

  void preprocess() {
    std::unique_ptr<llvm::TargetMachine> host = hostTarget(0, options.host);
    std::string text;
    if (Program(frontend(), *host).preprocess(text, !options.plainText, diagnostics))
      writeOutput(job.output, text);
  }

  void compile() {
    std::unique_ptr<llvm::TargetMachine> host = hostTarget(options.optimisation, options.host);
    setStage("while parsing and checking");
    std::unique_ptr<Program> analysed;
    bool good = analyse(analysed, *host);
    Program &program = *analysed;
    if (!writeListing() || !check(program) || !good || !writeDependencies(program) ||
        options.emit == Emit::Nothing)
      return;
    show(); // warnings now, in case a later stage ends the process
    if (strictlyFailed)
      return;
    announceModules(job);
    setStage("while lowering");
    Lowering lowering(program, *host, code.lowering, diagnostics);
    if (lowering.failed())
      return;
    const foreign::Calls &calls = foreignModulesOf(program).calls;
    if (options.emit.has(Emit::Hlfir))
      writeStage(Emit::Hlfir, lowering.hlfirText());
    if (options.emit == Emit::Hlfir)
      return;
    if (options.host.machine != &thisMachine && !calls.procedures.empty())
      diagnostics.report(
          Diag::OptionRefused, {}, std::string("--target=") + options.host.machine->libraries,
          std::string("modules that gfortran compiled are used on their own machine"));
    else
      generate(lowering, *host, calls);
  }

  // Again with the default MPI library if a module that is used needs it without a word of the
  // source.
  bool analyse(std::unique_ptr<Program> &program, const llvm::TargetMachine &host) {
    FrontendOptions front = frontend();
    program = std::make_unique<Program>(front, host);
    Diagnostics found;
    bool good = program->analyse(found);
    if (!good && missesMpi(found) && addDefaultMpiKit(front, options, installation, diagnostics)) {
      mpiKit = mpiKitOf(front);
      found.replace({});
      program = std::make_unique<Program>(front, host);
      good = program->analyse(found);
    }
    for (const Diagnostic &diagnostic : found.list())
      diagnostics.add(diagnostic);
    return good;
  }

  bool check(Program &program) {
    if (program.options().cuda && program.hasSymbols())
      runChecks(program, checkOptions(options, toolkit), diagnostics);
    else if (mpiKit && program.hasSymbols())
      runMpiChecks(program, diagnostics);
    tell(program.dropped());
    return !diagnostics.hasErrors();
  }

  bool writeDependencies(const Program &program) {
    if (!options.dependencies || (job.output == "-" && !options.dependenciesOnly))
      return true;
    std::vector<std::string> files;
    std::set<std::filesystem::path> known; // flang also names what it reads by way of its folder
    bool usesMpi = false;
    for (const std::string &file : program.filesRead())
      if (mpiKit && file.starts_with(mpiKit->folder + "/"))
        usesMpi = true; // by files that may be made again at any time
      else if (known.insert(std::filesystem::path(file).lexically_normal()).second)
        files.push_back(file);
    if (usesMpi && mpiKit)
      files.push_back(mpiKit->header);
    bool toOutput = options.dependenciesOnly && options.dependencyFile.empty();
    return writeOutput(toOutput ? "-" : dependencyFile(job, options),
                       dependencyRule(job, options, files));
  }

  bool writeListing() {
    std::string text;
    if (!options.listing || !readFile(job.source, text))
      return true;
    return writeOutput(stem(job.source) + ".lst", numberedLines(text));
  }

  void generate(Lowering &lowering, llvm::TargetMachine &host, const foreign::Calls &foreignCalls) {
    llvm::LLVMContext context;
    reportMessages(context, diagnostics);
    if (options.hostInfo || options.hostMissed)
      reportLoops(context, {options.hostInfo, options.hostMissed}, diagnostics);
    DeviceParts parts;
    if (!lowering.hasDeviceCode())
      writeNoDeviceCode();
    else if (!generateDeviceParts(lowering, context, parts))
      return;
    announceUnit(job, parts.unit);
    if (!needsHostCode() || (parts.kernels && !makeHostKernels(parts, host)))
      return;
    setStage("while lowering host code");
    std::unique_ptr<llvm::Module> module = lowering.lowerHost(context);
    if (!module)
      return;
    applyArithmetic(*module, options.host);
    setStage("while generating host code");
    alignArrays(*module);
    adaptForeignCalls(*module, foreignCalls);
    passLargeValues(*module);
    askForLargePages(*module);
    addDeviceParts(*module, lowering.hasDeviceCode(), parts);
    if (mpiKit) {
      addMpiNote(*module, {job.source, mpiKit->folder, mpiKit->header, mpiKit->name()});
      callLayerByProfilingNames(*module);
    }
    applyHostCodeOptions(*module, options.host);
    if (options.debug && options.optimisation == 0)
      placeVariables(*module);
    if (!isValid(*module, "in host code", diagnostics))
      return;
    CodeProcesses processes(options, job.source, job.scratch);
    processes.start(*module, [&](llvm::Module &part, const std::string &object) {
      diagnostics.replace({});
      optimiseHost(part, host);
      writeOutput(object, emitCode(part, host, CodeForm::Object));
      diagnostics.flush();
      return !diagnostics.hasErrors();
    });
    optimiseHost(*module, host);
    std::unique_ptr<llvm::Module> image;
    if (assembler && processes.any()) // it comes last, and need not be waited for here
      image = separate(fatBinaryOf(*module));
    if (!assembler || image || finishAssembly(*assembler, *module))
      writeHost(*module, host, processes, image.get());
  }

  void optimiseHost(llvm::Module &module, llvm::TargetMachine &host) {
    optimise(module, host, options.optimisation, options.host);
    if (!keepsLines(options))
      llvm::StripDebugInfo(module);
  }

  // What becomes of device code until it joins the host's module.
  struct DeviceParts {
    DeviceProgram device;
    DeviceUnit unit;
    std::unique_ptr<llvm::Module> kernels;
    HostKernels hostKernels;
  };

  bool generateDeviceParts(Lowering &lowering, llvm::LLVMContext &context, DeviceParts &parts) {
    parts.device = lowerDeviceCode(lowering, context, lowestGpu(options), code);
    auto &[device, facts] = parts.device;
    if (!device || !chooseLinking(facts))
      return false;
    markLinkedKernels(*device, facts);
    parts.kernels = cloneForHost(*device, options.debug);
    dropCpuForms(*device);
    if (linking != DeviceLinking::Whole)
      parts.unit = makeDeviceUnit(*device, job.source, facts);
    return generateDevice(parts.device);
  }

  void addDeviceParts(llvm::Module &module, bool hasDeviceCode, DeviceParts &parts) {
    if (parts.kernels)
      llvm::Linker::linkModules(module, std::move(parts.kernels));
    const std::string fatBinary = assembler ? comingFatBinary : "";
    if (linking != DeviceLinking::Whole)
      addUnit(module, std::move(parts.unit), parts.hostKernels, fatBinary);
    else if (hasDeviceCode)
      addRegistration(module, parts.device.facts, parts.hostKernels, fatBinary);
  }

  // A file that shares nothing with others stands for itself, however it is linked; one that is all
  // there is must not use others.
  bool chooseLinking(const DeviceFacts &facts) {
    bool shares = facts.exportsAny() || !facts.imports.empty();
    bool forced = options.relocatable.value_or(false);
    linking = shares || forced ? job.linking : DeviceLinking::Whole;
    if (!needsFatBinary())
      linking = DeviceLinking::Whole;
    else if (linking == DeviceLinking::Whole)
      for (const DeviceImport &import : facts.imports)
        diagnostics.report(Diag::UndefinedDeviceSymbol, import.use, import.display);
    return !diagnostics.hasErrors();
  }

  void addUnit(llvm::Module &module, DeviceUnit unit, const HostKernels &hostKernels,
               const std::string &fatBinary) {
    if (assembler)
      for (const DeviceImage &image : assembler->images())
        if (image.machineCode)
          unit.gpus.push_back(image.gpu.number);
    addLinkedRegistration(module, unit, hostKernels, fatBinary);
    embedDeviceUnit(module, unit);
  }

  bool needsMachineCode() const { return options.emit.hasAny({Emit::Cubin, Emit::Sass}); }
  bool needsFatBinary() const {
    return options.emit.hasAny({Emit::Assembly, Emit::Object, Emit::Executable});
  }
  bool needsHostCode() const { return needsFatBinary() || options.emit.has(Emit::Llvm); }

  // False after an error.
  bool generateDevice(DeviceProgram &device) {
    if (!checkFeatures(device.facts))
      return false;
    if (linking == DeviceLinking::Deferred)
      return true;
    if (needsMachineCode() && !toolkit) {
      diagnostics.report(Diag::NoToolkit, {}, std::string("machine code for a GPU"));
      return false;
    }
    if (options.emit == Emit::Llvm && !toolkit)
      return writeOutput(deviceFile(), emitText(*device.module));
    if (!toolkit && !options.emit.hasAny({Emit::Llvm, Emit::Ptx}))
      return true;
    code.device.relocatable = linking == DeviceLinking::Relocatable;
    return optimiseDeviceCode(device, lowestGpu(options), toolkit, code, diagnostics) &&
           (!options.emit.has(Emit::Llvm) || writeOutput(deviceFile(), emitText(*device.module))) &&
           (!options.emit.has(Emit::Ptx) || writePtx(device)) &&
           (!toolkit || assemble(device, *toolkit));
  }

  bool writePtx(const DeviceProgram &device) {
    std::string ptx = ptxOf(device, lowestGpu(options), code);
    return writeStage(Emit::Ptx,
                      options.annotate ? annotatedPtx(ptx, job.source, device.facts) : ptx);
  }

  // ptxas runs while the host's code is generated and optimised.
  bool assemble(const DeviceProgram &device, const Toolkit &tools) {
    bool packs = options.emit.hasAny({Emit::Object, Emit::Executable});
    if (!packs && !needsMachineCode())
      return true;
    assembler.emplace(tools, code.device, job.scratch, diagnostics);
    std::vector<Gpu> gpus = options.gpus.empty() ? tools.defaultGpus() : options.gpus;
    if (!packs)
      gpus.resize(1);
    for (const Gpu &gpu : gpus)
      if (!assembler->start(*device.module, gpu))
        return false;
    if (packs && !assembler->addPtx(*device.module, lowestGpu(options)))
      return false;
    return !needsMachineCode() ||
           (assembler->finish() &&
            writeMachineCode(assembler->images().front().path, device.facts, tools));
  }

  // That of the first GPU.
  bool writeMachineCode(const std::string &image, const DeviceFacts &facts, const Toolkit &tools) {
    if (options.emit.has(Emit::Cubin))
      copyOut(image, outputOf(job, Emit::Cubin, options));
    if (options.emit.has(Emit::Sass))
      if (std::string text =
              machineCodeText(image, job.source, facts, tools, options.annotate, diagnostics);
          !diagnostics.hasErrors())
        writeStage(Emit::Sass, text);
    return !diagnostics.hasErrors();
  }

  void writeNoDeviceCode() {
    for (Emit kind : {Emit::Ptx, Emit::Cubin, Emit::Sass})
      if (options.emit.has(kind))
        writeStage(kind, "");
  }

  // By default code is made for older GPUs too, where such a kernel does not start.
  bool checkFeatures(const DeviceFacts &facts) {
    for (const Gpu &gpu : options.gpus)
      for (const GpuFeature &feature : facts.features)
        if (gpu.number < feature.firstGpu)
          diagnostics.report(Diag::FeatureNeedsGpu, feature.use, feature.name, feature.firstGpu,
                             gpu.number);
    return !diagnostics.hasErrors();
  }

  bool finishAssembly(Assembler &running, llvm::Module &module) {
    std::string fatBinary;
    if (!running.finish())
      return false;
    if (options.keep) // PTX and cubin beside the output
      for (const DeviceImage &image : running.images())
        copyOut(image.path, stem(job.source) + ".sm_" + std::to_string(image.gpu.number) +
                                extension(image.path));
    if (!diagnostics.hasErrors() && running.makeFatBinary(fatBinary))
      replaceFatBinary(module, fatBinary);
    return !diagnostics.hasErrors();
  }

  bool makeHostKernels(DeviceParts &parts, llvm::TargetMachine &host) {
    setStage("while generating device code for the host");
    const DeviceFacts &facts = parts.device.facts;
    Diagnostics found;
    parts.hostKernels = buildHostKernels(*parts.kernels, host, facts, found);
    for (const Diagnostic &diagnostic : found.list())
      if (options.warnings || diagnostic.severity == Severity::Error)
        diagnostics.add(diagnostic);
    if (options.hostInfo)
      reportKernels(parts.hostKernels, facts, job.source, diagnostics);
    return isValid(*parts.kernels, "in host code of a kernel", diagnostics);
  }

  void writeHost(llvm::Module &module, llvm::TargetMachine &host, CodeProcesses &processes,
                 llvm::Module *image) {
    if (options.emit.has(Emit::Llvm))
      writeStage(Emit::Llvm, emitText(module));
    if (options.emit.has(Emit::Assembly)) { // generating code changes the module
      std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
      writeStage(Emit::Assembly, emitCode(*copy, host, CodeForm::Assembly));
    }
    for (Emit kind : {Emit::Object, Emit::Executable})
      if (options.emit.has(kind)) {
        std::string object = emitCode(module, host, CodeForm::Object);
        if (image && assembler &&
            !(finishAssembly(*assembler, *image) &&
              processes.addPart(emitCode(*image, host, CodeForm::Object), diagnostics)))
          return;
        if (processes.addTo(object, diagnostics))
          writeStage(kind, object);
      }
  }

  FrontendOptions frontend() {
    FrontendOptions front =
        frontendOptions(options, installation, job.source, job.form, job.scratch);
    addMpiKit(front, options, installation, MpiPurpose::Compile, diagnostics);
    mpiKit = mpiKitOf(front);
    if (options.debug)
      front.macros.emplace_back(debuggerWord, true);
    return front;
  }

  // matmul.device.ll beside matmul.ll.
  std::string deviceFile() const {
    if (job.output == "-")
      return "-";
    std::string name = outputOf(job, Emit::Llvm, options);
    return name.substr(0, name.size() - extension(name).size()) + ".device.ll";
  }

  bool writeStage(Emit kind, const std::string &data) {
    return writeOutput(outputOf(job, kind, options), data);
  }

  bool writeOutput(const std::string &path, const std::string &data) {
    bool toStandardOutput = path == "-";
    bool written = toStandardOutput
                       ? std::fwrite(data.data(), 1, data.size(), stdout) == data.size() &&
                             std::fflush(stdout) == 0
                       : writeFile(path, data);
    if (written)
      return true;
    diagnostics.report(Diag::CannotWrite, {}, toStandardOutput ? "standard output" : path,
                       std::string(std::strerror(errno)));
    return false;
  }

  void copyOut(const std::string &from, const std::string &to) {
    std::string data;
    if (readFile(from, data))
      writeOutput(to, data);
  }

  const CompileJob &job;
  const Options &options;
  const Installation &installation;
  const std::optional<Toolkit> toolkit;
  CodeOptions code;
  DeviceLinking linking = DeviceLinking::Whole;
  std::optional<MpiKit> mpiKit;
  std::optional<Assembler> assembler;
  Diagnostics diagnostics;
  bool strictlyFailed = false; // by a warning, with -Werror
};

} // namespace

int compileSource(const CompileJob &job, const CompileContext &context) {
  if (job.form.kind == FileKind::CudaC)
    return compileCudaC(job, context);
  if (job.form.kind == FileKind::C)
    return compileC(job, context);
  return Compilation(job, context).run();
}

} // namespace cufc
