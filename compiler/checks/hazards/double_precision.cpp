// Constants of double precision in device expressions that are otherwise of single precision: the
// whole operation is then done in double precision, at a 2nd to a 64th of the speed, and converted
// back. Reported where no variable of double precision takes part and the result is not one.
#include "checks/hazards/hazard.h"
#include <algorithm>

namespace cufc::hazards {
namespace {

using Kind = Expression::Kind;

bool isReal(const Expression &expression, int kind) {
  return (expression.type == Type::Real || expression.type == Type::Complex) &&
         expression.typeKind == kind;
}

// A literal, or a named constant.
bool isDoubleConstant(const Expression &expression) {
  return isReal(expression, 8) && (expression.kind == Kind::Literal ||
                                   (expression.kind == Kind::Name && expression.variable &&
                                    expression.variable->isConstant));
}

bool isComparison(const Expression &expression) {
  static constexpr std::string_view names[] = {"<", "<=", ">", ">=", "==", "/="};
  return expression.kind == Kind::Operation &&
         std::find(std::begin(names), std::end(names), expression.name) != std::end(names);
}

// Data of double precision, or a wish for it: dble(x), real(x, 8), a function of the program.
bool wantsDouble(const Expression &whole) {
  bool found = false;
  eachExpression(whole, [&](const Expression &part) {
    if (!isReal(part, 8) || isDoubleConstant(part))
      return;
    bool isData =
        part.kind == Kind::Name || part.kind == Kind::Element || part.kind == Kind::Component;
    bool converts = part.kind == Kind::Call && (part.name == "dble" || part.name == "real" ||
                                                part.name == "dprod" || !part.module.empty());
    found |= isData || converts || part.kind == Kind::Unknown;
  });
  return found;
}

bool hasSingle(const Expression &whole) {
  bool found = false;
  eachExpression(whole, [&](const Expression &part) {
    found |= isReal(part, 4) && part.kind != Kind::Literal && part.kind != Kind::Operation;
  });
  return found;
}

// 1.5d-3 as 1.5e-3_4; empty if the text is something else.
std::string singleLiteral(Place literal) {
  std::string text(literal.substr(0, literal.find('_')));
  if (text.find_first_not_of("0123456789.de+-") != std::string::npos)
    return {};
  size_t exponent = text.find_first_of("de");
  if (exponent != std::string::npos) {
    bool zero = text.find_first_not_of("0+-", exponent + 1) == std::string::npos;
    if (zero)
      text.erase(exponent);
    else
      text[exponent] = 'e';
    if (zero && text.find('.') == std::string::npos)
      text += ".0";
  }
  return text + "_4";
}

class Finder {
public:
  explicit Finder(Hazards &hazards) : hazards(hazards) {}

  // `whole` is of single precision or compares.
  void check(const Expression &whole) {
    if (wantsDouble(whole) || !hasSingle(whole))
      return;
    operands(whole);
  }
  void comparisons(const Expression &whole) {
    eachExpression(whole, [&](const Expression &part) {
      if (isComparison(part))
        check(part);
    });
  }

private:
  void operands(const Expression &expression) {
    if (expression.kind == Kind::Element ||
        (expression.kind == Kind::Call && !expression.module.empty()))
      return;
    if (expression.kind == Kind::Call && (expression.name == "real" || expression.name == "sngl"))
      return inner(expression.operands.empty() ? expression : expression.operands[0]);
    inner(expression);
  }
  void inner(const Expression &expression) {
    bool mixes = expression.kind == Kind::Operation && hasSingle(expression);
    for (const Expression &operand : expression.operands) {
      const Expression *constant = &operand;
      while (constant->kind == Kind::Operation && constant->operands.size() == 1)
        constant = &constant->operands[0];
      if (mixes && isDoubleConstant(*constant))
        report(*constant);
      else
        operands(operand);
    }
  }
  void report(const Expression &constant) {
    Diagnostic &diagnostic =
        hazards.report(Hazard::DoubleInSingle, constant.place, std::string(constant.place));
    std::string single = constant.kind == Kind::Literal ? singleLiteral(constant.place) : "";
    if (!single.empty())
      hazards.replace(diagnostic, "write " + single, constant.place, single);
  }

  Hazards &hazards;
};

} // namespace

void findDoublePrecision(Hazards &hazards) {
  Finder finder(hazards);
  for (const Procedure &procedure : hazards.model.procedures)
    if (procedure.device)
      eachStatement(procedure.body, [&](const Statement &statement) {
        if (statement.kind != Statement::Kind::Assignment)
          return eachOwnExpression(statement, [&](const Expression &e) { finder.comparisons(e); });
        if (isReal(statement.operands[0], 4))
          finder.check(statement.operands[1]);
      });
}

} // namespace cufc::hazards
