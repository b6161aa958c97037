// Words are looked up in the generated table; names of GPUs and toolkits are taken apart.
#include "driver/gpu_items.h"
#include <algorithm>
#include <cctype>
#include <charconv>

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
  Fuse,
  Separate,
  FlushDenormals,
  ZeroMemory,
  Native,
  Registers,
  Unified,
  Ignored,
  Noted,
  Refused
};

struct Row {
  std::string_view name; // with a colon or "=" at its end if a value follows
  Id id;
  bool on;
  std::string_view help;
};

constexpr Row rows[] = {
#define CUF_GPU_ITEM(name, id, on, help) {name, Id::id, on, help},
#include "tables/options.inc"
#undef CUF_GPU_ITEM
};

bool takesValue(const Row &row) { return row.name.ends_with(':') || row.name.ends_with('='); }

bool matches(const Row &row, std::string_view item) {
  return takesValue(row) ? item.starts_with(row.name) &&
                               (item.size() > row.name.size() || row.id == Id::Registers)
                         : item == row.name;
}

bool *switchOf(Id id, Options &options) {
  switch (id) {
  case Id::Info:
    return &options.info;
  case Id::Keep:
    return &options.keep;
  case Id::FastMath:
    return &options.fastMath;
  case Id::LineInfo:
    return &options.lineInfo;
  case Id::HostOnly:
    return &options.hostOnly;
  case Id::Check:
    return &options.check;
  case Id::Managed:
  case Id::Unified:
    return &options.managed;
  case Id::Fuse:
    return &options.fuse;
  case Id::FlushDenormals:
    return &options.flushDenormals;
  case Id::ZeroMemory:
    return &options.host.zeroDeviceMemory;
  case Id::Native:
    return &options.nativeGpu;
  default:
    return nullptr;
  }
}

GpuItemResult setRegisters(std::string_view text, Options &options) {
  auto [rest, failure] =
      std::from_chars(text.data(), text.data() + text.size(), options.maxRegisters);
  bool whole = failure == std::errc() && rest == text.data() + text.size();
  if (whole && options.maxRegisters >= 16 && options.maxRegisters <= 255)
    return {GpuItemState::Applied, {}};
  return {GpuItemState::Wrong, "maxregcount:N with N from 16 to 255"};
}

GpuItemResult apply(const Row &row, std::string_view value, Options &options) {
  std::string help(row.help);
  if (bool *target = switchOf(row.id, options)) {
    *target = row.on;
    return {row.id == Id::Unified ? GpuItemState::Noted : GpuItemState::Applied, help};
  }
  switch (row.id) {
  case Id::Relocatable:
  case Id::Whole:
    options.relocatable = row.id == Id::Relocatable;
    return {GpuItemState::Applied, {}};
  case Id::Registers:
    return setRegisters(value, options);
  case Id::Separate:
    options.managed = false;
    return {GpuItemState::Ignored, help};
  case Id::Noted:
    return {GpuItemState::Noted, help};
  case Id::Refused:
    return {GpuItemState::Refused, help};
  default:
    return {GpuItemState::Ignored, help};
  }
}

bool isNumber(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isdigit(static_cast<unsigned char>(c));
  });
}

bool isVersion(std::string_view text) {
  size_t dot = text.find('.');
  return dot == std::string_view::npos
             ? isNumber(text)
             : isNumber(text.substr(0, dot)) && isNumber(text.substr(dot + 1));
}

// The oldest that any toolkit which cufc works with (12 or newer) compiles for, less its own rows
// of the table, is 50: what is below the table's first row is gone. cc2x stands for all that begin
// so, cc3+ for these and later ones.
bool isGone(std::string_view name) {
  bool named = false;
  for (std::string_view prefix : {"cc", "sm_", "compute_"})
    if (name.starts_with(prefix)) {
      name.remove_prefix(prefix.size());
      named = true;
      break;
    }
  bool open = name.ends_with('+') || name.ends_with('x');
  if (open)
    name.remove_suffix(1);
  if (!named || !isNumber(name) || name.size() > 2)
    return false;
  int number = 0;
  std::from_chars(name.data(), name.data() + name.size(), number);
  return (name.size() == 1 ? 10 * number : number) < allGpus().front().number && number >= 1;
}

void addGpu(const Gpu &gpu, Options &options) {
  auto same = [&](const Gpu &other) { return other.number == gpu.number; };
  if (std::none_of(options.gpus.begin(), options.gpus.end(), same))
    options.gpus.push_back(gpu);
}

// cc7x: all that begin so.
bool addFamily(const std::string &name, Options &options) {
  if (name.size() != 4 || !name.starts_with("cc") || name[3] != 'x')
    return false;
  bool any = false;
  for (const Gpu &gpu : allGpus())
    if (gpu.number / 10 == name[2] - '0') {
      addGpu(gpu, options);
      any = true;
    }
  return any;
}

// sm_90a: the letter adds instructions that only that GPU has, none of which is generated.
GpuItemResult applyGpuName(const std::string &item, Options &options) {
  bool letter = item.size() > 2 && (item.back() == 'a' || item.back() == 'f') &&
                std::isdigit(static_cast<unsigned char>(item[item.size() - 2]));
  std::string name = letter ? item.substr(0, item.size() - 1) : item;
  std::optional<Gpu> gpu = findGpu(name);
  if (!gpu && name.ends_with('+')) // its PTX runs on all later ones
    gpu = findGpu(name.substr(0, name.size() - 1));
  if (!gpu && addFamily(name, options))
    return {GpuItemState::Applied, {}};
  if (!gpu)
    return isGone(item) ? GpuItemResult{GpuItemState::Noted,
                                        "no toolkit of today builds for such a GPU; the code is "
                                        "for those that there are"}
                        : GpuItemResult{};
  addGpu(*gpu, options);
  return {GpuItemState::Applied, {}};
}

} // namespace

GpuItemResult applyGpuItem(const std::string &item, bool inMcuda, Options &options) {
  for (const Row &row : rows)
    if (matches(row, item))
      return apply(row, std::string_view(item).substr(row.name.size()), options);
  bool toolkit = item.starts_with("cuda") && isVersion(std::string_view(item).substr(4));
  if (toolkit || (inMcuda && item.find('.') != std::string::npos && isVersion(item))) {
    options.toolkitVersions.push_back(item.substr(toolkit ? 4 : 0));
    return {GpuItemState::Applied, {}};
  }
  return applyGpuName(item, options);
}

} // namespace cufc
