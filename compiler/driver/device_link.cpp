// Files that use each other's device procedures or data form a group (union of sets); each group is
// compiled in a child process of its own. Objects that nvcc made for device linking may use and be
// used by any, so with them all is one group.
#include "driver/device_link.h"
#include "base/diag.h"
#include "driver/child.h"
#include "driver/device_group.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <unistd.h>

namespace cufc {
namespace {

class DeviceLinker {
public:
  DeviceLinker(Plan &plan, const CompileContext &context, const TemporaryFolder &scratch,
               Diagnostics &diagnostics)
      : plan(plan), context(context), scratch(scratch), diagnostics(diagnostics) {}

  bool run() {
    collect();
    if (objects.empty())
      return true;
    findDefinitions();
    findUses();
    if (diagnostics.hasErrors())
      return false;
    return compile(makeGroups());
  }

private:
  void collect() {
    std::vector<std::string> files = plan.linked;
    addLibraries(files);
    for (const std::string &file : files)
      for (DeviceObject &object : readDeviceObjects(file)) {
        if (!object.content.empty())
          extract(object);
        if (object.units.empty())
          foreign.push_back(object.path);
        objects.push_back(std::move(object));
      }
    for (const DeviceObject &object : objects)
      for (const DeviceUnit &unit : object.units)
        units.push_back({&unit, object.path});
  }

  // -lNAME in the folders that -L names; the system's own libraries have no device code.
  void addLibraries(std::vector<std::string> &files) {
    const std::vector<std::string> &arguments = context.options.linkArguments;
    for (const std::string &library : arguments)
      for (const std::string &folder : arguments) {
        if (!library.starts_with("-l") || !folder.starts_with("-L"))
          continue;
        std::string file = folder.substr(2) + "/lib" + library.substr(2) + ".a";
        if (access(file.c_str(), R_OK) == 0)
          files.push_back(file);
      }
  }

  // nvlink takes objects, and all of ours in an archive are wanted.
  void extract(DeviceObject &object) {
    object.path = scratch.path("member" + std::to_string(objects.size()) + ".o");
    if (!writeFile(object.path, object.content))
      diagnostics.report(Diag::CannotWrite, {}, object.path, std::string(std::strerror(errno)));
    object.content.clear();
  }

  // As a unit that uses it says, or without the underscore of an external procedure's symbol.
  std::string displayName(const std::string &symbol) const {
    for (const Unit &unit : units)
      for (const DeviceImport &import : unit.unit->facts.imports)
        if (import.name == symbol)
          return import.display;
    return symbol.substr(0, symbol.size() - (symbol.back() == '_'));
  }

  void define(const std::string &symbol, size_t unit) {
    auto [known, isNew] = definitions.emplace(symbol, unit);
    if (!isNew)
      diagnostics.report(Diag::DefinedTwice, {}, "device code '" + displayName(symbol) + "'",
                         units[known->second].unit->source, units[unit].unit->source);
  }

  void findDefinitions() {
    for (size_t i = 0; i < units.size(); ++i) {
      const DeviceFacts &facts = units[i].unit->facts;
      for (const std::string &procedure : facts.procedures)
        define(procedure, i);
      for (const DeviceVariableFacts &variable : facts.variables)
        if (variable.exported)
          define(variable.name, i);
    }
  }

  void findUses() {
    for (size_t i = 0; i < units.size(); ++i) {
      classes.insert(i);
      if (!foreign.empty())
        classes.unionSets(i, 0);
      for (const DeviceImport &import : units[i].unit->facts.imports) {
        auto found = definitions.find(import.name);
        if (found != definitions.end())
          classes.unionSets(i, found->second);
        else if (foreign.empty())
          diagnostics.report(Diag::UndefinedDeviceSymbol, import.use, import.display);
      }
    }
  }

  std::vector<DeviceGroup> makeGroups() {
    std::map<size_t, DeviceGroup> groups;
    for (size_t i = 0; i < units.size(); ++i) {
      DeviceGroup &group = groups[classes.getLeaderValue(i)];
      group.units.push_back(units[i].unit);
      if (!units[i].unit->gpus.empty())
        group.objects.push_back(units[i].path);
    }
    if (!foreign.empty())
      groups[units.empty() ? 0 : classes.getLeaderValue(0)].foreign = foreign;
    std::vector<DeviceGroup> result;
    for (auto &[leader, group] : groups) {
      group.name = group.units.size() == 1 ? stem(group.units[0]->source) : stem(plan.executable);
      group.scratch = scratch.path("link" + std::to_string(result.size()));
      group.output = group.scratch + "/device_link.o";
      std::error_code error;
      if (!std::filesystem::create_directory(group.scratch, error))
        diagnostics.report(Diag::NoTemporaryFolder, {}, error.message());
      result.push_back(std::move(group));
    }
    return result;
  }

  bool compile(const std::vector<DeviceGroup> &groups) {
    size_t cores = std::max(1l, sysconf(_SC_NPROCESSORS_ONLN));
    bool good = !diagnostics.hasErrors();
    for (size_t begin = 0; good && begin < groups.size(); begin += cores) {
      std::vector<Child> children;
      for (size_t i = begin; i < std::min(begin + cores, groups.size()); ++i)
        children.emplace_back(groups[i].name, context.options.diagnosticFormat,
                              [&, i] { return compileDeviceGroup(groups[i], context); });
      for (Child &child : children)
        good &= child.finish() == 0;
    }
    for (const DeviceGroup &group : groups)
      plan.linked.push_back(group.output);
    return good;
  }

  struct Unit {
    const DeviceUnit *unit;
    std::string path; // of its object
  };

  Plan &plan;
  const CompileContext &context;
  const TemporaryFolder &scratch;
  Diagnostics &diagnostics;
  std::vector<DeviceObject> objects;
  std::vector<std::string> foreign;
  std::vector<Unit> units;
  std::map<std::string, size_t> definitions; // symbol to unit
  llvm::EquivalenceClasses<size_t> classes;
};

} // namespace

bool linkDeviceCode(Plan &plan, const CompileContext &context, const TemporaryFolder &scratch,
                    Diagnostics &diagnostics) {
  return DeviceLinker(plan, context, scratch, diagnostics).run();
}

} // namespace cufc
