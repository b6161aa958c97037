// INCLUDE lines are looked for as flang's prescanner does it: beside the file that has the line,
// then in the folders of the options. What an included file holds is read without what stands
// before its line: a piece of a declaration part looks like a main program, so units of a file
// that is included inside a unit do not count.
#include "project/included_files.h"
#include "base/files.h"
#include <algorithm>
#include <set>
#include <unistd.h>

namespace cufc {
namespace {

using Statements = std::vector<ModuleStatement>;

void append(Statements &to, const Statements &from) {
  to.insert(to.end(), from.begin(), from.end());
}

// A main program without a PROGRAM statement is what any statement looks like.
void appendPrograms(Statements &to, const Statements &from) {
  std::copy_if(from.begin(), from.end(), std::back_inserter(to),
               [](const ModuleStatement &each) { return each.name != "program"; });
}

} // namespace

std::vector<std::string> placesOfInclude(const std::string &name, const std::string &from,
                                         const std::vector<std::string> &folders) {
  if (name.starts_with("/"))
    return {name};
  std::vector<std::string> places{directoryOf(from) + "/" + name};
  for (const std::string &folder : folders)
    places.emplace_back(folder).append("/").append(name);
  return places;
}

const ModuleFacts &IncludedFiles::factsOf(const std::string &path, const IncludingSource &source) {
  auto [place, isNew] = known.try_emplace(path);
  std::string text;
  if (isNew && readFile(path, text))
    place->second = scanModules(path, text, source.fixedForm, source.fixedColumns);
  return place->second;
}

void IncludedFiles::add(ModuleFacts &facts, const IncludingSource &source) {
  struct Open {
    IncludeLine line;
    std::string from;
  };
  std::vector<Open> open;
  for (const IncludeLine &line : facts.includes)
    open.push_back({line, source.path});
  std::set<std::string> seen;
  for (size_t at = 0; at < open.size(); ++at) {
    const auto [line, from] = open[at]; // the list grows
    for (const std::string &path : placesOfInclude(line.name, from, source.folders)) {
      if (access(path.c_str(), R_OK) != 0)
        continue;
      if (!seen.insert(path).second)
        break;
      const ModuleFacts &found = factsOf(path, source);
      for (const IncludeLine &inner : found.includes)
        open.push_back({{inner.name, inner.betweenUnits && line.betweenUnits}, path});
      append(facts.uses, found.uses);
      facts.calls.insert(facts.calls.end(), found.calls.begin(), found.calls.end());
      facts.cuda |= found.cuda;
      if (line.betweenUnits) {
        append(facts.defines, found.defines);
        append(facts.procedures, found.procedures);
        appendPrograms(facts.programs, found.programs);
      }
      break;
    }
  }
}

} // namespace cufc
