// The table of keys, and the JSON schema (draft 7, which editors know) that follows from it.
#include "base/gpus.h"
#include "project/json_reader.h"
#include "project/project.h"
#include "project/project_keys.h"
#include <algorithm>
#include <fmt/format.h>

namespace cufc {
namespace {

std::string gpuEnumeration() {
  std::string list;
  for (const Gpu &gpu : allGpus())
    list += (list.empty() ? "" : ", ") + fmt::format("\"cc{}\"", gpu.number);
  return fmt::format("{{\"type\": \"string\", \"examples\": [{}]}}", list);
}

std::string properties(Scope scope, const std::string &indent);

// The schema of a value without its description, as members of an object.
std::string schemaOf(KeyType type, const std::string &indent) {
  constexpr const char *texts = "\"type\": \"array\", \"items\": {\"type\": \"string\"}";
  switch (type) {
  case KeyType::Text:
    return "\"type\": \"string\"";
  case KeyType::Texts:
    return texts;
  case KeyType::Kind:
    return R"("enum": ["program", "library", "shared"])";
  case KeyType::Gpu:
    return fmt::format("\"anyOf\": [{0}, {{\"type\": \"array\", \"items\": {0}}}]",
                       gpuEnumeration());
  case KeyType::Defines:
    return R"("type": "object", "additionalProperties": {"type": ["string", "number", "boolean"]})";
  case KeyType::Settings:
    return R"("type": "object", "additionalProperties": )"
           R"({"enum": ["off", "hint", "information", "warning", "error"]})";
  case KeyType::Machines:
    return R"("type": "object", "additionalProperties": {"type": "object", )"
           R"("additionalProperties": false, "properties": {"ssh": {"type": "string"}, )"
           R"("slurm": {"type": "string"}, "options": {"type": "array", "items": )"
           R"({"type": "string"}}, "inputs": {"type": "array", "items": {"type": "string"}}}})";
  case KeyType::Targets:
    return fmt::format("\"type\": \"object\",\n{0}  \"additionalProperties\": {{\n"
                       "{0}    \"type\": \"object\",\n{0}    \"required\": [\"sources\"],\n{1}\n"
                       "{0}  }}",
                       indent, properties(Scope::Target, indent + "    "));
  }
  return "";
}

std::string properties(Scope scope, const std::string &indent) {
  std::string list;
  for (const ProjectKey &key : projectKeys()) {
    if (!key.in(scope))
      continue;
    list += fmt::format("{0}{1}  {2}: {{\n{1}    \"description\": {3},\n{1}    {4}\n{1}  }}",
                        list.empty() ? "" : ",\n", indent, quoteJson(key.name),
                        quoteJson(key.description), schemaOf(key.type, indent + "  "));
  }
  return fmt::format("{0}\"additionalProperties\": false,\n{0}\"properties\": {{\n{1}\n{0}}}",
                     indent, list);
}

} // namespace

const std::vector<ProjectKey> &projectKeys() {
  static const std::vector<ProjectKey> rows = {
#define CUF_PROJECT_KEY(name, inProject, inTarget, type, description)                              \
  {name, inProject, inTarget, KeyType::type, description},
#include "tables/project_keys.def"
#undef CUF_PROJECT_KEY
  };
  return rows;
}

const ProjectKey *findProjectKey(std::string_view name, Scope scope) {
  const auto &rows = projectKeys();
  auto found = std::find_if(rows.begin(), rows.end(), [&](const ProjectKey &key) {
    return key.name == name && key.in(scope);
  });
  return found == rows.end() ? nullptr : &*found;
}

const char *describe(KeyType type) {
  switch (type) {
  case KeyType::Text:
  case KeyType::Kind:
    return "a text";
  case KeyType::Texts:
    return "an array of texts";
  case KeyType::Gpu:
    return "a text or an array of texts";
  default:
    return "an object";
  }
}

std::string projectSchema() {
  return "{\n  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n"
         "  \"title\": \"cufls.json\",\n"
         "  \"description\": \"a project of CUDA Fortran for cufls\",\n  \"type\": \"object\",\n" +
         properties(Scope::Project, "  ") + "\n}\n";
}

} // namespace cufc
