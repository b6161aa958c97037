// Operations are put in parentheses, so their precedence does not matter. gfortran has folded what
// is constant, and written calls of its own for conversions, which become intrinsics again.
#include "foreign/expression_text.h"
#include "foreign/layout.h"
#include "foreign/literals.h"
#include <array>
#include <charconv>
#include <fmt/format.h>

namespace cufc::foreign {
namespace {

using Result = std::optional<std::string>;

struct Operator {
  std::string_view name;
  const char *text;
};

constexpr std::array operators = {
    Operator{"UPLUS", "+"},      Operator{"UMINUS", "-"},    Operator{"NOT", ".not."},
    Operator{"PARENTHESES", ""}, Operator{"PLUS", "+"},      Operator{"MINUS", "-"},
    Operator{"TIMES", "*"},      Operator{"DIVIDE", "/"},    Operator{"POWER", "**"},
    Operator{"CONCAT", "//"},    Operator{"AND", ".and."},   Operator{"OR", ".or."},
    Operator{"EQV", ".eqv."},    Operator{"NEQV", ".neqv."}, Operator{"EQ", "=="},
    Operator{"EQ_SIGN", "=="},   Operator{"NE", "/="},       Operator{"NE_SIGN", "/="},
    Operator{"GT", ">"},         Operator{"GT_SIGN", ">"},   Operator{"GE", ">="},
    Operator{"GE_SIGN", ">="},   Operator{"LT", "<"},        Operator{"LT_SIGN", "<"},
    Operator{"LE", "<="},        Operator{"LE_SIGN", "<="},
};

const char *operatorText(std::string_view name) {
  for (const Operator &row : operators)
    if (row.name == name)
      return row.text;
  return nullptr;
}

bool isUnary(std::string_view name) {
  return name == "UPLUS" || name == "UMINUS" || name == "NOT" || name == "PARENTHESES";
}

struct Type {
  std::string_view name;
  int kind = 0, derived = 0;
};

class Writer {
public:
  Writer(const Module &module, const NameOf &nameOf) : module(module), nameOf(nameOf) {}

  Result text(ListReader list) {
    if (list.atEnd())
      return std::nullopt;
    std::string_view form = list.name();
    Type type = readType(list.list());
    list.integer(); // the rank
    if (form == "CONSTANT")
      return constant(list, type);
    if (form == "VARIABLE")
      return variable(list);
    if (form == "OP")
      return operation(list);
    if (form == "FUNCTION")
      return call(list, type);
    if (form == "ARRAY")
      return array(list, type);
    if (form == "STRUCTURE")
      return structure(list, type);
    if (form == "NULL")
      return "null()";
    return std::nullopt;
  }

private:
  Type readType(ListReader list) {
    Type type;
    type.name = list.name();
    bool derived = type.name == "DERIVED" || type.name == "CLASS";
    (derived ? type.derived : type.kind) = static_cast<int>(list.integer());
    return type;
  }

  Result constant(ListReader &list, const Type &type) {
    if (type.name == "INTEGER")
      return integerLiteral(list.string(), type.kind);
    if (type.name == "REAL")
      return realLiteral(list.string(), type.kind);
    if (type.name == "COMPLEX") {
      Result real = realLiteral(list.string(), type.kind);
      Result imaginary = realLiteral(list.string(), type.kind);
      if (!real || !imaginary)
        return std::nullopt;
      // Signs in parentheses are no part of a literal.
      return fmt::format("cmplx({},{},kind={})", *real, *imaginary, type.kind);
    }
    if (type.name == "LOGICAL") {
      if (!hasLogicalKind(type.kind))
        return std::nullopt;
      return fmt::format("{}_{}", list.integer() != 0 ? ".true." : ".false.", type.kind);
    }
    if (type.name != "CHARACTER")
      return std::nullopt;
    list.integer(); // the length
    return characterLiteral(list.string(), type.kind);
  }

  Result operation(ListReader &list) {
    std::string_view name = list.name();
    const char *sign = operatorText(name);
    if (!sign)
      return std::nullopt;
    Result first = text(list.list());
    if (!first)
      return std::nullopt;
    if (isUnary(name))
      return fmt::format("({}{})", sign, *first);
    Result second = text(list.list());
    if (!second)
      return std::nullopt;
    return fmt::format("({}{}{})", *first, sign, *second);
  }

  std::string symbolName(long long number) {
    const Symbol *symbol = module.find(static_cast<int>(number));
    return symbol ? nameOf(*symbol) : "";
  }

  Result variable(ListReader &list) {
    std::string result = symbolName(list.integer());
    if (result.empty() || !references(list.list(), result))
      return std::nullopt;
    return result;
  }

  bool references(ListReader list, std::string &result) {
    while (!list.atEnd() && !list.failed()) {
      ListReader one = list.list();
      std::string_view form = one.name();
      bool good = form == "ARRAY"       ? subscripts(one.list(), result)
                  : form == "COMPONENT" ? component(one, result)
                  : form == "SUBSTRING" ? substring(one, result)
                  : form == "INQUIRY"   ? inquiry(one.name(), result)
                                        : false;
      if (!good)
        return false;
    }
    return true;
  }

  bool subscripts(ListReader list, std::string &result) {
    std::string_view form = list.name();
    long long rank = list.integer();
    if (form == "FULL")
      return true;
    std::string subscripts;
    for (long long i = 0; i < rank && !list.failed(); ++i) {
      std::string one;
      for (int part = 0; part < (form == "SECTION" ? 3 : 1); ++part) {
        ListReader expression = list.list();
        bool absent = expression.atEnd();
        Result written = absent ? Result("") : text(expression);
        if (!written)
          return false;
        one += part == 0 ? *written : part == 2 && absent ? "" : ":" + *written;
      }
      subscripts += (i > 0 ? "," : "") + one;
    }
    result += "(" + subscripts + ")";
    return true;
  }

  bool component(ListReader &list, std::string &result) {
    const Symbol *type = module.find(static_cast<int>(list.integer()));
    long long number = list.integer();
    if (type)
      for (const Component &component : type->components)
        if (component.number == number) {
          if (Layout(module).isOpaque(component) && component.name != "_data")
            return false;
          if (component.name != "_data") // of a polymorphic object
            result += "%" + component.name;
          return true;
        }
    return false;
  }

  bool substring(ListReader &list, std::string &result) {
    std::string range;
    for (int part = 0; part < 2; ++part) {
      ListReader expression = list.list();
      Result written = expression.atEnd() ? Result("") : text(expression);
      if (!written)
        return false;
      range += (part ? ":" : "") + *written;
    }
    result += "(" + range + ")";
    return true;
  }

  bool inquiry(std::string_view what, std::string &result) {
    result += what == "RE" ? "%re" : what == "IM" ? "%im" : what == "LEN" ? "%len" : "%kind";
    return true;
  }

  // An argument that is absent leaves the others to be named, which only KIND comes to.
  Result arguments(ListReader list, const std::string &function) {
    std::string result;
    bool gap = false;
    while (!list.atEnd() && !list.failed()) {
      ListReader one = list.list();
      std::string keyword = one.string();
      ListReader expression = one.list();
      if (expression.atEnd()) {
        gap = true;
        continue;
      }
      Result written = text(expression);
      if (!written)
        return std::nullopt;
      if (gap && keyword.empty()) {
        if (function != "size" && function != "lbound" && function != "ubound")
          return std::nullopt;
        keyword = "kind";
      }
      result += (result.empty() ? "" : ",") + (keyword.empty() ? "" : keyword + "=") + *written;
    }
    return result;
  }

  Result call(ListReader &list, const Type &type) {
    long long number = list.integer();
    ListReader actual = list.list();
    list.string(); // the resolved name
    long long flag = list.integer();
    std::string name = flag == 0 ? list.string() : symbolName(flag == 1 ? list.integer() : number);
    if (name.empty())
      return std::nullopt;
    Result passed = arguments(actual, name);
    if (!passed)
      return std::nullopt;
    if (!name.starts_with("__convert"))
      return fmt::format("{}({})", name, *passed);
    const char *conversion = type.name == "INTEGER"   ? "int"
                             : type.name == "REAL"    ? "real"
                             : type.name == "COMPLEX" ? "cmplx"
                             : type.name == "LOGICAL" ? "logical"
                                                      : nullptr;
    if (!conversion)
      return std::nullopt;
    return fmt::format("{}({},kind={})", conversion, *passed, type.kind);
  }

  Result elements(ListReader list) {
    std::string result;
    while (!list.atEnd() && !list.failed()) {
      ListReader one = list.list();
      Result written = text(one.list());
      if (!written || !one.list().atEnd()) // an implied loop that gfortran has not expanded
        return std::nullopt;
      result += (result.empty() ? "" : ",") + *written;
    }
    return result;
  }

  Result array(ListReader &list, const Type &type) {
    Result values = elements(list.list());
    if (!values)
      return std::nullopt;
    std::string result = "[" + *values + "]";
    if (values->empty()) {
      if (type.derived || type.name == "CHARACTER")
        return std::nullopt;
      result = fmt::format("[{}({})::]", type.name, type.kind);
    }
    std::string shape;
    int rank = 0;
    for (ListReader extents = list.list(); !extents.atEnd() && !extents.failed(); ++rank)
      shape += (rank ? "," : "") + extents.string() + "_8";
    return rank > 1 ? fmt::format("reshape({},shape=[{}])", result, shape) : result;
  }

  // The symbol that a pointer's value names, 0 for NULL() and for what is no such value.
  static long long procedureIn(ListReader value) {
    if (value.atEnd() || value.name() != "VARIABLE")
      return 0;
    value.list();    // the type
    value.integer(); // the rank
    return value.integer();
  }

  long long initialProcedure(const Component &component) const {
    bool pointer = component.attributes.has("PROC_POINTER") && component.initial;
    return pointer ? procedureIn(module.reader(component.initial).list()) : 0;
  }

  Result structure(ListReader &list, const Type &type) {
    const Symbol *symbol = module.find(type.derived);
    if (!symbol)
      return std::nullopt;
    if (symbol->name == "C_ptr" || symbol->name == "C_funptr")
      return pointerConstant(*symbol, list.list());
    std::string name = nameOf(*symbol), result;
    if (name.empty())
      return std::nullopt;
    ListReader values = list.list();
    for (const Component &component : symbol->components) {
      if (values.atEnd())
        break;
      ListReader one = values.list();
      ListReader expression = one.list();
      if (expression.atEnd())
        continue; // it has no value, or that of its initialisation
      if (long long procedure = initialProcedure(component);
          procedure && procedureIn(expression) == procedure)
        continue;
      Result written = text(expression);
      if (Layout(module).isOpaque(component)) {
        if (written != "null()" || initialProcedure(component))
          return std::nullopt;
        continue; // which is how it begins
      }
      if (!written)
        return std::nullopt;
      result += (result.empty() ? "" : ",") + component.name + "=" + *written;
    }
    return fmt::format("{}({})", name, result);
  }

  // Only null pointers are constants that programs name.
  Result pointerConstant(const Symbol &symbol, ListReader values) {
    while (!values.atEnd() && !values.failed()) {
      Result written = text(values.list().list());
      if (!written || written->substr(0, 2) != "0_")
        return std::nullopt;
    }
    return std::string(symbol.name == "C_ptr" ? nullPointer : nullProcedurePointer);
  }

  const Module &module;
  const NameOf &nameOf;
};

class Evaluator {
public:
  explicit Evaluator(const Module &module) : module(module) {}

  std::optional<long long> value(ListReader list) {
    if (list.atEnd())
      return std::nullopt;
    std::string_view form = list.name();
    ListReader type = list.list();
    if (type.name() != "INTEGER")
      return std::nullopt;
    list.integer();
    if (form == "CONSTANT") {
      std::string digits = list.string();
      long long result = 0;
      if (std::from_chars(digits.data(), digits.data() + digits.size(), result).ec != std::errc{})
        return std::nullopt;
      return result;
    }
    if (form == "OP")
      return operation(list);
    if (form != "VARIABLE" || ++steps > 1000)
      return std::nullopt;
    const Symbol *symbol = module.find(static_cast<int>(list.integer()));
    if (!symbol || !symbol->value || !list.list().atEnd())
      return std::nullopt;
    return value(module.reader(symbol->value).list());
  }

private:
  std::optional<long long> operation(ListReader &list) {
    std::string_view name = list.name();
    std::optional<long long> a = value(list.list());
    std::optional<long long> b = isUnary(name) ? std::optional(0LL) : value(list.list());
    if (!a || !b)
      return std::nullopt;
    long long result = 0;
    bool overflow = false;
    if (name == "PLUS")
      overflow = __builtin_add_overflow(*a, *b, &result);
    else if (name == "MINUS")
      overflow = __builtin_sub_overflow(*a, *b, &result);
    else if (name == "TIMES")
      overflow = __builtin_mul_overflow(*a, *b, &result);
    else if (name == "UPLUS" || name == "PARENTHESES")
      result = *a;
    else if (name == "UMINUS")
      overflow = __builtin_sub_overflow(0LL, *a, &result);
    else
      return std::nullopt;
    return overflow ? std::nullopt : std::optional(result);
  }

  const Module &module;
  int steps = 0; // damaged files may define constants by themselves
};

} // namespace

std::optional<std::string> expressionText(const Module &module, Expression expression,
                                          const NameOf &nameOf) {
  if (!expression)
    return std::nullopt;
  return Writer(module, nameOf).text(module.reader(expression).list());
}

std::optional<long long> constantValue(const Module &module, Expression expression) {
  if (!expression)
    return std::nullopt;
  return Evaluator(module).value(module.reader(expression).list());
}

} // namespace cufc::foreign
