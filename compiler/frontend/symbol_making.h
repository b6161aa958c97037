// Symbols that no declaration of the program makes. In a file of their own: whatever holds the
// details of a symbol copies expressions, and each file that does compiles code for all of their
// kinds.
#ifndef CUFC_FRONTEND_SYMBOL_MAKING_H
#define CUFC_FRONTEND_SYMBOL_MAKING_H

#include "flang/Evaluate/expression.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/symbol.h"
#include <memory>
#include <optional>

namespace cufc {

// An external procedure whose interface is given by `addDummy`.
Fortran::semantics::Symbol &makeExternal(Fortran::semantics::Scope &unit,
                                         Fortran::semantics::SourceName name);

struct DummyForm {
  enum Shape { Scalar, AssumedShape, AssumedSize }; // arrays have one dimension
  const Fortran::semantics::DeclTypeSpec *type;     // of the program's context
  Shape shape = Scalar;
  std::optional<Fortran::common::CUDADataAttr> memory = std::nullopt;
};

// `scope` is the procedure's.
void addDummy(Fortran::semantics::Symbol &procedure, Fortran::semantics::Scope &scope,
              Fortran::semantics::SourceName name, Fortran::semantics::Attrs attributes,
              const DummyForm &form);

// As an interface body in a program unit makes it of a procedure that is defined elsewhere.
Fortran::semantics::Symbol &makeInterface(Fortran::semantics::Scope &unit,
                                          Fortran::semantics::Symbol &definition);

Fortran::semantics::Symbol &makeIntrinsicFunction(Fortran::semantics::Scope &unit,
                                                  Fortran::semantics::SourceName name);

// Of a variable.
void dropInitialValue(Fortran::semantics::Symbol &variable);

// Makes a symbol known in a scope by its own name, as USE does.
void makeUse(Fortran::semantics::Scope &scope, Fortran::semantics::Symbol &symbol);

// A name of ASSOCIATE that is a variable while this lives.
class AsVariable {
public:
  // Null if the shape of what the name stands for is not known.
  static std::unique_ptr<AsVariable> of(Fortran::semantics::Symbol &name,
                                        const Fortran::semantics::DeclTypeSpec &type,
                                        Fortran::common::CUDADataAttr memory,
                                        Fortran::evaluate::FoldingContext &context);
  ~AsVariable();
  AsVariable(const AsVariable &) = delete;
  AsVariable &operator=(const AsVariable &) = delete;

private:
  AsVariable(Fortran::semantics::Symbol &name, Fortran::semantics::ObjectEntityDetails &&object);
  void exchange();

  Fortran::semantics::Symbol &name;
  std::unique_ptr<Fortran::semantics::Details> others; // those that the name has not now
};

} // namespace cufc
#endif // CUFC_FRONTEND_SYMBOL_MAKING_H
