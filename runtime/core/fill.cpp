// A value whose bytes are all equal (zero, above all) is left to cudaMemset. Any other value is
// written to the start of the section and then doubled: the part that is set is copied behind
// itself, dimension by dimension, so that n elements take about log2(n) copies on the device.
#include "core/fill.h"
#include "core/copy.h"
#include "core/default_stream.h"
#include "report/work.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace cufrt {
namespace {

// Bytes that are set from the host before the doubling starts.
constexpr size_t seedBytes = 65536;

bool allBytesEqual(const void *value, size_t bytes) {
  auto *first = static_cast<const unsigned char *>(value);
  return std::all_of(first, first + bytes, [=](unsigned char byte) { return byte == *first; });
}

// Part of one dimension of a section whose higher dimensions are cut to their first index.
Section slab(const Section &section, int dimension, int64_t start, int64_t count) {
  Section part = section;
  part.rank = dimension + 1;
  part.base += start * section.stride[dimension];
  part.extent[dimension] = count;
  return part;
}

Error doubleAlong(const Section &section, int dimension, int64_t known) {
  for (int64_t extent = section.extent[dimension]; known < extent;) {
    int64_t count = std::min(known, extent - known);
    Error error = copySection(slab(section, dimension, known, count),
                              slab(section, dimension, 0, count), Direction::deviceToDevice);
    if (error != success)
      return error;
    known += count;
  }
  return success;
}

// Makes a section out of the dense block of a walk and its loops: dimension 0 is the block, in
// units of one element.
Section blocksAsDimension(const Walk &walk, size_t elementBytes) {
  Section section{};
  section.base = walk.to;
  section.elementBytes = elementBytes;
  section.rank = walk.loops + 1;
  section.extent[0] = static_cast<int64_t>(walk.blockBytes / elementBytes);
  section.stride[0] = static_cast<int64_t>(elementBytes);
  for (int i = 0; i < walk.loops; ++i) {
    section.extent[i + 1] = walk.loop[i].extent;
    section.stride[i + 1] = walk.loop[i].toStride;
  }
  return section;
}

Error fillByDoubling(const Section &section, const void *value) {
  int64_t count = std::clamp<int64_t>(static_cast<int64_t>(seedBytes / section.elementBytes), 1,
                                      section.extent[0]);
  std::vector<char> seed(static_cast<size_t>(count) * section.elementBytes);
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(seed.data() + static_cast<size_t>(i) * section.elementBytes, value,
                section.elementBytes);
  Queue queue = Queue::of(section.base, nullptr);
  Error error = queue.finish(queue.copy(section.base, seed.data(), seed.size()));
  for (int i = 0; i < section.rank && error == success; ++i)
    error = doubleAlong(section, i, i == 0 ? count : 1);
  return error;
}

Error setBytes(const Walk &walk, int outermost, char *base, int byte, const Queue &queue) {
  if (outermost < 0)
    return queue.fill(base, byte, walk.blockBytes);
  const Walk::Loop &loop = walk.loop[outermost];
  if (outermost == 0 && loop.toStride >= static_cast<int64_t>(walk.blockBytes) &&
      loop.toStride <= INT32_MAX)
    return queue.fillRows(base, static_cast<size_t>(loop.toStride), byte, walk.blockBytes,
                          static_cast<size_t>(loop.extent));
  for (int64_t i = 0; i < loop.extent; ++i)
    if (Error error = setBytes(walk, outermost - 1, base + i * loop.toStride, byte, queue))
      return error;
  return success;
}

void fillLoops(const Section &section, int outermost, char *base, const void *value) {
  if (outermost < 0) {
    std::memcpy(base, value, section.elementBytes);
    return;
  }
  for (int64_t i = 0; i < section.extent[outermost]; ++i)
    fillLoops(section, outermost - 1, base + i * section.stride[outermost], value);
}

} // namespace

Error fillOnDevice(const Section &section, const void *value) {
  report::OriginScope origin(report::Origin::assignment);
  Walk walk = makeWalk(section);
  if (walk.blockBytes == 0)
    return success;
  if (allBytesEqual(value, section.elementBytes)) {
    Queue queue = Queue::of(walk.to, nullptr);
    int byte = *static_cast<const unsigned char *>(value);
    return queue.finish(setBytes(walk, walk.loops - 1, walk.to, byte, queue));
  }
  return fillByDoubling(blocksAsDimension(walk, section.elementBytes), value);
}

void fillOnHost(const Section &section, const void *value) {
  if (section.bytes())
    fillLoops(section, section.rank - 1, section.base, value);
}

} // namespace cufrt
