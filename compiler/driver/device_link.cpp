// Files that use each other's device procedures or data form a group (union of sets); each group is
// compiled in a child process of its own. Objects that nvcc made for device linking may use and be
// used by any, so with them all is one group.
#include "driver/device_link.h"
#include "base/diag.h"
#include "base/pipe_bytes.h"
#include "driver/device_group.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <unistd.h>
#include <utility>

namespace cufc {
namespace {

std::string groupFolder(const TemporaryFolder &scratch, size_t group) {
  return scratch.path("link" + std::to_string(group));
}
std::string objectIn(const std::string &folder) { return folder + "/device_link.o"; }

std::string unitFile(const CompileJob &job) { return job.scratch + "/unit"; }

// Waits until all compilations have said what they share; false if all ended and one did not.
bool areKnown(int pipe, size_t jobs) {
  while (jobs > 0 && hear(pipe))
    --jobs;
  return jobs == 0;
}

class DeviceLinker {
public:
  // `isEarly`: units come from where they were announced.
  DeviceLinker(const Plan &plan, const CompileContext &context, const TemporaryFolder &scratch,
               bool isEarly, Diagnostics &diagnostics)
      : plan(plan), context(context), scratch(scratch), isEarly(isEarly), diagnostics(diagnostics) {
  }

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
      for (DeviceObject &object : objectsIn(file)) {
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

  std::vector<DeviceObject> objectsIn(const std::string &file) const {
    auto writes = [&](const CompileJob &job) { return job.output == file; };
    auto job = std::find_if(plan.jobs.begin(), plan.jobs.end(), writes);
    if (!isEarly || job == plan.jobs.end())
      return readDeviceObjects(file);
    std::optional<DeviceUnit> unit = readDeviceUnit(unitFile(*job));
    if (!unit)
      return {};
    return {DeviceObject{file, {}, {}, {std::move(*unit)}}};
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
      group.scratch = groupFolder(scratch, result.size());
      group.output = objectIn(group.scratch);
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
    return good;
  }

  struct Unit {
    const DeviceUnit *unit;
    std::string path; // of its object
  };

  const Plan &plan;
  const CompileContext &context;
  const TemporaryFolder &scratch;
  const bool isEarly;
  Diagnostics &diagnostics;
  std::vector<DeviceObject> objects;
  std::vector<std::string> foreign;
  std::vector<Unit> units;
  std::map<std::string, size_t> definitions; // symbol to unit
  llvm::EquivalenceClasses<size_t> classes;
};

} // namespace

void announceUnit(const CompileJob &job, const DeviceUnit &unit) {
  if (job.unitsKnown >= 0 && (unit.bitcode.empty() || writeDeviceUnit(unitFile(job), unit)))
    tell(job.unitsKnown);
}

DeviceLink::DeviceLink(Plan &plan, const CompileContext &context, const TemporaryFolder &scratch)
    : plan(plan), context(context), scratch(scratch) {
  auto announces = [](const CompileJob &job) {
    return job.form.kind == FileKind::Fortran && job.linking == DeviceLinking::Deferred;
  };
  int ends[2];
  if (!std::all_of(plan.jobs.begin(), plan.jobs.end(), announces) || pipe2(ends, O_CLOEXEC) != 0)
    return;
  readEnd = ends[0];
  writeEnd = ends[1];
  for (CompileJob &job : plan.jobs)
    job.unitsKnown = writeEnd;
}

DeviceLink::~DeviceLink() {
  if (process)
    process->stop();
  for (int end : {readEnd, writeEnd})
    if (end >= 0)
      close(end);
}

void DeviceLink::begin() {
  if (readEnd < 0)
    return;
  process.emplace(plan.executable, context.options.diagnosticFormat, [this] {
    close(writeEnd);
    Diagnostics diagnostics(context.options.diagnosticFormat);
    const bool isEarly = areKnown(readEnd, plan.jobs.size());
    const bool good = DeviceLinker(plan, context, scratch, isEarly, diagnostics).run();
    diagnostics.flush();
    return good ? 0 : 1;
  });
}

bool DeviceLink::finish(Diagnostics &diagnostics) {
  if (writeEnd >= 0)
    close(std::exchange(writeEnd, -1));
  const bool good =
      process ? process->finish() == 0
              : DeviceLinker(plan, context, scratch, /*isEarly=*/false, diagnostics).run();
  process.reset();
  for (size_t group = 0; good; ++group) {
    const std::string object = objectIn(groupFolder(scratch, group));
    if (access(object.c_str(), R_OK) != 0)
      break;
    plan.linked.push_back(object);
  }
  return good;
}

} // namespace cufc
