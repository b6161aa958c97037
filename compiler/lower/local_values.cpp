//   %x = hlfir.declare %memory          becomes   %x = hlfir.declare %memory
//                                                 hlfir.assign %value to %x
//
// for variables of numbers and logicals that a host procedure has in memory of its own, and for
// those of the main program, which lie in static memory. Data with an initial value, a device
// attribute or the ALLOCATABLE or POINTER attribute is left alone.
#include "lower/local_values.h"
#include "flang/Optimizer/Dialect/CUF/Attributes/CUFAttr.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/FIRType.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <cstdlib>

namespace cufc {
namespace {

using namespace mlir;

llvm::APFloat numberFor(const std::string &word, const llvm::fltSemantics &kind) {
  if (word == "inf" || word == "-inf")
    return llvm::APFloat::getInf(kind, word == "-inf");
  if (word == "nan")
    return llvm::APFloat::getNaN(kind);
  if (word == "snan")
    return llvm::APFloat::getSNaN(kind);
  return llvm::APFloat::getZero(kind);
}

// The value for variables of a type, or null if they are to begin with none.
Value valueFor(OpBuilder &builder, Location place, Type type, const InitialValueOptions &values) {
  auto constant = [&](TypedAttr attribute) -> Value {
    return arith::ConstantOp::create(builder, place, attribute);
  };
  if (auto real = dyn_cast<FloatType>(type); real && !values.real.empty())
    return constant(builder.getFloatAttr(real, numberFor(values.real, real.getFloatSemantics())));
  if (auto complex = dyn_cast<ComplexType>(type); complex && !values.real.empty()) {
    Value part = valueFor(builder, place, complex.getElementType(), values);
    return complex::CreateOp::create(builder, place, complex, part, part);
  }
  if (isa<IntegerType>(type) && !values.integer.empty())
    return constant(builder.getIntegerAttr(type, std::atoll(values.integer.c_str())));
  if (isa<fir::LogicalType>(type) && !values.logical.empty())
    return fir::ConvertOp::create(builder, place, type,
                                  constant(builder.getBoolAttr(values.logical == "true")));
  return nullptr;
}

bool isOfDevice(Operation *operation) {
  auto function = operation->getParentOfType<func::FuncOp>();
  auto attribute = function
                       ? function->getAttrOfType<cuf::ProcAttributeAttr>(cuf::getProcAttrName())
                       : cuf::ProcAttributeAttr();
  return !function || (attribute && attribute.getValue() != cuf::ProcAttribute::Host);
}

// Static data of the main program that the source gives no value is all zero bits.
bool isPlainStatic(fir::AddrOfOp address, ModuleOp module) {
  auto function = address->getParentOfType<func::FuncOp>();
  auto global = module.lookupSymbol<fir::GlobalOp>(address.getSymbol());
  if (!function || function.getName() != "_QQmain" || !global ||
      !global.getSymName().starts_with("_QFE"))
    return false;
  if (global.getRegion().empty())
    return !global.getInitVal().has_value();
  auto value = dyn_cast<fir::HasValueOp>(global.getRegion().front().getTerminator());
  return value && value.getResval().getDefiningOp<fir::ZeroOp>();
}

} // namespace

void initialiseLocals(ModuleOp module, const InitialValueOptions &values) {
  if (!values.any())
    return;
  module.walk([&](hlfir::DeclareOp declaration) {
    Operation *memory = declaration.getMemref().getDefiningOp();
    if (!memory || declaration.getDataAttr() || isOfDevice(declaration) ||
        !declaration.getUniqName().getValue().starts_with("_Q"))
      return;
    auto address = dyn_cast<fir::AddrOfOp>(memory);
    if (!isa<fir::AllocaOp>(memory) && !(address && isPlainStatic(address, module)))
      return;
    Type type = fir::unwrapSequenceType(fir::unwrapRefType(declaration.getMemref().getType()));
    OpBuilder builder(declaration);
    builder.setInsertionPointAfter(declaration);
    if (Value value = valueFor(builder, declaration.getLoc(), type, values))
      hlfir::AssignOp::create(builder, declaration.getLoc(), value, declaration.getBase());
  });
}

} // namespace cufc
