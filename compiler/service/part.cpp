// A procedure of a module becomes one of a submodule of that module, whose interface then comes
// from its module file: all its names are visible and nothing else of the module is analysed. Lines
// before it stay empty, so that positions hold.
#include "service/part.h"
#include "base/source_text.h"
#include <algorithm>
#include <cstring>

namespace cufc {
namespace {

struct ChangedLines {
  int first;   // from 1
  int oldLast; // less than `first` if lines were only added
  int newLast; // less than `first` if lines were only removed
};

// How many bytes both have in common at the front.
size_t commonHead(std::string_view one, std::string_view other) {
  constexpr size_t block = 1024; // that memcmp compares faster than a loop
  size_t shorter = std::min(one.size(), other.size()), at = 0;
  while (shorter - at >= block && std::memcmp(one.data() + at, other.data() + at, block) == 0)
    at += block;
  while (at < shorter && one[at] == other[at])
    ++at;
  return at;
}

size_t commonTail(std::string_view one, std::string_view other) {
  constexpr size_t block = 1024;
  size_t shorter = std::min(one.size(), other.size()), size = 0;
  auto from = [&](std::string_view text) { return text.data() + text.size() - size - block; };
  while (shorter - size >= block && std::memcmp(from(one), from(other), block) == 0)
    size += block;
  while (size < shorter && one[one.size() - size - 1] == other[other.size() - size - 1])
    ++size;
  return size;
}

// Lines that end in the text or, with `all`, that it has.
int countLines(std::string_view text, bool all = false) {
  int count = 0;
  size_t at = 0;
  for (size_t end = 0; (end = text.find('\n', at)) != std::string_view::npos; at = end + 1)
    ++count;
  return count + (all && at < text.size());
}

// Where a line begins, or the end of the text.
size_t beginOf(std::string_view text, int line) {
  size_t at = 0;
  for (int i = 1; i < line && at < text.size(); ++i)
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  return at;
}

// Whole lines: the head that both texts share ends with a line, and so does what stands before the
// tail that they share.
ChangedLines changedLines(std::string_view before, std::string_view after) {
  size_t head = commonHead(before, after);
  if (head == before.size() && head == after.size())
    return {countLines(before, true) + 1, countLines(before, true), countLines(after, true)};
  head = before.substr(0, head).rfind('\n') + 1; // 0 if there is none
  size_t tail = commonTail(before.substr(head), after.substr(head));
  auto beginsLine = [&](std::string_view text) {
    size_t at = text.size() - tail;
    return at == head || text[at - 1] == '\n';
  };
  if (!beginsLine(before) || !beginsLine(after)) {
    size_t end = before.find('\n', before.size() - tail);
    tail = end == std::string_view::npos ? 0 : before.size() - end - 1;
  }
  int first = countLines(before.substr(0, head)) + 1;
  auto last = [&](std::string_view text) {
    return first - 1 + countLines(text.substr(head, text.size() - tail - head), true);
  };
  return {first, last(before), last(after)};
}

bool canStandAlone(const ProgramUnit &unit, const std::vector<ProgramUnit> &units) {
  if (unit.parent < 0)
    return (unit.kind == ProgramUnit::Kind::Procedure || unit.kind == ProgramUnit::Kind::Program) &&
           !unit.name.empty();
  return units[static_cast<size_t>(unit.parent)].kind == ProgramUnit::Kind::Module;
}

// Whether "bind(" stands in a text. A procedure with a name for the linker cannot be one of a
// submodule beside the same one of the module.
bool hasBinding(std::string_view text) {
  for (size_t at = 0; at < text.size(); ++at) {
    size_t word = at;
    for (char c : std::string_view("bind"))
      word += word < text.size() && (text[word] | 0x20) == c;
    if (word - at != 4)
      continue;
    size_t next = text.find_first_not_of(" \t", word);
    if (next != std::string_view::npos && text[next] == '(')
      return true;
  }
  return false;
}

// Lines of a text, each with its end.
std::string linesOf(std::string_view text, int first, int last) {
  size_t begin = beginOf(text, first);
  std::string lines(text.substr(begin, beginOf(text.substr(begin), last - first + 2)));
  return lines.ends_with('\n') ? lines : lines + "\n";
}

} // namespace

std::optional<Part> changedPart(const std::string &before, const std::vector<ProgramUnit> &units,
                                const std::string &after, const TextForm &form) {
  ChangedLines changed = changedLines(before, after);
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
  std::string text = linesOf(after, unit->firstLine, last);
  std::vector<ProgramUnit> found = programUnits(text, form.fixedForm, form.fixedColumns);
  if (found.size() != 1 || found[0].kind != unit->kind || found[0].name != unit->name ||
      found[0].firstLine != 1 || found[0].lastLine != last - unit->firstLine + 1)
    return std::nullopt;
  Part part{{},
            {unit->name, {}, unit->firstLine, unit->lastLine, last},
            static_cast<size_t>(unit - units.begin())};
  std::string lead(static_cast<size_t>(unit->firstLine) - 1, '\n');
  if (unit->parent < 0) {
    part.text = lead + text;
    return part;
  }
  if (hasBinding(text))
    return std::nullopt;
  const ProgramUnit &module = units[static_cast<size_t>(unit->parent)];
  const std::string margin = form.fixedForm ? "      " : "";
  part.lines.module = module.name;
  part.text = margin + "submodule (" + module.name + ") cufls_part; " +
              (module.implicitNone ? "implicit none; " : "") + "contains" + lead + text + margin +
              "end submodule\n";
  return part;
}

} // namespace cufc
