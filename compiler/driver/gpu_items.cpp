// One look-up in the generated table, then one switch.
#include "driver/gpu_items.h"

namespace cufc {
namespace {

enum class Id {
  Info,
  Keep,
  FastMath,
  LineInfo,
  HostOnly,
  Check,
  Managed,
  Relocatable,
  Whole,
  Ignored,
  Refused
};

struct Row {
  std::string_view name; // with a colon at its end if a value follows
  Id id;
  std::string_view help;
};

constexpr Row rows[] = {
#define CUF_GPU_ITEM(name, id, help) {name, Id::id, help},
#include "tables/options.inc"
#undef CUF_GPU_ITEM
};

bool matches(const Row &row, std::string_view item) {
  return row.name.ends_with(':') ? item.starts_with(row.name) && item.size() > row.name.size()
                                 : item == row.name;
}

GpuItemState apply(Id id, Options &options) {
  switch (id) {
  case Id::Info:
    options.info = true;
    break;
  case Id::Keep:
    options.keep = true;
    break;
  case Id::FastMath:
    options.fastMath = true;
    break;
  case Id::LineInfo:
    options.lineInfo = true;
    break;
  case Id::HostOnly:
    options.hostOnly = true;
    break;
  case Id::Check:
    options.check = true;
    break;
  case Id::Managed:
    options.managed = true;
    break;
  case Id::Relocatable:
  case Id::Whole:
    options.relocatable = id == Id::Relocatable;
    break;
  case Id::Ignored:
    return GpuItemState::Ignored;
  case Id::Refused:
    return GpuItemState::Refused;
  }
  return GpuItemState::Applied;
}

} // namespace

GpuItemResult applyGpuItem(std::string_view item, Options &options) {
  for (const Row &row : rows)
    if (matches(row, item))
      return {apply(row.id, options), row.help};
  return {};
}

} // namespace cufc
