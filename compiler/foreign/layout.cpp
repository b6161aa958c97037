// The System V ABI for x86-64 gives alignments and registers.
#include "foreign/layout.h"
#include "foreign/expression_text.h"
#include "foreign/literals.h"

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

bool Layout::classify(int type, long long offset, std::vector<Eightbyte> &registers, bool &memory,
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
          registers[static_cast<size_t>(at)] = Eightbyte::Integer;
    }
    offset += extent->bytes;
  }
  return true;
}

std::optional<std::vector<Eightbyte>> Layout::registersOf(int type) const {
  std::optional<Extent> extent = ofType(type);
  if (!extent)
    return std::nullopt;
  if (extent->bytes > 16)
    return std::vector<Eightbyte>{};
  std::vector<Eightbyte> registers(static_cast<size_t>((extent->bytes + 7) / 8), Eightbyte::Sse);
  bool memory = false;
  if (!classify(type, 0, registers, memory, 0))
    return std::nullopt;
  return memory ? std::vector<Eightbyte>{} : registers;
}

} // namespace cufc::foreign
