// See symbol_making.h.
#include "frontend/symbol_making.h"
#include "flang/Evaluate/shape.h"
#include "flang/Semantics/tools.h"

namespace cufc {

using namespace Fortran;
using semantics::Symbol;

namespace {

std::optional<semantics::ArraySpec> shapeOf(const semantics::SomeExpr &data,
                                            evaluate::FoldingContext &context) {
  auto extents = evaluate::GetShape(context, data);
  if (!extents)
    return std::nullopt;
  semantics::ArraySpec shape;
  for (evaluate::MaybeExtentExpr &extent : *extents) {
    if (!extent)
      return std::nullopt;
    shape.push_back(semantics::ShapeSpec::MakeExplicit(
        semantics::Bound{1},
        semantics::Bound{semantics::MaybeSubscriptIntExpr{std::move(extent)}}));
  }
  return shape;
}

} // namespace

Symbol &makeExternal(semantics::Scope &unit, semantics::SourceName name) {
  semantics::SubprogramDetails details;
  details.set_isInterface();
  return unit.MakeSymbol(name, semantics::Attrs{semantics::Attr::EXTERNAL}, std::move(details));
}

void addDummy(Symbol &procedure, semantics::Scope &scope, semantics::SourceName name,
              semantics::Attrs attributes, const DummyForm &form) {
  semantics::ObjectEntityDetails object(true);
  object.set_type(*form.type);
  if (form.memory)
    object.set_cudaDataAttr(*form.memory);
  if (form.shape != DummyForm::Scalar) {
    semantics::ArraySpec shape;
    shape.push_back(form.shape == DummyForm::AssumedShape ? semantics::ShapeSpec::MakeAssumedShape()
                                                          : semantics::ShapeSpec::MakeImplied());
    object.set_shape(shape);
  }
  auto made = scope.try_emplace(name, attributes, std::move(object));
  procedure.get<semantics::SubprogramDetails>().add_dummyArg(*made.first->second);
}

Symbol &makeInterface(semantics::Scope &unit, Symbol &definition) {
  semantics::SubprogramDetails details(definition.get<semantics::SubprogramDetails>());
  details.set_isInterface();
  Symbol &symbol = unit.MakeSymbol(definition.name(),
                                   definition.attrs() | semantics::Attrs{semantics::Attr::EXTERNAL},
                                   std::move(details));
  symbol.flags() = definition.flags();
  symbol.set_scope(definition.scope());
  return symbol;
}

Symbol &makeIntrinsicFunction(semantics::Scope &unit, semantics::SourceName name) {
  Symbol &symbol = unit.MakeSymbol(name, semantics::Attrs{semantics::Attr::INTRINSIC},
                                   semantics::ProcEntityDetails{});
  symbol.set(Symbol::Flag::Function);
  return symbol;
}

void dropInitialValue(semantics::Symbol &variable) {
  variable.get<semantics::ObjectEntityDetails>().set_init(std::nullopt);
}

void makeUse(semantics::Scope &scope, Symbol &symbol) {
  scope.try_emplace(symbol.name(), semantics::UseDetails{symbol.name(), symbol});
}

std::unique_ptr<AsVariable> AsVariable::of(Symbol &name, const semantics::DeclTypeSpec &type,
                                           common::CUDADataAttr memory,
                                           evaluate::FoldingContext &context) {
  const auto &association = name.get<semantics::AssocEntityDetails>();
  auto shape = shapeOf(*association.expr(), context);
  if (!shape || association.rank())
    return nullptr;
  semantics::ObjectEntityDetails object;
  object.set_type(type);
  object.set_shape(*shape);
  object.set_cudaDataAttr(memory);
  return std::unique_ptr<AsVariable>(new AsVariable(name, std::move(object)));
}

// std::swap of two variants with so many alternatives costs the C++ compiler ten seconds.
void AsVariable::exchange() {
  auto before = std::make_unique<semantics::Details>(std::move(name.details()));
  std::destroy_at(&name.details());
  new (&name.details()) semantics::Details(std::move(*others));
  others = std::move(before);
}

AsVariable::AsVariable(Symbol &name, semantics::ObjectEntityDetails &&object)
    : name(name), others(std::make_unique<semantics::Details>(std::move(object))) {
  exchange();
}

AsVariable::~AsVariable() { exchange(); }

} // namespace cufc
