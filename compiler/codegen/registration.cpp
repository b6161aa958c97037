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

Constant *constantText(Module &module, StringRef value) {
  Constant *data = ConstantDataArray::getString(module.getContext(), value);
  auto *global =
      new GlobalVariable(module, data->getType(), true, GlobalValue::PrivateLinkage, data);
  global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return global;
}

Constant *constantTable(Module &module, ArrayRef<Constant *> records, const char *name) {
  if (records.empty())
    return ConstantPointerNull::get(PointerType::get(module.getContext(), 0));
  auto *type = ArrayType::get(records[0]->getType(), records.size());
  return new GlobalVariable(module, type, true, GlobalValue::InternalLinkage,
                            ConstantArray::get(type, records), name);
}

class Registration {
public:
  Registration(Module &module, const DeviceFacts &facts, const HostKernels &hostKernels)
      : module(module), context(module.getContext()), facts(facts), hostKernels(hostKernels),
        pointer(PointerType::get(context, 0)), i32(Type::getInt32Ty(context)),
        i64(Type::getInt64Ty(context)), voidType(Type::getVoidTy(context)) {}

  void run(const std::string &fatBinary) {
    defineStubs();
    Constant *binary = null();
    if (!fatBinary.empty())
      binary = addFatBinary(module, fatBinary, ".nv_fatbin", "cufc.fatbin_wrapper");
    GlobalVariable *record = addRecord(binary);
    Function *constructor = addConstructor();
    IRBuilder<> builder(constructor->getEntryBlock().getTerminator());
    registerRecord(builder, record);
  }

  // The weak reference is null if the program was not linked for a GPU.
  void runLinked(const DeviceUnit &unit, const std::string &fatBinary) {
    isLinked = true;
    defineStubs();
    GlobalVariable *record = addRecord(null());
    Constant *binary = null(), *id = null();
    if (!fatBinary.empty()) {
      GlobalVariable *wrapper =
          addFatBinary(module, fatBinary, "__nv_relfatbin", "__fatbinwrap" + unit.id);
      wrapper->setLinkage(GlobalValue::ExternalLinkage); // nvcc's link takes its address
      binary = wrapper;
      id = moduleId(unit.id);
    }
    auto *type = FunctionType::get(voidType, {pointer, pointer, pointer, pointer}, false);
    Function *link =
        Function::Create(type, GlobalValue::ExternalWeakLinkage, linkFunction(unit.id), module);
    Function *constructor = addConstructor();
    BasicBlock *end = constructor->getEntryBlock().splitBasicBlock(
        constructor->getEntryBlock().getTerminator(), "end");
    BasicBlock *linked = BasicBlock::Create(context, "linked", constructor, end);
    BasicBlock *alone = BasicBlock::Create(context, "alone", constructor, end);
    constructor->getEntryBlock().getTerminator()->eraseFromParent();
    IRBuilder<> builder(&constructor->getEntryBlock());
    builder.CreateCondBr(builder.CreateIsNull(link), alone, linked);
    builder.SetInsertPoint(linked);
    builder.CreateCall(link, {callback(record), binary, id, referenceSink()});
    builder.CreateBr(end);
    builder.SetInsertPoint(alone);
    registerRecord(builder, record);
    builder.CreateBr(end);
  }

  void runHostCode() {
    isLinked = true;
    for (const KernelFacts &kernel : facts.kernels)
      if (!module.getFunction(kernel.name))
        Function::Create(FunctionType::get(voidType, {}, false), GlobalValue::ExternalLinkage,
                         kernel.name, module);
    GlobalVariable *record = addRecord(null());
    Function *constructor = addConstructor();
    IRBuilder<> builder(constructor->getEntryBlock().getTerminator());
    registerRecord(builder, record);
  }

private:
  Constant *null() { return ConstantPointerNull::get(pointer); }
  Constant *number32(uint32_t value) { return ConstantInt::get(i32, value); }
  Constant *number64(uint64_t value) { return ConstantInt::get(i64, value); }

  Constant *text(StringRef value) { return constantText(module, value); }

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
    return constantTable(module, records, name);
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
           number32(static_cast<uint32_t>(kernel.maxClusterBlocks)),
           number32((host.isChecked ? CUFRT_CHECKED : 0) |
                    (host.blocksAreIndependent ? CUFRT_INDEPENDENT_BLOCKS : 0) |
                    (host.wholeWarps ? CUFRT_WHOLE_WARPS : 0) |
                    (host.waitsForGrid ? CUFRT_WAITS_FOR_GRID : 0) |
                    (host.runsRows ? CUFRT_BLOCK_ROWS : 0) |
                    (host.threadsLoop ? CUFRT_THREADS_LOOP : 0)),
           function(host.fitsBlock)}));
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
      // Host code of kernels in other files refers to the storage.
      Constant *data = isLinked && storage ? storage : internal(storage);
      records.push_back(
          ConstantStruct::getAnon({shadow, text(variable.name), data, number64(bytes),
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

  GlobalVariable *addRecord(Constant *fatBinary) {
    Constant *kernels = table(kernelRecords(), "cufc.kernels");
    Constant *variables = table(variableRecords(), "cufc.variables");
    Constant *packed = packedTable(module, facts.packed);
    Constant *flags = number32(facts.usesHeap ? CUFRT_USES_HEAP : 0);
    Constant *record = ConstantStruct::getAnon({number32(CUFRT_ABI_VERSION), flags, fatBinary,
                                                kernels, number64(facts.kernels.size()), variables,
                                                number64(facts.variables.size()), packed,
                                                number64(facts.packed.size()), null(), null()});
    return new GlobalVariable(module, record->getType(), false, GlobalValue::InternalLinkage,
                              record, "cufc.module");
  }

  // nvlink finds the object's registration function by it.
  Constant *moduleId(const std::string &id) {
    Constant *data = ConstantDataArray::getString(context, id);
    auto *global = new GlobalVariable(module, data->getType(), true, GlobalValue::InternalLinkage,
                                      data, "cufc.module_id");
    global->setSection("__nv_module_id");
    global->setAlignment(Align(1));
    return global;
  }

  // void (void **handle): what the link of the program calls when its device code is registered.
  Function *callback(GlobalVariable *record) {
    auto *type = FunctionType::get(voidType, {pointer}, false);
    Function *function =
        Function::Create(type, GlobalValue::InternalLinkage, "cufc.linked", module);
    IRBuilder<> builder(BasicBlock::Create(context, "entry", function));
    builder.CreateStore(function->getArg(0),
                        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), record,
                                                           offsetof(cufrt_module, handle)));
    registerRecord(builder, record);
    builder.CreateRetVoid();
    return function;
  }

  // nvcc's registration functions call this with an address that must not be optimised away.
  Function *referenceSink() {
    auto *type = FunctionType::get(voidType, {pointer}, false);
    Function *function =
        Function::Create(type, GlobalValue::InternalLinkage, "cufc.reference", module);
    IRBuilder<> builder(BasicBlock::Create(context, "entry", function));
    builder.CreateRetVoid();
    return function;
  }

  void defineStubs() {
    for (const KernelFacts &kernel : facts.kernels)
      defineStub(kernel);
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

  Function *addConstructor() {
    auto *type = FunctionType::get(voidType, {}, false);
    Function *constructor =
        Function::Create(type, GlobalValue::InternalLinkage, "cufc.register", module);
    IRBuilder<> builder(BasicBlock::Create(context, "entry", constructor));
    builder.CreateCall(
        module.getOrInsertFunction("_FortranACUFRegisterAllocator", builder.getVoidTy()));
    builder.CreateRetVoid();
    appendToGlobalCtors(module, constructor, 65535);
    return constructor;
  }

  void registerRecord(IRBuilder<> &builder, GlobalVariable *record) {
    builder.CreateCall(
        module.getOrInsertFunction("cufrt_register_module", builder.getVoidTy(), pointer),
        {record});
  }

  Module &module;
  LLVMContext &context;
  const DeviceFacts &facts;
  const HostKernels &hostKernels;
  PointerType *pointer;
  Type *i32, *i64, *voidType;
  bool isLinked = false; // the device code is linked with that of other files
};

} // namespace

Constant *packedTable(Module &module, const std::vector<PackedKernel> &packed) {
  LLVMContext &context = module.getContext();
  Type *i32 = Type::getInt32Ty(context), *i64 = Type::getInt64Ty(context);
  std::vector<Constant *> records;
  for (const PackedKernel &kernel : packed) {
    std::vector<Constant *> arguments;
    for (const PackedArgument &array : kernel.arrays)
      arguments.push_back(ConstantStruct::getAnon(
          {ConstantInt::get(i32, array.number), ConstantInt::get(i32, array.elementBytes),
           ConstantInt::get(i32, array.strideMultiple),
           ConstantInt::getSigned(i32, array.sameShapeAs),
           ConstantInt::get(i32, (array.mayAlias ? CUFRT_MAY_ALIAS : 0) |
                                     (array.isWritten ? CUFRT_WRITTEN : 0) |
                                     (array.hasSmallBounds ? CUFRT_SMALL_BOUNDS : 0) |
                                     (array.hasSameStrides ? CUFRT_SAME_STRIDES : 0) |
                                     (array.hasSameBounds ? CUFRT_SAME_BOUNDS : 0)),
           ConstantInt::get(i32, array.spaceDimensions)}));
    std::vector<Constant *> variables;
    for (const std::string &variable : kernel.variables)
      variables.push_back(module.getOrInsertGlobal(variable, PointerType::get(context, 0)));
    FunctionCallee stub = // another object may have it
        module.getOrInsertFunction(kernel.kernel, FunctionType::get(Type::getVoidTy(context), {}));
    records.push_back(ConstantStruct::getAnon(
        {cast<Constant>(stub.getCallee()), constantText(module, kernel.name),
         constantTable(module, arguments, "cufc.packed_arguments"),
         ConstantInt::get(i64, arguments.size()),
         constantTable(module, variables, "cufc.packed_variables"),
         ConstantInt::get(i32, kernel.arguments.size() - variables.size()),
         ConstantInt::get(i32, variables.size())}));
  }
  return constantTable(module, records, "cufc.packed");
}

void addRegistration(Module &module, const DeviceFacts &facts, const HostKernels &hostKernels,
                     const std::string &fatBinary) {
  Registration(module, facts, hostKernels).run(fatBinary);
}

void addLinkedRegistration(Module &module, const DeviceUnit &unit, const HostKernels &hostKernels,
                           const std::string &fatBinary) {
  Registration(module, unit.facts, hostKernels).runLinked(unit, fatBinary);
}

void addHostCodeRegistration(Module &module, const DeviceFacts &facts,
                             const HostKernels &hostKernels) {
  Registration(module, facts, hostKernels).runHostCode();
}

static constexpr const char *fatBinaryData = "cufc.fatbin";

static GlobalVariable *addFatBinaryData(Module &module, const std::string &fatBinary,
                                        StringRef section) {
  Constant *data = ConstantDataArray::getString(module.getContext(), fatBinary, false);
  auto *image = new GlobalVariable(module, data->getType(), true, GlobalValue::InternalLinkage,
                                   data, fatBinaryData);
  image->setSection(section);
  image->setAlignment(Align(8));
  return image;
}

GlobalVariable &fatBinaryOf(Module &module) {
  return *find_if(module.globals(), [](const GlobalVariable &variable) {
    return variable.getName().starts_with(fatBinaryData);
  });
}

void replaceFatBinary(Module &module, const std::string &fatBinary) {
  GlobalVariable *before = &fatBinaryOf(module);
  GlobalVariable *image = addFatBinaryData(module, fatBinary, before->getSection());
  image->setLinkage(before->getLinkage());
  image->copyAttributesFrom(before);
  image->takeName(before);
  before->replaceAllUsesWith(image);
  before->eraseFromParent();
}

GlobalVariable *addFatBinary(Module &module, const std::string &fatBinary, const char *section,
                             const std::string &name) {
  LLVMContext &context = module.getContext();
  GlobalVariable *image = addFatBinaryData(module, fatBinary, section);
  Type *i32 = Type::getInt32Ty(context);
  Constant *wrapper =
      ConstantStruct::getAnon({ConstantInt::get(i32, 0x466243b1), ConstantInt::get(i32, 1), image,
                               ConstantPointerNull::get(PointerType::get(context, 0))});
  auto *global = new GlobalVariable(module, wrapper->getType(), false, GlobalValue::InternalLinkage,
                                    wrapper, name);
  global->setSection(".nvFatBinSegment");
  global->setAlignment(Align(8));
  return global;
}

std::string linkFunction(const std::string &id) { return "__cudaRegisterLinkedBinary" + id; }

} // namespace cufc
