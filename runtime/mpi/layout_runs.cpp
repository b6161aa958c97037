// See layout_runs.h, and the arithmetic of layout.h.
#include "mpi/layout_runs.h"

#include <algorithm>

namespace cufrt::mpi {
namespace {

ptrdiff_t signedOf(size_t value) { return static_cast<ptrdiff_t>(value); }

Run shifted(Run run, ptrdiff_t by) {
  run.offset += by;
  return run;
}

// `count` copies of a run that start `stride` bytes apart, one after the other in the order of a
// message.
void appendCopies(std::vector<Run> &runs, const Run &run, size_t count, ptrdiff_t stride) {
  if (run.count == 1 && stride == signedOf(run.bytes))
    append(runs, {run.offset, run.bytes * count, 0, 1});
  else if (run.count == 1)
    append(runs, {run.offset, run.bytes, stride, count});
  else if (stride == run.stride * signedOf(run.count))
    append(runs, {run.offset, run.bytes, run.stride, run.count * count});
  else
    for (size_t i = 0; i < count; ++i)
      append(runs, shifted(run, signedOf(i) * stride));
}

// The same bytes, in an order that takes fewer runs.
void appendElements(std::vector<Run> &runs, const Run &run, ptrdiff_t offset, size_t count,
                    ptrdiff_t extent) {
  if (run.count == 1 || count <= run.count || extent == run.stride * signedOf(run.count))
    return appendCopies(runs, shifted(run, offset), count, extent);
  for (size_t i = 0; i < run.count; ++i)
    appendCopies(runs, {run.offset + offset + signedOf(i) * run.stride, run.bytes, 0, 1}, count,
                 extent);
}

// The first `bytes` bytes of one element.
void appendStart(std::vector<Run> &runs, const Layout &layout, ptrdiff_t offset, size_t bytes) {
  for (const Run &run : layout.runs) {
    if (bytes == 0)
      return;
    size_t whole = std::min(run.count, bytes / run.bytes);
    if (whole > 0)
      append(runs, {run.offset + offset, run.bytes, run.stride, whole});
    bytes -= whole * run.bytes;
    if (whole < run.count && bytes > 0) {
      append(runs, {run.offset + offset + signedOf(whole) * run.stride, bytes, 0, 1});
      return;
    }
  }
}

} // namespace

void append(std::vector<Run> &runs, Run run) {
  if (run.count == 0 || run.bytes == 0)
    return;
  if (run.count > 1 && run.stride == signedOf(run.bytes))
    run = {run.offset, run.bytes * run.count, 0, 1};
  if (run.count == 1)
    run.stride = 0;
  if (!runs.empty()) {
    Run &last = runs.back();
    bool isSame = run.bytes == last.bytes && run.count == 1;
    if (last.count == 1 && run.count == 1 && last.offset + signedOf(last.bytes) == run.offset) {
      last.bytes += run.bytes;
      return;
    }
    if (isSame && last.count == 1 && run.offset > last.offset + signedOf(last.bytes)) {
      last.stride = run.offset - last.offset;
      last.count = 2;
      return;
    }
    if (isSame && last.count > 1 &&
        run.offset == last.offset + last.stride * signedOf(last.count)) {
      ++last.count;
      return;
    }
  }
  runs.push_back(run);
}

void append(std::vector<Run> &runs, const Layout &inner, ptrdiff_t offset, size_t count,
            ptrdiff_t stride) {
  if (inner.runs.size() == 1)
    return appendCopies(runs, shifted(inner.runs[0], offset), count, stride);
  for (size_t i = 0; i < count; ++i)
    for (const Run &run : inner.runs)
      append(runs, shifted(run, offset + signedOf(i) * stride));
}

size_t bytesIn(const Parts &parts) {
  size_t bytes = 0;
  for (const Part &part : parts)
    bytes += part.count * part.layout->size;
  return bytes;
}

std::vector<Run> runsOf(const Part &part, size_t bytes) {
  const Layout &layout = *part.layout;
  std::vector<Run> runs;
  bytes = std::min(bytes, part.count * layout.size);
  if (bytes == 0)
    return runs;
  if (layout.isDense()) {
    runs.push_back({part.offset + layout.begin, bytes, 0, 1});
    return runs;
  }
  size_t whole = bytes / layout.size;
  if (whole < layout.runs.size()) {
    for (size_t i = 0; i < whole; ++i)
      for (const Run &run : layout.runs)
        append(runs, shifted(run, part.offset + signedOf(i) * layout.extent));
  } else {
    for (const Run &run : layout.runs)
      appendElements(runs, run, part.offset, whole, layout.extent);
  }
  appendStart(runs, layout, part.offset + signedOf(whole) * layout.extent, bytes % layout.size);
  return runs;
}

Range rangeOf(const Parts &parts) {
  Range range{0, 0};
  bool isFirst = true;
  for (const Part &part : parts) {
    if (part.count == 0 || part.layout->size == 0)
      continue;
    ptrdiff_t last = signedOf(part.count - 1) * part.layout->extent;
    ptrdiff_t begin = part.offset + part.layout->begin + std::min<ptrdiff_t>(last, 0);
    ptrdiff_t end = part.offset + part.layout->end + std::max<ptrdiff_t>(last, 0);
    range.begin = isFirst ? begin : std::min(range.begin, begin);
    range.end = isFirst ? end : std::max(range.end, end);
    isFirst = false;
  }
  return range;
}

} // namespace cufrt::mpi
