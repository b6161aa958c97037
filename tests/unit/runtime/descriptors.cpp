// See descriptors.h.
#include "descriptors.h"

Array::Array(void *base, CFI_type_t type, size_t elementBytes, std::vector<int64_t> extents) {
  CFI_cdesc_t &descriptor = **this;
  descriptor.base_addr = base;
  descriptor.elem_len = elementBytes;
  descriptor.version = CFI_VERSION;
  descriptor.rank = static_cast<CFI_rank_t>(extents.size());
  descriptor.type = type;
  auto stride = static_cast<int64_t>(elementBytes);
  for (size_t i = 0; i < extents.size(); ++i) {
    descriptor.dim[static_cast<int>(i)] = {1, extents[i], stride};
    stride *= extents[i];
  }
}

Array Array::ofFloats(void *base, std::vector<int64_t> extents) {
  return Array(base, CFI_type_float, sizeof(float), extents);
}

Array Array::unallocated(CFI_attribute_t attribute, int allocator, std::vector<int64_t> extents) {
  Array array = ofFloats(nullptr, extents);
  array->attribute = attribute;
  array->extra = static_cast<unsigned char>(allocator << 1);
  return array;
}

Array Array::section(const std::vector<Triplet> &triplets) const {
  Array part = *this;
  auto *base = static_cast<char *>(part->base_addr);
  for (size_t i = 0; i < triplets.size(); ++i) {
    CFI_dim_t &dimension = part->dim[static_cast<int>(i)];
    base += triplets[i].start * dimension.sm;
    dimension = {1, triplets[i].count, triplets[i].step * dimension.sm};
  }
  part->base_addr = base;
  part->attribute = CFI_attribute_other;
  return part;
}

Message::Message(size_t length)
    : text(length, '?'), array(text.data(), CFI_type_char, length, {}) {}
