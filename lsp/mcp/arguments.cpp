// See arguments.h.
#include "mcp/arguments.h"
#include <fmt/format.h>

namespace cufc::mcp {
namespace {

bool hasType(const Json &value, const std::string &type) {
  return type == "string"    ? value.is_string()
         : type == "integer" ? value.is_number_integer()
         : type == "boolean" ? value.is_boolean()
         : type == "array"   ? value.is_array()
                             : value.is_object();
}

// What is wrong with a value, or empty. A NUL byte would end an argument of a program early.
std::string problemOf(const Json &value, const Json &schema) {
  const std::string type = schema.at("type");
  if (!hasType(value, type))
    return "has to be of type " + type;
  if (value.is_string() && value.get_ref<const std::string &>().find('\0') != std::string::npos)
    return "has a NUL character";
  if (schema.contains("enum") &&
      std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end())
    return "has to be one of " + schema["enum"].dump();
  if (schema.contains("minimum") && value < schema["minimum"])
    return "has to be at least " + schema["minimum"].dump();
  if (schema.contains("maximum") && value > schema["maximum"])
    return "has to be at most " + schema["maximum"].dump();
  if (value.is_array())
    for (const Json &item : value)
      if (std::string problem = problemOf(item, schema.at("items")); !problem.empty())
        return "holds an item that " + problem;
  return {};
}

} // namespace

void checkArguments(const Json &arguments, const Json &schema) {
  if (!arguments.is_object())
    throw ToolFailure{"the arguments have to be an object"};
  const Json &properties = schema.at("properties");
  std::string problems;
  auto add = [&](const std::string &text) { problems += (problems.empty() ? "" : "; ") + text; };
  for (const auto &[name, value] : arguments.items())
    if (!properties.contains(name)) {
      std::string known;
      for (const auto &[other, ignored] : properties.items())
        known += (known.empty() ? "" : ", ") + other;
      add(fmt::format("there is no argument '{}'; known are {}", name, known));
    } else if (std::string problem = problemOf(value, properties[name]); !problem.empty()) {
      add(fmt::format("'{}' {}", name, problem));
    }
  for (const Json &name : schema.value("required", Json::array()))
    if (!arguments.contains(name.get<std::string>()))
      add(fmt::format("'{}' is missing", name.get<std::string>()));
  if (!problems.empty())
    throw ToolFailure{problems};
}

std::string textOf(const Json &arguments, const char *name) {
  return arguments.value(name, std::string());
}

std::vector<std::string> textsOf(const Json &arguments, const char *name) {
  return arguments.value(name, std::vector<std::string>());
}

bool isSet(const Json &arguments, const char *name) { return arguments.value(name, false); }

} // namespace cufc::mcp
