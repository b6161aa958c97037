// See machines.h. A host never begins with "-", so that ssh does not take it for an option.
#include "project/machines.h"
#include "base/diag.h"
#include "base/files.h"
#include "base/runs_diag.h"
#include "project/json_reader.h"
#include "project/project.h"
#include <algorithm>
#include <fmt/format.h>

namespace cufc {
namespace {

using Kind = JsonValue::Kind;

bool isHost(const std::string &text) {
  return !text.empty() && text.front() != '-' &&
         std::none_of(text.begin(), text.end(),
                      [](unsigned char c) { return c <= ' ' || c == 0x7F; });
}

std::vector<std::string> textsOf(const JsonMember &member, Diagnostics &diagnostics) {
  std::vector<std::string> texts;
  bool right = member.value.is(Kind::Array);
  for (const JsonValue &item : member.value.items) {
    right &= item.is(Kind::String);
    texts.push_back(item.text);
  }
  if (!right)
    diagnostics.report(Diag::ProjectValueType, member.value.range, fmt::format("'{}'", member.name),
                       "an array of texts");
  return right ? texts : std::vector<std::string>();
}

std::optional<Machine> machineIn(const JsonMember &entry, const std::string &root,
                                 Diagnostics &diagnostics) {
  Machine machine;
  machine.name = entry.name;
  machine.root = root;
  size_t kinds = 0;
  if (!entry.value.is(Kind::Object)) {
    diagnostics.report(Diag::ProjectValueType, entry.value.range, fmt::format("'{}'", entry.name),
                       "an object");
    return std::nullopt;
  }
  for (const JsonMember &member : entry.value.members) {
    if (member.name == "options") {
      machine.options = textsOf(member, diagnostics);
    } else if (member.name == "inputs") {
      for (const std::string &input : textsOf(member, diagnostics))
        machine.inputs.push_back(absolutePath(input, root));
    } else if (member.name == "ssh" || member.name == "slurm") {
      machine.kind = member.name == "ssh" ? Machine::Kind::Ssh : Machine::Kind::Slurm;
      machine.where = member.value.text;
      kinds += member.value.is(Kind::String) &&
               (isHost(machine.where) || (member.name == "slurm" && machine.where.empty()));
    } else {
      diagnostics.report(Diag::UnknownProjectKey, member.nameRange, member.name, "",
                         "ssh, slurm, options, inputs");
    }
  }
  if (kinds == 1)
    return machine;
  diagnostics.report(RunsDiag::MachineKind, entry.nameRange, entry.name);
  return std::nullopt;
}

} // namespace

std::vector<Machine> readMachines(const JsonValue &value, const std::string &root,
                                  Diagnostics &diagnostics) {
  std::vector<Machine> machines;
  for (const JsonMember &entry : value.members)
    if (std::optional<Machine> machine = machineIn(entry, root, diagnostics))
      machines.push_back(std::move(*machine));
  return machines;
}

std::optional<Machine> machineNamed(const std::string &on, const std::string &projectFile,
                                    Diagnostics &diagnostics) {
  std::string text;
  JsonValue project;
  Diagnostics known; // to who read the project
  if (projectFile.ends_with(projectFileName) && readFile(projectFile, text) &&
      readJson(projectFile, text, project, known))
    if (const JsonValue *machines = project.find("machines"))
      for (Machine &machine : readMachines(*machines, directoryOf(projectFile), known))
        if (machine.name == on)
          return machine;
  constexpr std::string_view slurm = "slurm";
  bool queue = on == slurm || on.starts_with("slurm:");
  Machine machine;
  machine.kind = queue ? Machine::Kind::Slurm : Machine::Kind::Ssh;
  machine.name = on;
  machine.where = !queue ? on : on == slurm ? "" : on.substr(slurm.size() + 1);
  if (isHost(machine.where) || on == slurm)
    return machine;
  diagnostics.report(RunsDiag::UnknownMachine, {}, on);
  return std::nullopt;
}

} // namespace cufc
