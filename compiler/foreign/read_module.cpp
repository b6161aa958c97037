// The lists of a module file in the order in which gfortran writes them (gcc/fortran/module.cc:
// write_module, mio_symbol and what they call). Versions 14 to 16 have the same order.
#include "foreign/model.h"
#include "foreign/origin.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace cufc::foreign {
namespace {

// The order of gfortran's intrinsic operators, in which their interfaces are listed. The second
// spelling of a relation stands apart; the operator that users define has no list of its own.
constexpr std::array<std::string_view, 28> operators = {
    "+", "-",  "+", "-",  "*",  "/",  "**", "//", ".and.", ".or.", ".eqv.", ".neqv.", "==", "/=",
    ">", ">=", "<", "<=", "==", "/=", ">",  ">=", "<",     "<=",   ".not.", "",       "=",  ""};
constexpr size_t userOperator = 25;

std::string operatorName(size_t number) {
  if (number >= operators.size() || operators[number].empty())
    return "";
  std::string text(operators[number]);
  return (text == "=" ? "assignment(" : "operator(") + text + ")";
}

int asNumber(long long value) { return static_cast<int>(value); }

class ModuleReader {
public:
  explicit ModuleReader(Module &module) : module(module) {}

  bool run() {
    ListReader file(module.atoms, module.damaged);
    readOperators(file.list());
    readNamed(file.list(), true);
    readNamed(file.list(), false);
    readCommons(file.list());
    file.skip(); // equivalences: their names are those of symbols
    if (!file.isList())
      return false;
    ListReader next = file.list(); // reductions of OpenMP, or already the symbols
    if (next.isInteger()) {
      readSymbols(next);
    } else {
      readSymbols(file.list());
    }
    readNames(file.list());
    return !module.damaged;
  }

private:
  Expression expression(ListReader &reader) {
    Expression place = reader.place();
    return reader.list().atEnd() ? 0 : place;
  }

  void readOperators(ListReader list) {
    for (size_t number = 0; !list.atEnd(); ++number) {
      if (number == userOperator)
        ++number;
      Generic generic{operatorName(number), module.name, numbers(list.list())};
      if (!generic.specifics.empty() && !generic.name.empty())
        module.generics.push_back(std::move(generic));
    }
  }

  void readNamed(ListReader list, bool isOperator) {
    while (!list.atEnd()) {
      ListReader one = list.list();
      std::string name = one.string(), from = one.string();
      if (isOperator)
        name.insert(0, "operator(.").append(".)");
      std::vector<int> specifics = numbers(one);
      module.generics.push_back({std::move(name), std::move(from), std::move(specifics)});
    }
  }

  std::vector<int> numbers(ListReader list) {
    std::vector<int> result;
    while (!list.atEnd())
      result.push_back(asNumber(list.integer()));
    return result;
  }

  void readCommons(ListReader list) {
    while (!list.atEnd()) {
      ListReader one = list.list();
      Common common;
      common.name = one.string();
      common.first = asNumber(one.integer());
      common.threadPrivate = (one.integer() & 2) != 0;
      common.bindC = one.integer() != 0;
      common.label = one.string();
      module.commons.push_back(std::move(common));
    }
  }

  void readSymbols(ListReader list) {
    while (!list.atEnd() && !list.failed()) {
      Symbol symbol;
      symbol.number = asNumber(list.integer());
      symbol.name = list.string();
      symbol.module = list.string();
      symbol.label = list.string();
      symbol.scope = asNumber(list.integer());
      readSymbol(list.list(), symbol);
      int number = symbol.number;
      module.symbols.insert_or_assign(number, std::move(symbol));
    }
  }

  void readSymbol(ListReader list, Symbol &symbol) {
    symbol.attributes = attributes(list.list());
    readComponents(list.list(), symbol.has("VTYPE"), symbol);
    if (!symbol.components.empty())
      symbol.privateComponents = list.name() == "PRIVATE";
    symbol.type = typeSpec(list.list());
    symbol.formalScope = asNumber(list.integer());
    symbol.nextInCommon = asNumber(list.integer());
    symbol.dummies = numbers(list.list());
    if (symbol.attributes.flavor == "PARAMETER")
      symbol.value = expression(list);
    symbol.array = arraySpec(list.list());
    symbol.result = asNumber(list.integer());
    if (symbol.has("CRAY_POINTEE"))
      list.skip();
    readBindings(list.list(), symbol);
    symbol.parameterised = symbol.has("PDT_TEMPLATE") || symbol.has("PDT_TYPE");
    list.skip(); // values of type parameters
    symbol.namelist = numbers(list.list());
  }

  Attributes attributes(ListReader list) {
    Attributes result;
    result.flavor = list.name();
    result.intent = list.name();
    result.procedure = list.name();
    result.source = list.name();
    result.save = list.name();
    list.integer();
    result.extension = asNumber(list.integer());
    while (!list.atEnd())
      result.others.push_back(list.name());
    return result;
  }

  TypeSpec typeSpec(ListReader list) {
    TypeSpec result;
    result.type = list.name();
    bool derived = result.type == "DERIVED" || result.type == "CLASS" || result.type == "UNION";
    (derived ? result.derived : result.kind) = asNumber(list.integer());
    result.interface = asNumber(list.integer());
    list.skip(); // whether it is interoperable
    list.skip();
    list.skip();
    ListReader length = list.list();
    if (!length.atEnd())
      result.length = expression(length);
    result.deferred = list.isName() && list.name() == "DEFERRED_CL";
    return result;
  }

  ArraySpec arraySpec(ListReader list) {
    ArraySpec result;
    if (list.atEnd())
      return result;
    result.rank = asNumber(list.integer());
    result.corank = asNumber(list.integer());
    result.form = list.name();
    while (!list.atEnd()) {
      Expression lower = expression(list);
      result.bounds.emplace_back(lower, expression(list));
    }
    if (result.rank < 0 || result.rank > 15 || result.corank < 0 ||
        result.bounds.size() !=
            static_cast<size_t>(result.rank) + static_cast<size_t>(result.corank))
      list.fail();
    return result;
  }

  void readComponents(ListReader list, bool ofVirtualTable, Symbol &symbol) {
    while (!list.atEnd() && !list.failed()) {
      ListReader one = list.list();
      Component component;
      component.number = asNumber(one.integer());
      component.name = one.string();
      component.type = typeSpec(one.list());
      component.array = arraySpec(one.list());
      one.skip(); // the kind's expression and the values of type parameters
      one.skip();
      component.attributes = attributes(one.list());
      component.isPrivate = one.name() == "PRIVATE";
      if (!ofVirtualTable && one.isList())
        component.initial = expression(one);
      symbol.components.push_back(std::move(component));
    }
  }

  void readBindings(ListReader list, Symbol &symbol) {
    if (list.atEnd())
      return;
    symbol.finals = numbers(list.list());
    for (bool isOperator : {false, true})
      for (ListReader tree = list.list(); !tree.atEnd() && !tree.failed();) {
        ListReader one = tree.list();
        std::string name = one.string();
        symbol.bindings.push_back(
            binding(one.list(), isOperator ? "operator(." + name + ".)" : name));
      }
    for (ListReader tree = list.list(); !tree.atEnd() && !tree.failed();) {
      ListReader one = tree.list();
      long long number = one.integer();
      symbol.bindings.push_back(
          binding(one.list(), operatorName(static_cast<size_t>(std::max(number, 0LL)))));
    }
  }

  Binding binding(ListReader list, std::string name) {
    Binding result;
    result.name = std::move(name);
    result.isPrivate = list.name() == "PRIVATE";
    std::string_view overriding = list.name();
    result.deferred = overriding == "DEFERRED";
    result.nonOverridable = overriding == "NON_OVERRIDABLE";
    result.nopass = list.name() == "NOPASS";
    result.generic = list.name() == "GENERIC";
    list.name();
    result.pass = list.string();
    list.integer();
    if (!result.generic) {
      if (list.isInteger())
        result.specific = asNumber(list.integer());
      return result;
    }
    for (ListReader names = list.list(); !names.atEnd() && !names.failed();) {
      names.integer();
      result.specifics.push_back(names.string());
    }
    return result;
  }

  void readNames(ListReader list) {
    while (!list.atEnd() && !list.failed()) {
      std::string name = list.string();
      list.integer();
      module.names.emplace_back(std::move(name), asNumber(list.integer()));
    }
  }

  Module &module;
};

} // namespace

bool Attributes::has(std::string_view name) const {
  return std::find(others.begin(), others.end(), name) != others.end();
}

const Symbol *Module::find(int number) const {
  auto found = symbols.find(number);
  return found == symbols.end() ? nullptr : &found->second;
}

const Symbol &Module::interfaceOf(const Symbol &procedure) const {
  const Symbol *other = procedure.dummies.empty() ? find(procedure.type.interface) : nullptr;
  // Both are symbols of the module. NOLINTNEXTLINE(bugprone-return-const-ref-from-parameter)
  return other && other->isProcedure() ? *other : procedure;
}

ListReader Module::reader(Expression expression) const {
  return ListReader(atoms, damaged).from(expression);
}

std::string sourceName(const std::string &name) {
  std::string result = name;
  if (!result.empty())
    result[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(result[0])));
  return result;
}

std::string sourceModule(const std::string &module) {
  return module.starts_with("__") ? module.substr(2) : module;
}

// Each symbol opens with its name, its module and its label, a generic with the first two.
std::vector<std::string> modulesNamedIn(std::string_view text) {
  std::set<std::string> found;
  size_t strings = 0; // that stand side by side
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\'') {
      if (std::isspace(static_cast<unsigned char>(text[at])) == 0)
        strings = 0;
      continue;
    }
    size_t end = std::min(text.find('\'', at + 1), text.size());
    std::string name = sourceModule(std::string(text.substr(at + 1, end - at - 1)));
    bool isName = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '_';
    });
    if (++strings == 2 && isName)
      found.insert(std::move(name));
    at = end;
  }
  return {found.begin(), found.end()};
}

std::unique_ptr<Module> readModuleText(const std::string &name, std::string text) {
  auto module = std::make_unique<Module>();
  module->name = name;
  size_t end = text.find('\n');
  if (end == std::string::npos)
    return nullptr;
  Origin origin = originOfFirstLine(std::string_view(text).substr(0, end));
  module->version = origin.version;
  text.erase(0, end + 1);
  // Another line with a checksum stood there up to version 9.
  if (origin.kind != Origin::Gfortran || !module->atoms.parse(std::move(text)))
    return nullptr;
  return ModuleReader(*module).run() ? std::move(module) : nullptr;
}

std::unique_ptr<Module> readModule(const std::string &name, const std::string &path) {
  std::unique_ptr<Module> module = readModuleText(name, textOfGfortranFile(path));
  if (module)
    module->path = path;
  return module;
}

} // namespace cufc::foreign
