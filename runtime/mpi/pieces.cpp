// See pieces.h. Elements that follow each other are rows or planes of each run of their datatype;
// runs of one form that follow each other, such as the rows of a face of a box, are planes.
#include "mpi/pieces.h"

#include <algorithm>

namespace cufrt::mpi {
namespace {

ptrdiff_t signedOf(size_t value) { return static_cast<ptrdiff_t>(value); }

bool continues(const Steps &outer, const Steps &inner) {
  return outer.stride == inner.stride * signedOf(inner.count) &&
         outer.packedStride == inner.packedStride * signedOf(inner.count);
}

// What lies together on both sides becomes one dimension less.
Piece simplified(Piece piece) {
  for (int dimension = 0; dimension < 2; ++dimension) {
    Steps &rows = piece.rows;
    auto bytes = signedOf(piece.bytes);
    bool lieTogether = rows.stride == bytes && rows.packedStride == bytes;
    if (rows.count > 1 && !lieTogether)
      break;
    piece.bytes *= rows.count;
    rows = piece.planes;
    piece.planes = {};
  }
  if (piece.planes.count > 1 && continues(piece.planes, piece.rows)) {
    piece.rows.count *= piece.planes.count;
    piece.planes = {};
  }
  if (piece.planes.count == 1)
    piece.planes = {};
  if (piece.rows.count == 1)
    piece.rows = {};
  return piece;
}

bool haveOneForm(const Piece &a, const Piece &b) {
  return a.bytes == b.bytes && a.rows.count == b.rows.count && a.rows.stride == b.rows.stride &&
         a.rows.packedStride == b.rows.packedStride;
}

// Appends a piece; one of the same form as the last, at the next step, becomes part of that.
void append(std::vector<Piece> &pieces, const Piece &piece) {
  if (pieces.empty() || piece.planes.count > 1 || !haveOneForm(pieces.back(), piece)) {
    pieces.push_back(piece);
    return;
  }
  Piece &last = pieces.back();
  Steps &planes = last.planes;
  ptrdiff_t step = piece.at - last.at;
  auto packedStep = signedOf(piece.packedAt) - signedOf(last.packedAt);
  if (planes.count == 1)
    planes = {2, step, packedStep};
  else if (step == planes.stride * signedOf(planes.count) &&
           packedStep == planes.packedStride * signedOf(planes.count))
    ++planes.count;
  else
    pieces.push_back(piece);
}

// The first `bytes` bytes of the element whose data begin at `packedAt`.
void appendStart(std::vector<Piece> &pieces, const Layout &layout, ptrdiff_t at, size_t packedAt,
                 size_t bytes) {
  for (const Run &run : layout.runs) {
    size_t whole = std::min(run.count, bytes / run.bytes);
    if (whole > 0)
      append(pieces, simplified({run.offset + at, packedAt, run.bytes,
                                 Steps{whole, run.stride, signedOf(run.bytes)}}));
    bytes -= whole * run.bytes;
    packedAt += whole * run.bytes;
    if (whole < run.count && bytes > 0)
      append(pieces, {run.offset + at + signedOf(whole) * run.stride, packedAt, bytes});
    if (whole < run.count || bytes == 0)
      return;
  }
}

} // namespace

std::vector<Piece> piecesOf(const Part &part, size_t bytes) {
  const Layout &layout = *part.layout;
  std::vector<Piece> pieces;
  bytes = std::min(bytes, part.count * layout.size);
  if (bytes == 0)
    return pieces;
  size_t whole = bytes / layout.size, packedAt = 0;
  for (const Run &run : layout.runs) {
    if (whole > 0)
      append(pieces, simplified({run.offset + part.offset, packedAt, run.bytes,
                                 Steps{run.count, run.stride, signedOf(run.bytes)},
                                 Steps{whole, layout.extent, signedOf(layout.size)}}));
    packedAt += run.bytes * run.count;
  }
  appendStart(pieces, layout, part.offset + signedOf(whole) * layout.extent, whole * layout.size,
              bytes % layout.size);
  for (Piece &piece : pieces)
    piece = simplified(piece);
  return pieces;
}

} // namespace cufrt::mpi
