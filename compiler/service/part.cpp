// A procedure of a module becomes one of a submodule of that module, whose interface then comes
// from its module file: all its names are visible and nothing else of the module is analysed. Lines
// before it stay empty, so that positions hold.
#include "service/part.h"
#include "base/source_text.h"
#include <algorithm>

namespace cufc {
namespace {

struct ChangedLines {
  int first;   // from 1
  int oldLast; // less than `first` if lines were only added
  int newLast; // less than `first` if lines were only removed
};

ChangedLines changedLines(const std::vector<std::string_view> &before,
                          const std::vector<std::string_view> &after) {
  size_t shorter = std::min(before.size(), after.size()), head = 0, tail = 0;
  while (head < shorter && before[head] == after[head])
    ++head;
  while (tail < shorter - head &&
         before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
    ++tail;
  return {static_cast<int>(head) + 1, static_cast<int>(before.size() - tail),
          static_cast<int>(after.size() - tail)};
}

bool canStandAlone(const ProgramUnit &unit, const std::vector<ProgramUnit> &units) {
  if (unit.parent < 0)
    return (unit.kind == ProgramUnit::Kind::Procedure || unit.kind == ProgramUnit::Kind::Program) &&
           !unit.name.empty();
  return units[static_cast<size_t>(unit.parent)].kind == ProgramUnit::Kind::Module;
}

std::string joined(const std::vector<std::string_view> &lines, int first, int last) {
  std::string text;
  for (int line = first; line <= last; ++line)
    text.append(lines[static_cast<size_t>(line) - 1]).append("\n");
  return text;
}

} // namespace

std::optional<Part> changedPart(const std::string &before, const std::vector<ProgramUnit> &units,
                                const std::string &after, const TextForm &form) {
  std::vector<std::string_view> oldLines = linesOf(before), newLines = linesOf(after);
  ChangedLines changed = changedLines(oldLines, newLines);
  auto holdsAll = [&](const ProgramUnit &unit) {
    bool isLeaf =
        unit.kind == ProgramUnit::Kind::Procedure || unit.kind == ProgramUnit::Kind::Program;
    return isLeaf && unit.firstLine < changed.first && unit.lastLine > changed.oldLast &&
           unit.lastLine > changed.first - 1;
  };
  auto unit = std::find_if(units.begin(), units.end(), holdsAll);
  if (unit == units.end() || !canStandAlone(*unit, units))
    return std::nullopt;
  int last = unit->lastLine + changed.newLast - changed.oldLast;
  std::string text = joined(newLines, unit->firstLine, last);
  std::vector<ProgramUnit> found = programUnits(text, form.fixedForm, form.fixedColumns);
  if (found.size() != 1 || found[0].kind != unit->kind || found[0].name != unit->name ||
      found[0].firstLine != 1 || found[0].lastLine != last - unit->firstLine + 1)
    return std::nullopt;
  Part part{{}, {unit->name, {}, unit->firstLine, unit->lastLine, last}};
  std::string lead(static_cast<size_t>(unit->firstLine) - 1, '\n');
  if (unit->parent < 0) {
    part.text = lead + text;
    return part;
  }
  const ProgramUnit &module = units[static_cast<size_t>(unit->parent)];
  const std::string margin = form.fixedForm ? "      " : "";
  part.lines.module = module.name;
  part.text = margin + "submodule (" + module.name + ") cufls_part; " +
              (module.implicitNone ? "implicit none; " : "") + "contains" + lead + text + margin +
              "end submodule\n";
  return part;
}

} // namespace cufc
