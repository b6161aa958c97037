// Layouts are those of runtime/include/cufrt/abi.h. The fat binary stands in the sections that
// nvcc uses, so that cuobjdump finds it.
#include "codegen/registration.h"
#include "cufrt/abi.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace cufc {
namespace {

using namespace llvm;

class Registration {
public:
  Registration(Module &module, const DeviceFacts &facts, const HostKernels &hostKernels)
      : module(module), context(module.getContext()), facts(facts), hostKernels(hostKernels),
        pointer(PointerType::get(context, 0)), i32(Type::getInt32Ty(context)),
        i64(Type::getInt64Ty(context)) {}

  void run(const std::string &fatBinary) {
    for (const KernelFacts &kernel : facts.kernels)
      defineStub(kernel);
    Constant *kernels = table(kernelRecords(), "cufc.kernels");
    Constant *variables = table(variableRecords(), "cufc.variables");
    Constant *record = ConstantStruct::getAnon({number32(CUFRT_ABI_VERSION), number32(0),
                                                fatBinaryWrapper(fatBinary), kernels,
                                                number64(facts.kernels.size()), variables,
                                                number64(facts.variables.size()), null(), null()});
    auto *global = new GlobalVariable(module, record->getType(), false,
                                      GlobalValue::InternalLinkage, record, "cufc.module");
    addConstructor(*global);
  }

private:
  Constant *null() { return ConstantPointerNull::get(pointer); }
  Constant *number32(uint32_t value) { return ConstantInt::get(i32, value); }
  Constant *number64(uint64_t value) { return ConstantInt::get(i64, value); }

  Constant *text(StringRef value) {
    Constant *data = ConstantDataArray::getString(context, value);
    auto *global =
        new GlobalVariable(module, data->getType(), true, GlobalValue::PrivateLinkage, data);
    global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    return global;
  }

  Constant *function(const std::string &name) {
    return internal(name.empty() ? nullptr : module.getFunction(name));
  }

  // A definition that was external only to survive the linking of modules.
  Constant *internal(GlobalObject *object) {
    if (!object)
      return null();
    object->setLinkage(GlobalValue::InternalLinkage);
    return object;
  }

  Constant *table(ArrayRef<Constant *> records, const char *name) {
    if (records.empty())
      return null();
    auto *type = ArrayType::get(records[0]->getType(), records.size());
    return new GlobalVariable(module, type, true, GlobalValue::InternalLinkage,
                              ConstantArray::get(type, records), name);
  }

  Constant *sizes(ArrayRef<uint32_t> values) {
    if (values.empty())
      return null();
    Constant *data = ConstantDataArray::get(context, values);
    return new GlobalVariable(module, data->getType(), true, GlobalValue::PrivateLinkage, data);
  }

  std::vector<Constant *> kernelRecords() {
    std::vector<Constant *> records;
    for (const KernelFacts &kernel : facts.kernels) {
      auto found = hostKernels.find(kernel.name);
      HostKernel host = found == hostKernels.end() ? HostKernel{} : found->second;
      records.push_back(ConstantStruct::getAnon(
          {module.getFunction(kernel.name), text(kernel.name), text(kernel.display),
           function(host.runBlock), function(host.resumeThread), number64(host.staticSharedBytes),
           number64(host.frameBytes), number32(kernel.maxThreads),
           number32(kernel.arguments.size()), sizes(host.argumentBytes),
           number32(static_cast<uint32_t>(kernel.maxClusterBlocks)), number32(0)}));
    }
    return records;
  }

  std::vector<Constant *> variableRecords() {
    std::vector<Constant *> records;
    for (const DeviceVariableFacts &variable : facts.variables) {
      GlobalVariable *shadow = module.getGlobalVariable(variable.name, true);
      GlobalVariable *storage = module.getGlobalVariable(variable.name + hostDeviceSuffix, true);
      uint64_t bytes = module.getDataLayout().getTypeAllocSize(shadow->getValueType());
      if (variable.kind == DeviceVariableKind::Managed)
        shadow = managedShadow(*shadow);
      records.push_back(
          ConstantStruct::getAnon({shadow, text(variable.name), internal(storage), number64(bytes),
                                   number32(static_cast<uint32_t>(variable.kind)), number32(0)}));
    }
    return records;
  }

  // To the host, a managed variable is the pointer that the runtime sets; its code only takes the
  // symbol's address.
  GlobalVariable *managedShadow(GlobalVariable &variable) {
    auto *shadow = new GlobalVariable(module, pointer, false, variable.getLinkage(), null());
    shadow->takeName(&variable);
    variable.replaceAllUsesWith(shadow);
    variable.eraseFromParent();
    return shadow;
  }

  // struct { int magic; int version; const void *data; void *unused; } as __cudaRegisterFatBinary
  // takes it (fatbinary_section.h of the toolkit).
  Constant *fatBinaryWrapper(const std::string &fatBinary) {
    if (fatBinary.empty())
      return null();
    Constant *data = ConstantDataArray::getString(context, fatBinary, false);
    auto *image = new GlobalVariable(module, data->getType(), true, GlobalValue::InternalLinkage,
                                     data, "cufc.fatbin");
    image->setSection(".nv_fatbin");
    image->setAlignment(Align(8));
    Constant *wrapper = ConstantStruct::getAnon({number32(0x466243b1), number32(1), image, null()});
    auto *global = new GlobalVariable(module, wrapper->getType(), true,
                                      GlobalValue::InternalLinkage, wrapper, "cufc.fatbin_wrapper");
    global->setSection(".nvFatBinSegment");
    global->setAlignment(Align(8));
    return global;
  }

  // The stub launches the kernel with the configuration that a CUDA C caller pushed.
  void defineStub(const KernelFacts &kernel) {
    Function *stub = module.getFunction(kernel.name);
    if (!stub)
      stub = Function::Create(FunctionType::get(Type::getVoidTy(context), {}, false),
                              GlobalValue::ExternalLinkage, kernel.name, module);
    stub->setLinkage(GlobalValue::ExternalLinkage);
    stub->setVisibility(GlobalValue::DefaultVisibility);
    stub->setSubprogram(nullptr); // its lines are those of the kernel's body, which is elsewhere
    IRBuilder<> builder(BasicBlock::Create(context, "entry", stub));
    Value *array =
        builder.CreateAlloca(pointer, builder.getInt32(std::max<size_t>(stub->arg_size(), 1)));
    for (Argument &argument : stub->args()) {
      Value *value = builder.CreateAlloca(argument.getType());
      builder.CreateStore(&argument, value);
      builder.CreateStore(value, builder.CreateConstGEP1_32(pointer, array, argument.getArgNo()));
    }
    FunctionCallee launch =
        module.getOrInsertFunction("cufrt_launch_stub", builder.getVoidTy(), pointer, pointer);
    builder.CreateCall(launch, {stub, array});
    builder.CreateRetVoid();
    addNameForC(kernel, *stub);
  }

  // CUDA C knows a kernel of a module as module_procedure_, the name that other compilers give it.
  void addNameForC(const KernelFacts &kernel, Function &stub) {
    auto [scope, procedure] = StringRef(kernel.display).split("::");
    std::string name = (scope + "_" + procedure + "_").str();
    if (!StringRef(kernel.name).starts_with("_QM") || procedure.contains(':') ||
        module.getNamedValue(name))
      return;
    GlobalAlias::create(stub.getValueType(), 0, GlobalValue::WeakAnyLinkage, name, &stub, &module);
  }

  void addConstructor(GlobalVariable &record) {
    auto *type = FunctionType::get(Type::getVoidTy(context), {}, false);
    Function *constructor =
        Function::Create(type, GlobalValue::InternalLinkage, "cufc.register", module);
    IRBuilder<> builder(BasicBlock::Create(context, "entry", constructor));
    builder.CreateCall(
        module.getOrInsertFunction("_FortranACUFRegisterAllocator", builder.getVoidTy()));
    builder.CreateCall(
        module.getOrInsertFunction("cufrt_register_module", builder.getVoidTy(), pointer),
        {&record});
    builder.CreateRetVoid();
    appendToGlobalCtors(module, constructor, 65535);
  }

  Module &module;
  LLVMContext &context;
  const DeviceFacts &facts;
  const HostKernels &hostKernels;
  PointerType *pointer;
  Type *i32, *i64;
};

} // namespace

void addRegistration(Module &module, const DeviceFacts &facts, const HostKernels &hostKernels,
                     const std::string &fatBinary) {
  Registration(module, facts, hostKernels).run(fatBinary);
}

} // namespace cufc
