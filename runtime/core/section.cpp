// See section.h.
#include "core/section.h"

namespace cufrt {

size_t Section::elements() const {
  size_t count = 1;
  for (int i = 0; i < rank; ++i)
    count *= extent[i] > 0 ? static_cast<size_t>(extent[i]) : 0;
  return count;
}

// Not zeroed: small copies would notice.
Section sectionOf(const CFI_cdesc_t &descriptor) {
  Section section;
  section.base = static_cast<char *>(descriptor.base_addr);
  section.elementBytes = descriptor.elem_len;
  section.rank = descriptor.rank;
  for (int i = 0; i < section.rank; ++i) {
    section.extent[i] = descriptor.dim[i].extent;
    section.stride[i] = descriptor.dim[i].sm;
  }
  return section;
}

Section denseSection(void *base, const Section &like) {
  Section dense = like;
  dense.base = static_cast<char *>(base);
  int64_t stride = static_cast<int64_t>(like.elementBytes);
  for (int i = 0; i < like.rank; ++i) {
    dense.stride[i] = stride;
    stride *= like.extent[i];
  }
  return dense;
}

bool isContiguous(const Section &section) {
  int64_t expected = static_cast<int64_t>(section.elementBytes);
  for (int i = 0; i < section.rank; ++i) {
    if (section.extent[i] == 0)
      return true;
    if (section.extent[i] != 1 && section.stride[i] != expected)
      return false;
    expected *= section.extent[i];
  }
  return true;
}

namespace {

struct Range {
  const char *begin, *end;
};

Range rangeOf(const Section &section) {
  Range range{section.base, section.base + section.elementBytes};
  for (int i = 0; i < section.rank; ++i) {
    int64_t reach = (section.extent[i] - 1) * section.stride[i];
    (reach < 0 ? range.begin : range.end) += reach;
  }
  return range;
}

// A loop that runs backwards on both sides runs forwards on both instead.
void turnForward(Walk &walk, Walk::Loop &loop) {
  if (loop.toStride >= 0 || loop.fromStride >= 0)
    return;
  walk.to += (loop.extent - 1) * loop.toStride;
  walk.from += (loop.extent - 1) * loop.fromStride;
  loop.toStride = -loop.toStride;
  loop.fromStride = -loop.fromStride;
}

// Adds the next outer loop to the block or to the loop inside it if it continues them.
void append(Walk &walk, const Walk::Loop &loop) {
  int64_t block = static_cast<int64_t>(walk.blockBytes);
  if (walk.loops == 0 && loop.toStride == block && loop.fromStride == block) {
    walk.blockBytes *= static_cast<size_t>(loop.extent);
    return;
  }
  if (walk.loops > 0) {
    Walk::Loop &inner = walk.loop[walk.loops - 1];
    if (loop.toStride == inner.toStride * inner.extent &&
        loop.fromStride == inner.fromStride * inner.extent) {
      inner.extent *= loop.extent;
      return;
    }
  }
  walk.loop[walk.loops++] = loop;
}

Section side(const Walk &walk, char *base, int64_t Walk::Loop::*stride) {
  Section section{};
  section.base = base;
  section.elementBytes = walk.blockBytes;
  section.rank = walk.loops;
  for (int i = 0; i < walk.loops; ++i) {
    section.extent[i] = walk.loop[i].extent;
    section.stride[i] = walk.loop[i].*stride;
  }
  return section;
}

} // namespace

bool overlap(const Section &a, const Section &b) {
  if (a.bytes() == 0 || b.bytes() == 0)
    return false;
  Range first = rangeOf(a), second = rangeOf(b);
  return first.begin < second.end && second.begin < first.end;
}

Walk makeWalk(const Section &to, const Section &from) {
  Walk walk; // not zeroed, as in sectionOf
  walk.loops = 0;
  walk.to = to.base;
  walk.from = from.base;
  walk.blockBytes = to.elements() ? to.elementBytes : 0;
  for (int i = 0; i < to.rank && walk.blockBytes; ++i) {
    if (to.extent[i] == 1)
      continue;
    Walk::Loop loop{to.extent[i], to.stride[i], from.stride[i]};
    turnForward(walk, loop);
    append(walk, loop);
  }
  return walk;
}

Walk makeWalk(const Section &section) { return makeWalk(section, section); }

Section toSide(const Walk &walk) { return side(walk, walk.to, &Walk::Loop::toStride); }

Section fromSide(const Walk &walk) {
  return side(walk, const_cast<char *>(walk.from), &Walk::Loop::fromStride);
}

} // namespace cufrt
