// See tools.h. Paths are absolute, and free texts stand behind "=" or "--", so that no argument of
// an assistant is taken for an option.
#include "mcp/tools.h"
#include "mcp/arguments.h"
#include "mcp/results.h"
#include "project/project.h"
#include <filesystem>
#include <fmt/format.h>

namespace cufc::mcp {
namespace {

using Arguments = std::vector<std::string>;

void append(Arguments &command, const Arguments &more) {
  command.insert(command.end(), more.begin(), more.end());
}

Arguments pathsOf(const Json &arguments, const Place &place) {
  Arguments paths;
  for (const std::string &path : textsOf(arguments, "paths"))
    paths.push_back(place.inside(path));
  return paths.empty() ? Arguments{place.folder} : paths;
}

void addFlags(const Json &arguments, Arguments &command) {
  Arguments flags = textsOf(arguments, "flags");
  if (flags.empty())
    return;
  command.push_back("--");
  append(command, flags);
}

ToolCall callCheck(const Json &arguments, const Place &place) {
  ToolCall call{{"check", "--format=json"}, Trust::Reads};
  if (std::string from = textOf(arguments, "flagsFrom"); !from.empty()) {
    call.trust = Trust::Trusted;
    call.command.push_back("--flags-from=" + from);
  }
  append(call.command, pathsOf(arguments, place));
  addFlags(arguments, call.command);
  return call;
}

ToolCall callExplain(const Json &arguments, const Place &) {
  std::string code = textOf(arguments, "code");
  if (code.empty() || code.front() == '-')
    throw ToolFailure{"'code' is a code such as CUF0203, a name or a group of diagnostics"};
  return {{"explain", "--format=json", code}, Trust::Reads};
}

ToolCall callBuild(const Json &arguments, const Place &place) {
  std::string folder = place.inside(arguments.value("folder", place.folder));
  ToolCall call{{"build", folder, "--format=json"}, Trust::Asks};
  if (std::string target = textOf(arguments, "target"); !target.empty())
    call.command.push_back("--target=" + target);
  call.question = "Build the programs of " + folder + "?";
  return call;
}

ToolCall callRun(const Json &arguments, const Place &place) {
  ToolCall call{{"run"}, Trust::Asks};
  std::string file = textOf(arguments, "file"), target = textOf(arguments, "target");
  if (!file.empty() && !target.empty())
    throw ToolFailure{"'file' and 'target' exclude each other"};
  if (target.find('/') != std::string::npos || target.starts_with("-"))
    throw ToolFailure{"'target' is the name of a target of cufls.json"};
  std::string program = file.empty() ? target : place.inside(file);
  if (!program.empty())
    call.command.push_back(program);
  if (std::string device = textOf(arguments, "device"); !device.empty())
    call.command.push_back("--device=" + device);
  std::string machine = textOf(arguments, "on");
  call.asksAlways = !machine.empty();
  if (!machine.empty())
    call.command.push_back("--on=" + machine);
  if (isSet(arguments, "check"))
    call.command.push_back("--check");
  if (isSet(arguments, "report")) {
    call.reportFile = "report.json";
    call.command.push_back("--report=json");
  }
  call.timeout = arguments.value("timeoutSeconds", call.timeout);
  call.command.push_back("--");
  append(call.command, textsOf(arguments, "arguments"));
  call.question = fmt::format("Build and run {}{}?", program.empty() ? place.folder : program,
                              machine.empty() ? "" : " on " + machine);
  return call;
}

ToolCall callOccupancy(const Json &arguments, const Place &place) {
  ToolCall call{{"occupancy", "--format=json"}, Trust::Reads};
  if (std::string gpu = textOf(arguments, "gpu"); !gpu.empty())
    call.command.push_back("--gpu=" + gpu);
  if (arguments.contains("block"))
    call.command.push_back("--block=" + arguments["block"].dump());
  append(call.command, pathsOf(arguments, place));
  addFlags(arguments, call.command);
  return call;
}

constexpr const char *checkSchema = R"({"type": "object", "properties": {
  "paths": {"type": "array", "items": {"type": "string"},
    "description": "files or folders; the whole workspace if left out"},
  "flags": {"type": "array", "items": {"type": "string"},
    "description": "options of cufc, such as -cuda or -DN=8"},
  "flagsFrom": {"type": "string", "enum": ["make", "cmake", "fpm", "compile_commands"],
    "description": "ask this build how it compiles; it runs, so the workspace has to be trusted"}},
  "additionalProperties": false})";

constexpr const char *explainSchema = R"({"type": "object", "properties": {
  "code": {"type": "string", "description": "CUF0203, a name, or a group such as performance"}},
  "required": ["code"], "additionalProperties": false})";

constexpr const char *buildSchema = R"({"type": "object", "properties": {
  "folder": {"type": "string", "description": "of the project; the workspace if left out"},
  "target": {"type": "string", "description": "one target of cufls.json"}},
  "additionalProperties": false})";

constexpr const char *runSchema = R"({"type": "object", "properties": {
  "file": {"type": "string", "description": "a source with a main program"},
  "target": {"type": "string", "description": "or a target of the project"},
  "device": {"type": "string", "enum": ["auto", "gpu", "host"],
    "description": "where kernels run; host is the CPU"},
  "on": {"type": "string",
    "description": "another machine: a host of ssh, slurm[:PARTITION], or a name of cufls.json"},
  "check": {"type": "boolean",
    "description": "find subscripts out of bounds, races and unset values of kernels, on the CPU"},
  "report": {"type": "boolean", "description": "measure kernels, transfers and calls of libraries"},
  "arguments": {"type": "array", "items": {"type": "string"}, "description": "of the program"},
  "timeoutSeconds": {"type": "integer", "minimum": 1, "maximum": 86400,
    "description": "the program is ended after that; 600 if left out"}},
  "additionalProperties": false})";

constexpr const char *occupancySchema = R"({"type": "object", "properties": {
  "paths": {"type": "array", "items": {"type": "string"},
    "description": "files or folders; the whole workspace if left out"},
  "gpu": {"type": "string", "description": "cc90, or a chip such as H200"},
  "block": {"type": "integer", "minimum": 1, "maximum": 1024, "description": "threads of a block"},
  "curves": {"type": "boolean",
    "description": "also occupancy over block size, registers and shared memory"},
  "flags": {"type": "array", "items": {"type": "string"}, "description": "options of cufc"}},
  "additionalProperties": false})";

constexpr const char *documentationSchema = R"({"type": "object", "properties": {
  "query": {"type": "string", "description": "a name (cudaMemcpyAsync), or words"},
  "module": {"type": "string", "description": "search only this one: cudafor, cublas_v2, ..."},
  "limit": {"type": "integer", "minimum": 1, "maximum": 50, "description": "8 if left out"}},
  "required": ["query"], "additionalProperties": false})";

} // namespace

std::string Place::inside(const std::string &path) const {
  namespace fs = std::filesystem;
  std::error_code error;
  std::string whole = absolutePath(path, folder);
  std::string real = fs::weakly_canonical(whole, error).string();
  std::string root = fs::weakly_canonical(folder, error).string();
  if (error || (real != root && root != "/" && !real.starts_with(root + "/")))
    throw ToolFailure{fmt::format("'{}' is outside of the workspace {}", path, folder)};
  return whole;
}

const std::vector<Tool> &allTools() {
  static const std::vector<Tool> tools = {
      {"check", "Find mistakes",
       "Finds mistakes in CUDA Fortran and Fortran sources without compiling them: errors, hazards "
       "of kernels, unused things, each with its place, and edits that mend it where there are "
       "any.",
       checkSchema, true, callCheck, diagnosticsResult},
      {"explain", "Explain a diagnostic",
       "What a code of a diagnostic means and why, with a wrong and a right program.",
       explainSchema, true, callExplain, explainResult},
      {"build", "Build a project",
       "Compiles what changed in a project and links its targets; gives the diagnostics.",
       buildSchema, false, callBuild, diagnosticsResult},
      {"run", "Build and run a program",
       "Builds a program and runs it, on a GPU or on the CPU, and gives its output, its exit "
       "status "
       "and, if asked, what a run with checks has found and how long kernels took.",
       runSchema, false, callRun, runResult},
      {"occupancy", "What kernels cost",
       "Compiles kernels for a GPU, which need not be there, and says their registers, memory, "
       "spills, occupancy and what limits it, and how launches fill the chip.",
       occupancySchema, true, callOccupancy, occupancyResult},
      {"documentation", "Search the reference",
       "Finds procedures, types, constants, attributes and directives of CUDA Fortran, of cudafor, "
       "the CUDA libraries' modules, MPI, OpenMP and Fortran itself, and diagnostics, with their "
       "arguments and counterparts in CUDA C.",
       documentationSchema, true, nullptr, nullptr},
  };
  return tools;
}

const Tool *findTool(const std::string &name) {
  for (const Tool &tool : allTools())
    if (name == tool.name)
      return &tool;
  return nullptr;
}

Json toolsJson() {
  Json list = Json::array();
  for (const Tool &tool : allTools())
    list.push_back({{"name", tool.name},
                    {"title", tool.title},
                    {"description", tool.description},
                    {"inputSchema", Json::parse(tool.schema)},
                    {"annotations",
                     {{"title", tool.title},
                      {"readOnlyHint", tool.readOnly},
                      {"destructiveHint", false},
                      {"idempotentHint", tool.readOnly},
                      {"openWorldHint", false}}}});
  return list;
}

} // namespace cufc::mcp
