// Elements of array sections. flang makes a descriptor of a section, through which a loop then
// reads its elements, and whose strides its pass that has a copy of loops for arrays without gaps
// does not look into. An element of a section is one of the array:
//
//   %section = hlfir.designate %array (%first:%last:%step)
//   hlfir.designate %section (%i)   ->   hlfir.designate %array (%first + (%i - 1)*%step)
//
// In device code subscripts of arrays are numbers of 32 bits (narrow_indices.cpp) and those of
// sections are not. Where strides are unknown, LLVM then has an address of 64 bits advance through
// a loop for each element that is read in it.
#include "lower/section_elements.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace cufc {
namespace {

using namespace mlir;

bool hasTriplets(hlfir::DesignateOp op) {
  return llvm::any_of(op.getIsTriplet(), [](bool isTriplet) { return isTriplet; });
}

bool isPlain(hlfir::DesignateOp op) {
  return op.getSubstring().empty() && !op.getComplexPart() && !op.getIndices().empty();
}

// The section that `element` is of, if both are so simple.
hlfir::DesignateOp sectionOf(hlfir::DesignateOp element) {
  if (!isPlain(element) || hasTriplets(element) || element.getComponent() ||
      !isa<fir::ReferenceType>(element.getType()))
    return {};
  auto section = element.getMemref().getDefiningOp<hlfir::DesignateOp>();
  return section && isPlain(section) && hasTriplets(section) ? section : hlfir::DesignateOp();
}

class Element {
public:
  Element(hlfir::DesignateOp op, hlfir::DesignateOp section)
      : op(op), section(section), loc(op.getLoc()),
        builder(op.getOperation(), fir::getKindMapping(op->getParentOfType<ModuleOp>())) {}

  hlfir::DesignateOp replace() {
    auto subscripts = section.getIndices().begin();
    auto index = op.getIndices().begin();
    hlfir::DesignateOp::Subscripts places;
    for (bool isTriplet : section.getIsTriplet()) {
      Value first = *subscripts;
      places.push_back(isTriplet ? place(first, *(subscripts + 2), *index++) : first);
      subscripts += isTriplet ? 3 : 1;
    }
    auto name = section.getComponent();
    llvm::StringRef component = name ? llvm::StringRef(*name) : "";
    auto element = hlfir::DesignateOp::create(
        builder, loc, op.getType(), section.getMemref(), component, section.getComponentShape(),
        places, ValueRange{}, std::nullopt, Value{}, op.getTypeparams());
    op.replaceAllUsesWith(element.getResult());
    op.erase();
    return element;
  }

private:
  // first + (index - 1)*step
  Value place(Value first, Value step, Value index) {
    Value one = builder.createIntegerConstant(loc, builder.getIndexType(), 1);
    Value steps = arith::SubIOp::create(builder, loc, asIndex(index), one);
    if (fir::getIntIfConstant(step) != 1)
      steps = arith::MulIOp::create(builder, loc, steps, asIndex(step));
    return arith::AddIOp::create(builder, loc, asIndex(first), steps);
  }

  Value asIndex(Value value) { return builder.createConvert(loc, builder.getIndexType(), value); }

  hlfir::DesignateOp op, section;
  Location loc;
  fir::FirOpBuilder builder;
};

// Whether columns are so far apart as is known when the program runs alone.
bool hasUnknownStrides(hlfir::DesignateOp section) {
  auto array = dyn_cast<fir::SequenceType>(
      hlfir::getFortranElementOrSequenceType(section.getMemref().getType()));
  return array &&
         llvm::is_contained(array.getShape().drop_back(), fir::SequenceType::getUnknownExtent());
}

struct SectionElements : PassWrapper<SectionElements, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SectionElements)
  SectionElements() = default;
  explicit SectionElements(SectionKind kind) : kind(kind) {}
  llvm::StringRef getArgument() const override { return "cufc-section-elements"; }
  void runOnOperation() override {
    llvm::SmallVector<hlfir::DesignateOp> elements;
    getOperation().walk([&](hlfir::DesignateOp op) {
      if (wantedSectionOf(op))
        elements.push_back(op);
    });
    for (hlfir::DesignateOp element : elements)
      while (hlfir::DesignateOp section = wantedSectionOf(element))
        element = Element(element, section).replace();
  }

private:
  hlfir::DesignateOp wantedSectionOf(hlfir::DesignateOp element) const {
    hlfir::DesignateOp section = sectionOf(element);
    const bool isWanted = section && (kind == SectionKind::Any || hasUnknownStrides(section));
    return isWanted ? section : hlfir::DesignateOp();
  }

  SectionKind kind = SectionKind::Any;
};

} // namespace

std::unique_ptr<Pass> createSectionElements(SectionKind kind) {
  return std::make_unique<SectionElements>(kind);
}

} // namespace cufc
