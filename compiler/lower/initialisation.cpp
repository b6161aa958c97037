// Default initialisation of components in device code.
//
// flang calls its run-time library for arrays of derived types and for the temporaries of structure
// constructors, and device code does not have it. Types without allocatable or pointer parts get
// copies of the initial values instead; a structure constructor gives all components values itself.
// Shared memory begins undefined (CUDA C++ programming guide, "__shared__"): each thread would set
// what others have stored there.
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/FIRType.h"
#include "flang/Optimizer/Dialect/Support/KindMapping.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/device_procedures.h"
#include "lower/mlir_state.h"
#include "lower/type_sizes.h"

namespace cufc {
namespace {

using namespace mlir;

class Initialisation {
public:
  Initialisation(ModuleOp module, const SymbolTable &symbols, fir::CallOp call)
      : symbols(symbols), call(call), builder(call, fir::getKindMapping(module)),
        loc(call.getLoc()) {}

  void rewrite() {
    Value box = call.getOperand(0);
    while (auto convert = box.getDefiningOp<fir::ConvertOp>())
      box = convert.getValue();
    auto record = dyn_cast<fir::RecordType>(hlfir::getFortranElementType(box.getType()));
    if (!record || !isPlainRecord(record))
      return; // device code cannot do it, as the checks say
    if (!isConstructor(box) && !isShared(box))
      initialise(hlfir::Entity{box}, record);
    call.erase();
  }

private:
  static bool isConstructor(Value box) {
    auto embox = box.getDefiningOp<fir::EmboxOp>();
    auto declare = embox ? embox.getMemref().getDefiningOp<hlfir::DeclareOp>() : hlfir::DeclareOp();
    return declare && declare.getUniqName() == "ctor.temp";
  }

  static bool isShared(Value box) {
    auto embox = box.getDefiningOp<fir::EmboxOp>();
    auto declare = embox ? embox.getMemref().getDefiningOp<hlfir::DeclareOp>() : hlfir::DeclareOp();
    return declare && declare.getDataAttr() == cuf::DataAttribute::Shared;
  }

  void initialise(hlfir::Entity variable, fir::RecordType record) {
    OpBuilder::InsertionGuard guard(builder);
    hlfir::Entity element = variable;
    if (variable.isArray()) {
      Value shape = hlfir::genShape(loc, builder, variable);
      hlfir::LoopNest nest = hlfir::genLoopNest(loc, builder, shape, /*isUnordered=*/true);
      builder.setInsertionPointToStart(nest.body);
      element = hlfir::getElementAt(loc, builder, variable, nest.oneBasedIndices);
    }
    if (isa<fir::BaseBoxType>(element.getType()))
      element = hlfir::Entity{fir::BoxAddrOp::create(builder, loc, element)};
    initialiseComponents(element, record);
  }

  void initialiseComponents(Value object, fir::RecordType record) {
    auto info = symbols.lookup<fir::TypeInfoOp>(record.getName());
    if (!info || info.getNoInit())
      return;
    for (const auto &[name, type] : record.getTypeList()) {
      Value field = fir::FieldIndexOp::create(builder, loc, fir::FieldType::get(type.getContext()),
                                              name, record, ValueRange{});
      Value component =
          fir::CoordinateOp::create(builder, loc, fir::ReferenceType::get(type), object, field);
      if (fir::GlobalOp value = initialValue(info, name))
        copy(value, component, type);
      else if (auto part = dyn_cast<fir::RecordType>(fir::unwrapSequenceType(type)))
        initialise(declared(component, type), part);
    }
  }

  fir::GlobalOp initialValue(fir::TypeInfoOp info, llvm::StringRef component) {
    for (auto entry : info.getComponentInfo().getOps<fir::DTComponentOp>())
      if (entry.getName() == component && entry.getInitVal())
        return symbols.lookup<fir::GlobalOp>(*entry.getInitVal());
    return {};
  }

  void copy(fir::GlobalOp value, Value component, Type type) {
    Value from =
        fir::AddrOfOp::create(builder, loc, value.resultType(), value.getSymbol()).getResult();
    if (fir::isa_trivial(type))
      fir::StoreOp::create(builder, loc, fir::LoadOp::create(builder, loc, from), component);
    else
      fir::CopyOp::create(builder, loc, from, component, /*no_overlap=*/true);
  }

  hlfir::Entity declared(Value component, Type type) {
    Value shape;
    if (auto array = dyn_cast<fir::SequenceType>(type)) {
      llvm::SmallVector<Value> extents;
      for (int64_t extent : array.getShape())
        extents.push_back(builder.createIntegerConstant(loc, builder.getIndexType(), extent));
      shape = builder.genShape(loc, extents);
    }
    return hlfir::Entity{
        hlfir::DeclareOp::create(builder, loc, component, "cufc.part", shape).getBase()};
  }

  const SymbolTable &symbols;
  fir::CallOp call;
  fir::FirOpBuilder builder;
  Location loc;
};

// Of scalars: flang copies a variable that has the initial values of all components.
void dropSharedValues(func::FuncOp function) {
  llvm::SmallVector<fir::CopyOp> copies;
  function.walk([&](fir::CopyOp copy) {
    auto from = copy.getSource().getDefiningOp<fir::AddrOfOp>();
    auto variable = copy.getDestination().getDefiningOp<hlfir::DeclareOp>();
    if (from && from.getSymbol().getLeafReference().getValue().ends_with(".DerivedInit") &&
        variable && variable.getDataAttr() == cuf::DataAttribute::Shared)
      copies.push_back(copy);
  });
  for (fir::CopyOp copy : copies)
    copy.erase();
}

} // namespace

void initialiseInline(ModuleOp module) {
  llvm::SmallVector<fir::CallOp> calls;
  for (auto function : module.getOps<func::FuncOp>())
    if (isDeviceProcedure(function)) {
      dropSharedValues(function);
      function.walk([&](fir::CallOp call) {
        if (call.getCallee() && call.getCallee()->getLeafReference() == "_FortranAInitialize")
          calls.push_back(call);
      });
    }
  if (calls.empty())
    return;
  SymbolTable symbols(module);
  for (fir::CallOp call : calls)
    Initialisation(module, symbols, call).rewrite();
}

} // namespace cufc
