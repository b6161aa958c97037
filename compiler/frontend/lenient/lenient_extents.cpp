// See lenient_extents.h.
//
//   subroutine s(n, t)                    subroutine s(n, t)
//     integer :: n                          integer :: n
//     real :: t(n, k)                       real :: t(n, *)
//     integer :: k                          integer :: k
//
// The variable has no value when the procedure begins (F2023 10.1.11 does not allow it), and the
// last extent of a dummy array does not change where its elements are. nvfortran takes this; public
// codes have it in kernels. Whatever needs the extent is an error for arrays of assumed size.
#include "frontend/lenient/lenient_extents.h"
#include "flang/Parser/message.h"
#include "flang/Parser/tools.h"
#include "frontend/statement_visitor.h"
#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace cufc {
namespace {

using namespace Fortran;
using namespace Fortran::parser::literals;

using Names = std::set<std::string>;

Names dummiesOf(const parser::SubroutineStmt &statement) {
  Names names;
  for (const auto &dummy : std::get<std::list<parser::DummyArg>>(statement.t))
    if (const auto *name = std::get_if<parser::Name>(&dummy.u))
      names.insert(name->source.ToString());
  return names;
}

Names dummiesOf(const parser::FunctionStmt &statement) {
  Names names;
  for (const auto &name : std::get<std::list<parser::Name>>(statement.t))
    names.insert(name.source.ToString());
  return names;
}

// The declarations of one specification part, without those of interfaces and types in it.
class Declarations : public ShallowVisitor {
public:
  using StatementVisitor::Pre;
  bool Pre(const parser::InterfaceBlock &) override { return false; }
  bool Pre(const parser::DerivedTypeDef &) override { return false; }
  bool Pre(const parser::ParameterStmt &) override { return !(mayBeOther = true); }
  bool Pre(const parser::CommonStmt &) override { return !(mayBeOther = true); }
  bool Pre(const parser::TypeDeclarationStmt &statement) override {
    statements.push_back(&statement);
    return false;
  }

  std::vector<const parser::TypeDeclarationStmt *> statements;
  bool mayBeOther = false; // whether names may be constants or of COMMON
};

bool isConstant(const parser::TypeDeclarationStmt &statement) {
  const auto &attributes = std::get<std::list<parser::AttrSpec>>(statement.t);
  return std::any_of(attributes.begin(), attributes.end(), [](const parser::AttrSpec &attribute) {
    return std::holds_alternative<parser::Parameter>(attribute.u);
  });
}

class Extents : public ShallowVisitor {
public:
  explicit Extents(semantics::SemanticsContext &context) : context(context) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::SubroutineSubprogram &unit) override {
    replaceIn(std::get<parser::SpecificationPart>(unit.t),
              dummiesOf(std::get<parser::Statement<parser::SubroutineStmt>>(unit.t).statement));
    return true;
  }
  bool Pre(const parser::FunctionSubprogram &unit) override {
    replaceIn(std::get<parser::SpecificationPart>(unit.t),
              dummiesOf(std::get<parser::Statement<parser::FunctionStmt>>(unit.t).statement));
    return true;
  }

private:
  void replaceIn(const parser::SpecificationPart &part, const Names &dummies) {
    Declarations declarations;
    walkTree(part, declarations);
    if (declarations.mayBeOther)
      return;
    locals.clear();
    for (const auto *statement : declarations.statements)
      if (!isConstant(*statement))
        for (const auto &entity : std::get<std::list<parser::EntityDecl>>(statement->t))
          if (std::string name = nameOf(entity); !dummies.count(name))
            locals.insert(name);
    for (const auto *statement : declarations.statements)
      replaceIn(*statement, dummies);
  }

  static std::string nameOf(const parser::EntityDecl &entity) {
    return std::get<parser::ObjectName>(entity.t).source.ToString();
  }

  void replaceIn(const parser::TypeDeclarationStmt &statement, const Names &dummies) {
    bool allDummies = true;
    for (const auto &entity : std::get<std::list<parser::EntityDecl>>(statement.t)) {
      bool isDummy = dummies.count(nameOf(entity)) > 0;
      allDummies &= isDummy;
      if (const auto &shape = std::get<std::optional<parser::ArraySpec>>(entity.t);
          shape && isDummy)
        replace(*shape);
    }
    for (const auto &attribute : std::get<std::list<parser::AttrSpec>>(statement.t))
      if (const auto *shape = std::get_if<parser::ArraySpec>(&attribute.u); shape && allDummies)
        replace(*shape);
  }

  void replace(const parser::ArraySpec &shape) {
    auto *extents = std::get_if<std::list<parser::ExplicitShapeSpec>>(
        &const_cast<parser::ArraySpec &>(shape).u);
    if (!extents || extents->empty())
      return;
    auto &[lower, upper] = extents->back().t;
    const parser::Expr &bound = upper.v.thing.thing.value();
    const auto *name = parser::Unwrap<parser::Name>(bound);
    if (!name || !locals.count(name->source.ToString()))
      return;
    context.Say(name->source,
                "'%s' is a local variable and the last extent of a dummy argument"_warn_en_US,
                name->source);
    parser::AssumedImpliedSpec last{std::move(lower)};
    std::list<parser::ExplicitShapeSpec> others = std::move(*extents);
    others.pop_back();
    const_cast<parser::ArraySpec &>(shape).u =
        parser::AssumedSizeSpec{std::move(others), std::move(last)};
  }

  semantics::SemanticsContext &context;
  Names locals;
};

} // namespace

void replaceLocalExtents(const parser::Program &program, semantics::SemanticsContext &context) {
  Extents extents(context);
  walkTree(program, extents);
}

} // namespace cufc
