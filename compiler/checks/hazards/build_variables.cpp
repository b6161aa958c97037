// Variables of the model: what flang's symbols say of data objects.
#include "checks/hazards/builder.h"
#include "flang/Semantics/scope.h"

namespace cufc::hazards {
namespace {

using namespace Fortran;
using semantics::Symbol;

bool inDeviceProcedure(const Symbol &symbol) {
  return semantics::FindCUDADeviceContext(&symbol.owner()) != nullptr;
}

Memory memoryOf(const Symbol &symbol) {
  const auto *object = symbol.detailsIf<semantics::ObjectEntityDetails>();
  if (!object)
    return Memory::Unknown;
  // flang gives what a device procedure declares the attribute DEVICE.
  bool local = inDeviceProcedure(symbol) && !semantics::IsDummy(symbol);
  auto attribute = object->cudaDataAttr();
  if (local && (!attribute || *attribute == common::CUDADataAttr::Device))
    return Memory::Thread;
  if (attribute)
    switch (*attribute) {
    case common::CUDADataAttr::Constant:
      return Memory::Constant;
    case common::CUDADataAttr::Device:
      return Memory::Device;
    case common::CUDADataAttr::Managed:
    case common::CUDADataAttr::Unified:
      return Memory::Managed;
    case common::CUDADataAttr::Pinned:
      return Memory::Pinned;
    case common::CUDADataAttr::Shared:
      return Memory::Shared;
    case common::CUDADataAttr::Texture:
      return Memory::Constant;
    default:
      return Memory::Unknown;
    }
  if (!inDeviceProcedure(symbol))
    return Memory::Host;
  return symbol.attrs().test(semantics::Attr::VALUE) ? Memory::Thread : Memory::Device;
}

void addType(const Symbol &symbol, Variable &variable) {
  const semantics::DeclTypeSpec *type = symbol.GetType();
  if (!type)
    return;
  if (const semantics::DerivedTypeSpec *derived = type->AsDerived()) {
    variable.type = Type::Derived;
    variable.derivedType = derived->typeSymbol().GetUltimate().name().ToString();
  } else if (const semantics::IntrinsicTypeSpec *intrinsic = type->AsIntrinsic()) {
    auto category = intrinsic->category();
    variable.type = category == common::TypeCategory::Integer   ? Type::Integer
                    : category == common::TypeCategory::Real    ? Type::Real
                    : category == common::TypeCategory::Complex ? Type::Complex
                    : category == common::TypeCategory::Logical ? Type::Logical
                                                                : Type::Other;
    variable.kind = static_cast<int>(evaluate::ToInt64(intrinsic->kind()).value_or(0));
    variable.bytes = variable.type == Type::Other     ? 0
                     : variable.type == Type::Complex ? 2 * variable.kind
                                                      : variable.kind;
  }
}

void addShape(const Symbol &symbol, Variable &variable) {
  const auto *object = symbol.detailsIf<semantics::ObjectEntityDetails>();
  if (!object)
    return;
  variable.rank = static_cast<int>(object->shape().size());
  variable.assumedShape = object->IsAssumedShape();
  for (const semantics::ShapeSpec &spec : object->shape()) {
    std::optional<long long> extent;
    const auto &lower = spec.lbound().GetExplicit();
    const auto &upper = spec.ubound().GetExplicit();
    if (spec.lbound().isExplicit() && spec.ubound().isExplicit() && lower && upper) {
      auto first = evaluate::ToInt64(*lower), last = evaluate::ToInt64(*upper);
      if (first && last)
        extent = *last - *first + 1;
    }
    variable.extents.push_back(extent);
  }
}

} // namespace

Variable *Variables::find(const Symbol *symbol) {
  if (!symbol)
    return nullptr;
  const Symbol &ultimate = symbol->GetUltimate();
  if (!ultimate.has<semantics::ObjectEntityDetails>() &&
      !ultimate.has<semantics::AssocEntityDetails>() && !ultimate.has<semantics::EntityDetails>())
    return nullptr;
  std::unique_ptr<Variable> &slot = model.variables[&ultimate];
  if (slot)
    return slot.get();
  slot = std::make_unique<Variable>();
  Variable &variable = *slot;
  variable.name = ultimate.name().ToString();
  variable.declaration = placeOf(ultimate.name());
  variable.memory = memoryOf(ultimate);
  addType(ultimate, variable);
  addShape(ultimate, variable);
  const semantics::Attrs &attributes = ultimate.attrs();
  variable.dummy = semantics::IsDummy(ultimate);
  variable.allocatable = attributes.test(semantics::Attr::ALLOCATABLE);
  variable.pointer = attributes.test(semantics::Attr::POINTER);
  variable.saved = attributes.test(semantics::Attr::SAVE);
  variable.isConstant = attributes.test(semantics::Attr::PARAMETER);
  variable.isVolatile = attributes.test(semantics::Attr::VOLATILE);
  variable.readOnly = attributes.test(semantics::Attr::INTENT_IN);
  variable.isPrivate = attributes.test(semantics::Attr::PRIVATE);
  variable.ofModule = ultimate.owner().IsModule();
  variable.result = semantics::IsFunctionResult(ultimate);
  return &variable;
}

const Variable *Variables::of(const Symbol *symbol) { return find(symbol); }

void Variables::addBounds(const parser::Name &name, const parser::ArraySpec &spec) {
  Variable *variable = find(name.symbol);
  if (!variable)
    return;
  const std::list<parser::ExplicitShapeSpec> *list =
      std::get_if<std::list<parser::ExplicitShapeSpec>>(&spec.u);
  if (const auto *assumed = std::get_if<parser::AssumedSizeSpec>(&spec.u))
    list = &std::get<std::list<parser::ExplicitShapeSpec>>(assumed->t);
  if (!list)
    return;
  for (const parser::ExplicitShapeSpec &dimension : *list) {
    const auto *upper = parser::Unwrap<parser::Expr>(std::get<1>(dimension.t));
    bool fromOne = !std::get<0>(dimension.t);
    if (upper && variable->extentTexts.empty() && fromOne)
      variable->leadingBound = placeOf(upper->source);
    variable->extentTexts.push_back(upper && fromOne ? upper->source.ToString() : std::string());
  }
}

} // namespace cufc::hazards
