// Shared memory has 32 banks of 4 bytes that serve one word each at a time, so threads of a warp
// that want different words of one bank wait for each other (CUDA C++ programming guide, "Shared
// memory"). The words that each lane wants are computed for arrays of constant extents and
// subscripts that are multiples of threadidx; elements of 8 and 16 bytes are served to halves and
// quarters of a warp.
#include "checks/hazards/accesses.h"
#include "checks/hazards/hazard.h"
#include <algorithm>
#include <set>

namespace cufc::hazards {
namespace {

constexpr long long banks = 32, wordBytes = 4, lanes = 32;

struct Strides { // in elements, from a thread to the next along x and y
  long long x = 0, y = 0;
};

std::optional<Strides> stridesOf(const Access &access, ThreadValues &values, long long padding) {
  const Variable &array = *access.element->variable;
  Strides strides;
  long long scale = 1;
  for (size_t i = 0; i < access.subscripts.size(); ++i) {
    auto x = threadFactor(access.subscripts[i], 0, values);
    auto y = threadFactor(access.subscripts[i], 1, values);
    if (!x || !y)
      return std::nullopt;
    strides.x += *x * scale;
    strides.y += *y * scale;
    if (i + 1 < access.subscripts.size()) {
      auto extent = i < array.extents.size() ? array.extents[i] : std::nullopt;
      if (!extent || *extent > 1 << 20)
        return std::nullopt;
      scale *= *extent + (i == 0 ? padding : 0);
    }
  }
  return strides;
}

// How many different words of one bank a part of a warp wants at most. `width` is the block's
// extent in x.
long long conflicts(const Strides &strides, long long bytes, long long width) {
  long long together = std::max(1LL, lanes * wordBytes / std::max(bytes, wordBytes));
  long long worst = 1;
  for (long long first = 0; first < lanes; first += together) {
    std::vector<std::set<long long>> wanted(banks);
    for (long long lane = first; lane < first + together; ++lane) {
      long long element = strides.x * (lane % width) + strides.y * (lane / width);
      long long begin = element * bytes + (1LL << 40); // never negative
      for (long long byte = begin; byte < begin + bytes; byte += wordBytes)
        wanted[static_cast<size_t>(byte / wordBytes % banks)].insert(byte / wordBytes);
    }
    for (const auto &words : wanted)
      worst = std::max(worst, static_cast<long long>(words.size()));
  }
  return worst;
}

void offerPadding(Hazards &hazards, Diagnostic &diagnostic, const Variable &array) {
  if (array.leadingBound.empty())
    return;
  std::string bound(array.leadingBound);
  bool isNumber = bound.find_first_not_of("0123456789") == std::string::npos && bound.size() < 9;
  std::string title = "pad the first extent of '" + array.name + "' by one";
  if (isNumber)
    hazards.replace(diagnostic, title, array.leadingBound, std::to_string(std::stoi(bound) + 1));
  else
    hazards.insertAfter(diagnostic, title, array.leadingBound, " + 1");
}

void check(Hazards &hazards, const Procedure &procedure) {
  long long width = hazards.launches.blockOf(procedure)[0].value_or(lanes);
  if (width < 1)
    return;
  ThreadValues &values = hazards.valuesOf(procedure);
  std::set<std::pair<const Variable *, long long>> reported;
  for (const Access &access : hazards.accessesOf(procedure)) {
    const Variable &array = *access.element->variable;
    if (array.memory != Memory::Shared || array.bytes < 1 || access.subscripts.empty())
      continue;
    auto strides = stridesOf(access, values, 0);
    if (!strides || (width >= lanes && strides->x == 0))
      continue;
    long long ways = conflicts(*strides, array.bytes, width);
    if (ways < 2 || !reported.insert({&array, ways}).second)
      continue;
    // Of the neighbours along x, or of the rows of a block if these get in each other's way.
    bool inRow = conflicts({strides->x, 0}, array.bytes, lanes) > 1;
    long long stride = inRow ? strides->x : strides->y;
    Diagnostic &diagnostic = hazards.report(Hazard::BankConflict, access.element->place, ways,
                                            array.name, stride * array.bytes / wordBytes);
    hazards.relate(diagnostic, Hazard::ArrayHere, array.declaration, array.name);
    auto padded = stridesOf(access, values, 1);
    if (access.subscripts.size() > 1 && padded && conflicts(*padded, array.bytes, width) < ways)
      offerPadding(hazards, diagnostic, array);
  }
}

} // namespace

void findBankConflicts(Hazards &hazards) {
  for (const Procedure &procedure : hazards.model.procedures)
    if (procedure.device)
      check(hazards, procedure);
}

} // namespace cufc::hazards
