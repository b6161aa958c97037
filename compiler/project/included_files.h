// What stands in the files that a source includes, as if it stood in the source: modules that it
// defines there, modules that it uses, and where no program unit is around, main programs and
// external procedures.
#ifndef CUFC_PROJECT_INCLUDED_FILES_H
#define CUFC_PROJECT_INCLUDED_FILES_H

#include "project/module_graph.h"
#include <map>
#include <string>
#include <vector>

namespace cufc {

// How a source is read, which its included files are, too.
struct IncludingSource {
  std::string path;
  std::vector<std::string> folders; // of options, in their order
  bool fixedForm = false;
  int fixedColumns = 72;
};

// Reads each file once.
class IncludedFiles {
public:
  void add(ModuleFacts &facts, const IncludingSource &source);

private:
  const ModuleFacts &factsOf(const std::string &path, const IncludingSource &source);
  std::map<std::string, ModuleFacts> known;
};

// The places of an included file, in the order in which they are looked at.
std::vector<std::string> placesOfInclude(const std::string &name, const std::string &from,
                                         const std::vector<std::string> &folders);

} // namespace cufc
#endif // CUFC_PROJECT_INCLUDED_FILES_H
