// See foreign_facts.h.
#include "codegen/foreign_facts.h"
#include "cufrt/foreign.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace cufc {
namespace {

using namespace llvm;
using foreign::Passed;
using foreign::Passing;

int typeCode(const Passed &passed) {
  static constexpr std::pair<const char *, int> codes[] = {
      {"INTEGER", CUFRT_GFORTRAN_INTEGER},     {"LOGICAL", CUFRT_GFORTRAN_LOGICAL},
      {"REAL", CUFRT_GFORTRAN_REAL},           {"COMPLEX", CUFRT_GFORTRAN_COMPLEX},
      {"CHARACTER", CUFRT_GFORTRAN_CHARACTER}, {"DERIVED", CUFRT_GFORTRAN_DERIVED},
      {"CLASS", CUFRT_GFORTRAN_DERIVED}};
  for (auto [name, code] : codes)
    if (passed.type == name)
      return code;
  return CUFRT_GFORTRAN_UNKNOWN;
}

int flagsOf(const Passed &passed, bool isResult) {
  int flags = 0;
  auto add = [&](bool has, int flag) { flags |= has ? flag : 0; };
  add(passed.intentIn, CUFRT_FOREIGN_INTENT_IN);
  add(passed.intentOut, CUFRT_FOREIGN_INTENT_OUT);
  add(passed.allocatable, CUFRT_FOREIGN_ALLOCATABLE);
  add(passed.pointer, CUFRT_FOREIGN_POINTER);
  add(passed.contiguous, CUFRT_FOREIGN_CONTIGUOUS);
  add(passed.deferredLength, CUFRT_FOREIGN_DEFERRED_LENGTH);
  add(passed.polymorphic, CUFRT_FOREIGN_POLYMORPHIC);
  add(passed.passing == Passing::CDescriptor, CUFRT_FOREIGN_C_DESCRIPTOR);
  add(passed.unlimited, CUFRT_FOREIGN_UNLIMITED);
  add(isResult, CUFRT_FOREIGN_RESULT);
  return flags;
}

} // namespace

Constant *foreignFacts(Module &module, const Passed &passed, const std::string &display,
                       bool isResult) {
  LLVMContext &context = module.getContext();
  auto number = [&](int value) { return ConstantInt::getSigned(Type::getInt32Ty(context), value); };
  auto count = [&](long long value) {
    return ConstantInt::getSigned(Type::getInt64Ty(context), value);
  };
  auto constant = [&](Constant *value, const char *name) {
    return new GlobalVariable(module, value->getType(), true, GlobalValue::PrivateLinkage, value,
                              name);
  };
  auto text = [&](const std::string &characters) {
    return constant(ConstantDataArray::getString(context, characters), "foreign_text");
  };
  std::vector<Constant *> types;
  for (const auto &[ours, theirs] : passed.types)
    for (const std::string &name : {ours, theirs}) {
      GlobalValue *known = module.getNamedValue(name);
      if (!known) // no program needs all of them
        known = new GlobalVariable(module, Type::getInt8Ty(context), false,
                                   GlobalValue::ExternalWeakLinkage, nullptr, name);
      types.push_back(known);
    }
  ArrayType *list = ArrayType::get(PointerType::get(context, 0), types.size());
  Constant *table = constant(ConstantArray::get(list, types), "foreign_types");
  Constant *fields[] = {number(passed.rank),
                        number(typeCode(passed)),
                        count(passed.bytes),
                        number(passed.kind),
                        number(flagsOf(passed, isResult)),
                        count(static_cast<long long>(passed.types.size())),
                        table,
                        text(passed.name),
                        text(display)};
  return constant(ConstantStruct::getAnon(context, fields), "foreign_facts");
}

} // namespace cufc
