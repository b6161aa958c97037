// A device copy of a host array, where only the device can work: in a launch and in the loops of a
// CUF kernel directive. The array is copied before and, unless it is only read, back afterwards.
#include "base/source_text.h"
#include "ide/actions/loop_facts.h"
#include <algorithm>

namespace cufc {
namespace {

// The lines in which the copy takes the place of the array, and before and behind which it is
// copied.
struct DeviceRegion {
  int first = 0, last = 0; // with the directive
  std::set<int> arrays;    // of the host
  std::set<int> written;
};

void collectArrays(const ActionContext &context, DeviceRegion &region) {
  for (const OccurrenceAt &name : namesIn(context, region.first, region.last)) {
    const SymbolInfo &symbol = name.symbol.info();
    if (symbol.kind != SymbolKind::Variable || symbol.shape.empty() || isOnDevice(symbol) ||
        symbol.type.starts_with("type") || symbol.type.starts_with("class"))
      continue;
    std::optional<TextRange> declared = context.file.now(symbol.declared);
    if (declared && declared->begin.line >= region.first && declared->begin.line <= region.last)
      continue; // of a BLOCK in the loop
    region.arrays.insert(name.symbol.symbol);
    if (name.role == Role::Write || name.role == Role::ReadWrite)
      region.written.insert(name.symbol.symbol);
  }
}

std::optional<DeviceRegion> regionAt(const ActionContext &context, const UnitAround &unit) {
  int line = context.range.begin.line;
  std::vector<CodeStatement> all = statementsIn(context, unit.firstLine, unit.lastLine);
  for (const CodeStatement &s : all)
    if (s.first <= line && s.last >= line && s.word == "call" && !s.sharesLine &&
        s.text.find("<<<") != std::string::npos)
      return DeviceRegion{s.first, s.last, {}, {}};
  // The innermost loop around with a directive above it.
  std::optional<DeviceRegion> found;
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].role.kind != StatementRole::Opens || all[i].role.block != Block::Do)
      continue;
    int above = all[i].first - 1;
    std::string text = lowerCase(trimmed(context.document().line(above)));
    if (text.size() < 5 || text.compare(1, 4, "$cuf") != 0)
      continue;
    int depth = 0;
    for (size_t end = i; end < all.size(); ++end) {
      if (all[end].role.block == Block::Do)
        depth += all[end].role.kind == StatementRole::Opens ? 1 : -1;
      if (depth > 0)
        continue;
      if (above <= line && line <= all[end].last && !all[end].sharesLine)
        found = DeviceRegion{above, all[end].last, {}, {}};
      break;
    }
  }
  return found;
}

} // namespace

void addDeviceArray(const ActionContext &context, CodeActions &actions) {
  UnitAround unit = procedureAround(context, context.range.begin);
  if (!unit || !context.file.reading.cuda)
    return;
  std::optional<DeviceRegion> region = regionAt(context, unit);
  if (!region)
    return;
  collectArrays(context, *region);
  if (region->arrays.empty())
    return;
  std::vector<int> arrays(region->arrays.begin(), region->arrays.end());
  DeviceCopies copies =
      deviceCopies(context, unit, arrays, region->written, region->first, region->last);
  if (!copies.possible)
    return;
  std::string names;
  for (int array : arrays)
    names += (names.empty() ? "'" : ", '") +
             context.file.analysis->symbols[static_cast<size_t>(array)].name + "'";
  std::vector<TextChange> edits = std::move(copies.edits);
  if (copies.before.empty())
    return;
  copies.before.pop_back();
  edits.push_back(linesAbove(region->first, copies.before));
  if (!copies.after.empty()) {
    copies.after.pop_back();
    edits.push_back(linesBelow(context.document(), region->last, copies.after));
  }
  actions.push_back({"use device copies of " + names + " here",
                     "refactor.rewrite",
                     {{context.file.path, std::move(edits)}}});
}

} // namespace cufc
