// See variables.h. Scopes, and values taken apart; threads of a block are in block_threads.cpp.
#include "debug/variables.h"
#include <algorithm>
#include <cctype>

namespace cufc::debug {
namespace {

constexpr int64_t pageOfGdb = 200; // elements in one answer: `print elements` is larger
constexpr int64_t elementsOfSummary = 12;
constexpr size_t mostOfSummary = 160; // letters
constexpr const char *indexNames[] = {"threadidx", "blockidx", "blockdim", "griddim"};

bool isIndexName(std::string_view name) {
  return std::find(std::begin(indexNames), std::end(indexNames), name) != std::end(indexNames);
}

// Of the compiler, not of the source.
bool isMade(std::string_view name) {
  return name.empty() || name[0] == '.' || name.starts_with("_Q") ||
         name.find('.') != std::string_view::npos;
}

bool canBeOpened(const TypeText &type) {
  return (type.isArray && !type.dimensions.empty()) || type.isDerived || type.isPointer;
}

std::string shortened(std::string text) {
  if (text.size() > mostOfSummary)
    text = text.substr(0, mostOfSummary) + "...";
  return text;
}

// Of a variable whose declaration has not been reached, of an absent dummy, of a null pointer.
std::string withoutErrors(const std::string &value) {
  bool isMissing = value.empty() || (value.starts_with("<error") &&
                                     value.find("Cannot access memory") != std::string::npos);
  return isMissing ? "<not there>" : value;
}

// "(3,j)" with the subscripts of the last dimensions; `first` stands for the others.
std::string subscripted(const std::string &first, const std::vector<int64_t> &rest) {
  std::string text = "(" + first;
  for (int64_t subscript : rest)
    text += "," + std::to_string(subscript);
  return text + ")";
}

// All of the first dimensions, as in "(:,:,3)".
std::string section(size_t whole, const std::vector<int64_t> &rest) {
  std::string first = ":";
  for (size_t i = 1; i < whole; ++i)
    first += ",:";
  return subscripted(first, rest);
}

bool isPlainName(std::string_view expression) {
  return std::all_of(expression.begin(), expression.end(), [](char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_';
  });
}

// An address alone, such as @0x7ffd00.
bool isReference(std::string_view value) {
  return value.starts_with("@0x") &&
         value.find_first_not_of("0123456789abcdef", 3) == std::string_view::npos;
}

} // namespace

int64_t Variables::add(Node node) {
  nodes.push_back(std::move(node));
  return static_cast<int64_t>(nodes.size());
}

std::optional<ArrayShape> Variables::shapeOf(const Node &node, const std::string &name) {
  auto [known, isNew] = shapes.try_emplace({node.context, name});
  if (isNew)
    known->second = shapeFrom(askAsIs(node, shapeVariable(name), nullptr));
  return known->second;
}

ShapeOf Variables::shapesIn(const Node &node) {
  return [this, node](const std::string &name) { return shapeOf(node, name); };
}

std::string Variables::ask(const Node &node, const std::string &expression, std::string *problem) {
  focus.enter(node.context);
  if (!kernels.isOnDevice())
    return askAsIs(node, expression, problem);
  if (std::optional<std::string> section = askSection(node, expression))
    return *section;
  return askAsIs(node, withPlaces(expression, shapesIn(node)), problem);
}

std::optional<std::string> Variables::askSection(const Node &node, const std::string &expression) {
  std::vector<ArrayUse> uses = arrayUses(expression, shapesIn(node));
  bool isAll = uses.size() == 1 && uses[0].start == 0 && uses[0].end == expression.size();
  if (!isAll)
    return std::nullopt;
  ArrayUse &use = uses[0];
  std::optional<ArrayShape> known = shapeOf(node, use.name);
  if (!known)
    return std::nullopt;
  ArrayShape shape = *known;
  if (use.subscripts.empty())
    use.subscripts.resize(shape.dimensions.size(), ":");
  if (use.subscripts.size() != shape.dimensions.size())
    return std::nullopt;
  size_t ranges = 0;
  for (size_t i = 0; i < use.subscripts.size(); ++i)
    if (use.subscripts[i].find(':') != std::string::npos) {
      std::optional<Bounds> range = rangeOf(use.subscripts[i], shape.dimensions[i]);
      if (!range || ranges < i) // of the first dimensions alone
        return std::nullopt;
      shape.dimensions[ranges++] = *range;
    }
  if (ranges == 0)
    return std::nullopt;
  std::vector<std::string> rest(use.subscripts.begin() + static_cast<std::ptrdiff_t>(ranges),
                                use.subscripts.end());
  return elementsOf(node, use.name, *known, shape, rest);
}

// As gdb writes them: those of a column in parentheses, and the columns. `rest` has the subscripts
// of the last dimensions.
std::string Variables::elementsOf(const Node &node, const std::string &name,
                                  const ArrayShape &whole, const ArrayShape &section,
                                  const std::vector<std::string> &rest) {
  const size_t open = whole.dimensions.size() - rest.size();
  auto elementAt = [&](int64_t i) {
    std::vector<std::string> subscripts{std::to_string(i)};
    subscripts.insert(subscripts.end(), rest.begin(), rest.end());
    return subscripts;
  };
  if (open == 0)
    return askAsIs(node, name + "(" + placeInMemory(whole, rest) + ")", nullptr);
  Bounds range = section.dimensions[open - 1];
  const bool isLong = range.extent() > pageOfGdb;
  if (isLong)
    range.upper = range.lower + pageOfGdb - 1;
  std::string text;
  if (open == 1 && whole.distances[0] == 1 && range.extent() > 0) {
    text = askAsIs(node,
                   name + "(" + placeInMemory(whole, elementAt(range.lower)) + ")@" +
                       std::to_string(range.extent()),
                   nullptr);
  } else {
    for (int64_t i = range.lower; i <= range.upper; ++i)
      text += (text.empty() ? "(" : ", ") + elementsOf(node, name, whole, section, elementAt(i));
    text += text.empty() ? "()" : ")";
  }
  if (isLong && text.ends_with(')'))
    text = text.substr(0, text.size() - 1) + ", ...)";
  return text;
}

std::string Variables::askAsIs(const Node &node, const std::string &expression,
                               std::string *problem) {
  focus.enter(node.context);
  std::string of = " --thread " + std::to_string(node.context.thread) + " --frame " +
                   std::to_string(node.context.level) + " ";
  MiReply reply = gdb.ask("-data-evaluate-expression" + of + miQuoted(expression));
  if (problem && !reply.ok)
    *problem = reply.error;
  if (!reply.ok)
    return "";
  std::string value = reply.results["value"].text;
  if (!isReference(value))
    return value;
  // MI leaves out what a reference to a scalar refers to; the console says it behind the address.
  std::string text =
      gdb.ask("-interpreter-exec" + of + "console " + miQuoted("output " + expression)).console;
  size_t start = text.find(value + ": ");
  return start == std::string::npos ? value : text.substr(start + value.size() + 2);
}

std::string Variables::typeOf(const Node &node, const std::string &expression) {
  auto whatis = [&](const std::string &of) {
    focus.enter(node.context);
    return gdb.ask("-interpreter-exec --thread " + std::to_string(node.context.thread) +
                   " --frame " + std::to_string(node.context.level) + " console " +
                   miQuoted("whatis " + of));
  };
  std::string asked = expression, bounds;
  if (focus.enter(node.context); kernels.isOnDevice()) {
    std::optional<ArrayShape> shape =
        isPlainName(expression) ? shapeOf(node, expression) : std::nullopt;
    bounds = shape ? " " + shownBounds(*shape) : "";
    asked = shape ? expression + "(1)" : withPlaces(expression, shapesIn(node));
  }
  MiReply reply = whatis(asked);
  // gdb 13 looks for bounds at address 0 where a pointer leads to a structure with allocatables.
  bool isMissed = !reply.ok && reply.error.find("Cannot access memory") != std::string::npos;
  if (isMissed && !ask(node, "$cufls = " + expression).empty())
    reply = whatis("$cufls");
  std::string text = reply.console;
  constexpr std::string_view start = "type = ";
  while (text.ends_with('\n'))
    text.pop_back();
  text = text.starts_with(start) ? text.substr(start.size()) : "";
  text = text == "long" ? "integer(kind=8)" : text == "int" ? "integer" : text; // of expressions
  return text.empty() ? text : text + bounds;
}

// The first elements, of a large array no more than that is read.
std::string Variables::summary(const Node &array) {
  const std::vector<Bounds> &dimensions = array.type.dimensions;
  size_t open = dimensions.size() - array.subscripts.size();
  int64_t elements = 1;
  for (size_t d = 0; d < open; ++d)
    elements *= dimensions[d].extent();
  if (elements == 0)
    return "()";
  bool isWhole = elements <= elementsOfSummary;
  if (isWhole && array.subscripts.empty())
    return shortened(shownValue(ask(array, array.expression)));
  const Bounds &first = dimensions[0];
  int64_t last = std::min(first.upper, first.lower + elementsOfSummary - 1);
  std::vector<int64_t> rest;
  for (size_t d = 1; d < open; ++d)
    rest.push_back(dimensions[d].lower);
  rest.insert(rest.end(), array.subscripts.begin(), array.subscripts.end());
  std::string text = shownValue(
      ask(array, array.expression +
                     subscripted(std::to_string(first.lower) + ":" + std::to_string(last), rest)));
  bool isAll = open == 1 && last == first.upper;
  if (!isAll && text.ends_with(')'))
    text = text.substr(0, text.size() - 1) + ", ...)";
  return shortened(text);
}

void Variables::describeArray(Json &variable, const Node &array) {
  size_t open = array.type.dimensions.size() - array.subscripts.size();
  const Bounds &outermost = array.type.dimensions[open - 1];
  if (outermost.extent() == 0)
    return;
  variable["variablesReference"] = add(array);
  variable["indexedVariables"] = outermost.extent();
}

Json Variables::shown(const Node &owner, const std::string &name, const std::string &expression,
                      std::optional<std::string> value, const std::string &type) {
  TypeText parsed = parseType(type);
  Json variable{
      {"name", name}, {"type", type}, {"evaluateName", expression}, {"variablesReference", 0}};
  Node node{Kind::Value, owner.context, expression, parsed, {}, 0};
  if (parsed.isArray && !parsed.dimensions.empty()) {
    std::string text = withoutErrors(summary(node));
    variable["value"] = text;
    if (!text.starts_with('<'))
      describeArray(variable, node);
    return variable;
  }
  if (!value)
    value = ask(owner, expression);
  std::string text = shownValue(*value);
  bool isUnbounded = parsed.isArray && (text.empty() || text.starts_with("<error"));
  text = isUnbounded ? type.substr(type.rfind(" (") + 1) : withoutErrors(text);
  variable["value"] = shortened(text);
  bool isNull = parsed.isPointer && addressOf(*value) == 0;
  if (!parsed.isArray && canBeOpened(parsed) && !isNull && !text.starts_with('<'))
    variable["variablesReference"] = add(node);
  return variable;
}

Json Variables::scopes(const FrameContext &context, const std::string &function) {
  Json scopes = Json::array();
  auto addScope = [&](const char *name, Kind kind, bool isExpensive, std::string expression = {}) {
    Json scope{{"name", name},
               {"expensive", isExpensive},
               {"variablesReference", add({kind, context, std::move(expression), {}, {}, 0})}};
    if (kind == Kind::Locals)
      scope["presentationHint"] = "locals";
    scopes.push_back(std::move(scope));
  };
  addScope("Locals", Kind::Locals, false);
  focus.enter(context);
  if (kernels.position(context)) {
    addScope("Launch", Kind::Launch, false);
    if (!kernels.isOnDevice())
      addScope("Block", Kind::Block, false);
  }
  size_t colons = function.find("::");
  bool isInModule = colons != std::string::npos &&
                    std::islower(static_cast<unsigned char>(function[0])); // others: of a program
  if (isInModule) {
    std::string owner = function.substr(0, colons);
    addScope(("Module " + owner).c_str(), Kind::Module, true, owner);
  }
  return scopes;
}

Json Variables::children(int64_t number, int64_t start, int64_t count) {
  if (number < 1 || number > static_cast<int64_t>(nodes.size()))
    return Json::array();
  Node node = nodes[static_cast<size_t>(number - 1)]; // what is added may move the nodes
  switch (node.kind) {
  case Kind::Locals:
    return locals(node);
  case Kind::Launch:
    return launch(node);
  case Kind::Block:
    return groups(node);
  case Kind::Group:
    return threads(node, start, count);
  case Kind::Module:
    return moduleData(node);
  case Kind::Value:
    return node.type.isArray ? elements(node, start, count) : components(node);
  }
  return Json::array();
}

Json Variables::locals(const Node &node) {
  Json variables = Json::array();
  if (!focus.enter(node.context))
    return variables;
  MiReply reply = gdb.ask("-stack-list-variables --thread " + std::to_string(node.context.thread) +
                          " --frame " + std::to_string(node.context.level) + " --simple-values");
  for (const auto &[unused, local] : reply.results["variables"].items) {
    const std::string &name = local["name"].text;
    std::string type = local["type"].text;
    if (isMade(name) || isIndexName(name))
      continue;
    std::optional<std::string> value;
    const bool hasShape = kernels.isOnDevice() && shapeOf(node, name);
    if (local.has("value") && !hasShape)
      value = local["value"].text;
    else if (std::string resolved = typeOf(node, name); !resolved.empty())
      type = resolved; // with the bounds as they are now
    variables.push_back(shown(node, name, name, value, type));
  }
  return variables;
}

Json Variables::launch(const Node &node) {
  Json variables = Json::array();
  focus.enter(node.context);
  std::optional<KernelPosition> position = kernels.position(node.context);
  if (!position)
    return variables;
  auto add = [&](const char *name, const std::string &value) {
    variables.push_back({{"name", name}, {"value", value}, {"variablesReference", 0}});
  };
  add("kernel", position->function);
  add("threadIdx", shownIndex(position->thread));
  add("blockIdx", shownIndex(position->block));
  add("blockDim", shownIndex(position->blockSize));
  add("gridDim", shownIndex(position->gridSize));
  return variables;
}

Json Variables::moduleData(const Node &node) {
  Json variables = Json::array();
  std::string start = node.expression + "::";
  MiReply reply = gdb.ask("-symbol-info-variables --name \"^" + start + "\"");
  for (const auto &[unused, file] : reply.results["symbols"]["debug"].items)
    for (const auto &[none, symbol] : file["symbols"].items) {
      const std::string &whole = symbol["name"].text;
      std::string name = whole.substr(std::min(start.size(), whole.size()));
      if (!isMade(name))
        variables.push_back(shown(node, name, whole, std::nullopt, typeOf(node, whole)));
    }
  return variables;
}

Json Variables::components(const Node &node) {
  Json variables = Json::array();
  std::string target = node.type.isPointer ? "*(" + node.expression + ")" : node.expression;
  bool isDerived = parseType(node.type.isPointer ? node.type.target : node.type.element).isDerived;
  if (node.type.isPointer && !isDerived) {
    variables.push_back(
        shown(node, "*" + node.expression, target, std::nullopt, typeOf(node, target)));
    return variables;
  }
  for (const auto &[name, value] : partsOf(ask(node, target))) {
    std::string expression = node.expression + "%" + name;
    variables.push_back(shown(node, name, expression, value, typeOf(node, expression)));
  }
  return variables;
}

// Of an array of one open dimension the elements, of others the sections of the last dimension.
Json Variables::elements(const Node &node, int64_t start, int64_t count) {
  Json variables = Json::array();
  size_t open = node.type.dimensions.size() - node.subscripts.size();
  const Bounds &bounds = node.type.dimensions[open - 1];
  int64_t first = bounds.lower + std::max<int64_t>(start, 0);
  int64_t last = std::min(bounds.upper, count > 0 ? first + count - 1 : bounds.upper);
  if (open > 1) {
    for (int64_t i = first; i <= last; ++i) {
      Node part = node;
      part.subscripts.insert(part.subscripts.begin(), i);
      std::string name = section(open - 1, part.subscripts);
      Json variable{{"name", name},
                    {"value", summary(part)},
                    {"variablesReference", 0},
                    {"evaluateName", node.expression + name},
                    {"type", node.type.element}};
      describeArray(variable, part);
      variables.push_back(std::move(variable));
    }
    return variables;
  }
  TypeText element = node.type;
  for (int64_t page = first; page <= last; page += pageOfGdb) {
    int64_t end = std::min(last, page + pageOfGdb - 1);
    std::string range = std::to_string(page) + ":" + std::to_string(end);
    auto values = partsOf(ask(node, node.expression + subscripted(range, node.subscripts)));
    for (int64_t i = page; i <= end; ++i) {
      auto at = static_cast<size_t>(i - page);
      std::string name = subscripted(std::to_string(i), node.subscripts);
      variables.push_back(shown(
          node, name, node.expression + name,
          at < values.size() ? std::optional(values[at].second) : std::nullopt, node.type.element));
    }
  }
  return variables;
}

std::optional<Json> Variables::evaluate(const FrameContext &context, const std::string &expression,
                                        std::string &problem) {
  Node node{Kind::Value, context, expression, {}, {}, 0};
  std::string type = typeOf(node, expression);
  TypeText parsed = parseType(type);
  std::optional<std::string> value;
  if (!parsed.isArray || parsed.dimensions.empty()) {
    value = ask(node, expression, &problem);
    if (!problem.empty())
      return std::nullopt;
  }
  Json result = shown(node, expression, expression, value, type);
  result["result"] = result["value"];
  for (const char *name : {"value", "name", "evaluateName"})
    result.erase(name);
  return result;
}

std::optional<Json> Variables::assign(const FrameContext &context, const std::string &expression,
                                      const std::string &value, std::string &problem) {
  Node node{Kind::Value, context, expression, {}, {}, 0};
  std::string type = typeOf(node, expression), assigned = value;
  // gdb wants text of the same length.
  if (int64_t length = characterLength(type); length && value.size() >= 2 && value[0] == '\'') {
    std::string text = value.substr(1, value.size() - 2);
    text.resize(static_cast<size_t>(length), ' ');
    assigned = "'" + text + "'";
  }
  ask(node, expression + " = " + assigned, &problem);
  if (!problem.empty())
    return std::nullopt;
  Json result = shown(node, expression, expression, std::nullopt, type);
  for (const char *name : {"name", "evaluateName"})
    result.erase(name);
  return result;
}

std::string Variables::expressionOf(const Node &node, const std::string &name) const {
  switch (node.kind) {
  case Kind::Locals:
    return name;
  case Kind::Module:
    return node.expression + "::" + name;
  case Kind::Value:
    return name.starts_with('*') ? "*(" + node.expression + ")"
                                 : node.expression + (node.type.isArray ? "" : "%") + name;
  default:
    return {};
  }
}

std::string Variables::expressionIn(int64_t number, const std::string &name,
                                    FrameContext &context) const {
  if (number < 1 || number > static_cast<int64_t>(nodes.size()))
    return name;
  const Node &node = nodes[static_cast<size_t>(number - 1)];
  context = node.context;
  // dape names a child by its `evaluateName`; no child has such a name.
  const std::string &whole = node.expression;
  bool isWhole = !whole.empty() && name.starts_with(whole) &&
                 name.find_first_of("(%:", whole.size()) == whole.size();
  return isWhole ? name : expressionOf(node, name);
}

std::optional<Json> Variables::assign(int64_t number, const std::string &name,
                                      const std::string &value, std::string &problem) {
  Node node = number >= 1 && number <= static_cast<int64_t>(nodes.size())
                  ? nodes[static_cast<size_t>(number - 1)]
                  : Node{Kind::Launch, {}, {}, {}, {}, 0};
  std::string expression = expressionOf(node, name);
  if (expression.empty()) {
    problem = name + " cannot be set";
    return std::nullopt;
  }
  return assign(node.context, expression, value, problem);
}

} // namespace cufc::debug
