// The System V ABI for x86-64 gives alignments and registers; on aarch64 it is the Procedure Call
// Standard (AAPCS64, 5.9.5 and 6.8.2), by which up to four reals of one kind go in a register each.
#include "foreign/layout.h"
#include "base/host_machine.h"
#include "foreign/expression_text.h"
#include "foreign/literals.h"
#include <set>

namespace cufc::foreign {
namespace {

constexpr int deepest = 100; // a damaged file may have types that contain themselves

long long roundUp(long long value, long long alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

} // namespace

std::optional<long long> Layout::elements(const ArraySpec &array) const {
  if (array.corank > 0)
    return std::nullopt;
  long long count = 1;
  for (auto [lower, upper] : array.bounds) {
    std::optional<long long> first = constantValue(module, lower),
                             last = constantValue(module, upper);
    long long extent = 0;
    if (!first || !last || __builtin_sub_overflow(*last, *first, &extent) ||
        __builtin_mul_overflow(count, std::max(extent + 1, 0LL), &count))
      return std::nullopt;
  }
  return count;
}

std::optional<Extent> Layout::ofScalar(const TypeSpec &type, int depth) const {
  if (type.type == "INTEGER" && hasIntegerKind(type.kind))
    return Extent{type.kind, type.kind};
  if (type.type == "LOGICAL" && hasLogicalKind(type.kind))
    return Extent{type.kind, type.kind};
  if ((type.type == "REAL" || type.type == "COMPLEX") && hasRealKind(type.kind)) {
    long long bytes = type.kind == 10 ? 16 : type.kind;
    return Extent{type.type == "COMPLEX" ? 2 * bytes : bytes, bytes};
  }
  if (type.type == "CHARACTER" && type.kind == 1)
    if (std::optional<long long> length = constantValue(module, type.length))
      return Extent{std::max(*length, 0LL), 1};
  if (type.type == "DERIVED")
    return ofType(type.derived, depth + 1);
  return std::nullopt;
}

bool Layout::isOpaque(const Component &component) const {
  const Attributes &attributes = component.attributes;
  return attributes.has("ALLOCATABLE") || attributes.has("POINTER") ||
         attributes.has("PROC_POINTER") || component.type.type == "CLASS" ||
         component.type.deferred;
}

std::optional<Extent> Layout::ofComponent(const Component &component, int depth) const {
  if (component.array.corank > 0)
    return std::nullopt;
  if (component.type.type == "CLASS") // data or descriptor, type and, without one, a length
    return ofType(component.type.derived, depth + 1);
  if (isOpaque(component)) {
    long long bytes = component.array.form.empty() ? 8 : descriptorBytes(component.array.rank);
    return Extent{bytes, 8};
  }
  std::optional<Extent> one = ofScalar(component.type, depth);
  std::optional<long long> count = elements(component.array);
  if (!one || !count || __builtin_mul_overflow(one->bytes, *count, &one->bytes))
    return std::nullopt;
  return one;
}

std::optional<Extent> Layout::ofType(int type, int depth) const {
  const Symbol *symbol = module.find(type);
  if (!symbol || !symbol->isType() || symbol->parameterised || depth > deepest)
    return std::nullopt;
  Extent result;
  for (const Component &component : symbol->components) {
    std::optional<Extent> one = ofComponent(component, depth);
    if (!one)
      return std::nullopt;
    result.alignment = std::max(result.alignment, one->alignment);
    result.bytes = roundUp(result.bytes, one->alignment) + one->bytes;
  }
  result.bytes = roundUp(result.bytes, result.alignment);
  return result;
}

bool Layout::ownsMemory(int type, int depth) const {
  const Symbol *symbol = module.find(type);
  if (!symbol || depth > deepest)
    return false;
  for (const Component &component : symbol->components) {
    if (component.attributes.has("ALLOCATABLE"))
      return true;
    bool pointer = component.attributes.has("POINTER");
    if (component.type.type == "CLASS" || (component.type.type == "DERIVED" && !pointer))
      if (ownsMemory(component.type.derived, depth + 1))
        return true;
  }
  return false;
}

bool Layout::classify(int type, long long offset, std::vector<Part> &registers, bool &memory,
                      int depth) const {
  const Symbol *symbol = module.find(type);
  if (!symbol || depth > deepest)
    return false;
  for (const Component &component : symbol->components) {
    std::optional<Extent> extent = ofComponent(component);
    if (!extent)
      return false;
    offset = roundUp(offset, extent->alignment);
    bool opaque = isOpaque(component);
    if (!opaque && component.type.type == "DERIVED") {
      std::optional<Extent> one = ofScalar(component.type);
      for (long long at = offset; one && at < offset + extent->bytes && at < 16; at += one->bytes)
        if (one->bytes == 0 || !classify(component.type.derived, at, registers, memory, depth + 1))
          return false;
    } else {
      bool real = component.type.type == "REAL" || component.type.type == "COMPLEX";
      memory |= real && component.type.kind == 10;
      bool sse = real && !opaque;
      for (long long at = offset / 8; at < (offset + extent->bytes + 7) / 8; ++at)
        if (!sse && at < static_cast<long long>(registers.size()))
          registers[static_cast<size_t>(at)] = Part::Integer;
    }
    offset += extent->bytes;
  }
  return true;
}

// The kinds of a type's reals, one for each; others are 0. At most five are of interest.
bool Layout::addKinds(int type, std::vector<int> &kinds, int depth) const {
  constexpr size_t enough = 5;
  const Symbol *symbol = module.find(type);
  if (!symbol || depth > deepest)
    return false;
  for (const Component &component : symbol->components) {
    std::optional<Extent> whole = ofComponent(component), one = ofScalar(component.type);
    const bool opaque = isOpaque(component);
    if (!whole || (!one && !opaque))
      return false;
    const long long count = opaque || one->bytes == 0 ? 1 : whole->bytes / one->bytes;
    for (long long i = 0; i < count && kinds.size() < enough; ++i)
      if (!opaque && component.type.type == "DERIVED") {
        if (!addKinds(component.type.derived, kinds, depth + 1))
          return false;
      } else {
        const bool complex = !opaque && component.type.type == "COMPLEX";
        const bool real = complex || (!opaque && component.type.type == "REAL");
        kinds.insert(kinds.end(), complex ? 2 : 1, real ? component.type.kind : 0);
      }
  }
  return true;
}

std::optional<std::vector<Part>> Layout::registersOf(int type) const {
  std::optional<Extent> extent = ofType(type);
  if (!extent)
    return std::nullopt;
  std::vector<Part> inMemory;
  if (!thisMachine.isX86()) {
    std::vector<int> kinds;
    if (!addKinds(type, kinds, 0) || kinds.empty())
      return std::nullopt;
    const int kind = kinds.front();
    if (kind != 0 && kinds.size() <= 4 && std::set<int>(kinds.begin(), kinds.end()).size() == 1)
      return std::vector<Part>(kinds.size(), kind == 4   ? Part::Single
                                             : kind == 8 ? Part::Double
                                                         : Part::Quad);
    if (extent->alignment > 8) // a pair of registers, of which the first has an even number
      return std::nullopt;
    return extent->bytes > 16
               ? inMemory
               : std::vector<Part>(static_cast<size_t>((extent->bytes + 7) / 8), Part::Integer);
  }
  if (extent->bytes > 16)
    return inMemory;
  std::vector<Part> registers(static_cast<size_t>((extent->bytes + 7) / 8), Part::Double);
  bool memory = false;
  if (!classify(type, 0, registers, memory, 0))
    return std::nullopt;
  return memory ? inMemory : registers;
}

} // namespace cufc::foreign
