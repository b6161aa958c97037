// See copies.h.
#include "mpi/copies.h"
#include "core/location.h"
#include "mpi/current_device.h"
#include "mpi/host_blocks.h"
#include "report/work.h"

#include <algorithm>
#include <cstring>

namespace cufrt::mpi {
namespace {

constexpr ptrdiff_t largestPitch = 0x7fffffff; // cudaDevAttrMaxPitch of all GPUs

ptrdiff_t signedOf(size_t value) { return static_cast<ptrdiff_t>(value); }

bool arePitches(const Steps &steps, size_t bytes) {
  return std::min(steps.stride, steps.packedStride) >= signedOf(bytes) &&
         std::max(steps.stride, steps.packedStride) <= largestPitch;
}

// Planes are whole numbers of rows apart.
bool isSlices(ptrdiff_t plane, ptrdiff_t row, size_t rows) {
  return plane % row == 0 && plane / row >= signedOf(rows);
}

bool isBlock(const Piece &piece) {
  const Steps &rows = piece.rows, &planes = piece.planes;
  return arePitches(rows, piece.bytes) && isSlices(planes.stride, rows.stride, rows.count) &&
         isSlices(planes.packedStride, rows.packedStride, rows.count);
}

// One copy of pieces to or from their places in the packed message.
class Mover {
public:
  Mover(char *device, char *packed, bool toHost, void *stream)
      : device(device), packed(packed), toHost(toHost), stream(stream) {}

  Error move(Piece piece) const {
    if (piece.planes.count == 1)
      return moveRows(piece);
    if (isBlock(piece))
      return moveBlock(piece);
    if (piece.planes.count > piece.rows.count) // fewer copies the other way round
      std::swap(piece.planes, piece.rows);
    return forEach(piece.planes, piece, [&](const Piece &plane) { return moveRows(plane); });
  }

private:
  template <typename Action>
  static Error forEach(const Steps &steps, const Piece &piece, const Action &action) {
    Error error = success;
    for (size_t i = 0; i < steps.count && error == success; ++i) {
      Piece one = piece;
      one.at += signedOf(i) * steps.stride;
      one.packedAt += i * static_cast<size_t>(steps.packedStride);
      error = action(one);
    }
    return error;
  }

  Error moveBytes(const Piece &piece) const {
    char *there = device + piece.at, *here = packed + piece.packedAt;
    return toHost ? api().cudaMemcpyAsync(here, there, piece.bytes, deviceToHost, stream)
                  : api().cudaMemcpyAsync(there, here, piece.bytes, hostToDevice, stream);
  }

  Error moveRows(const Piece &piece) const {
    const Steps &rows = piece.rows;
    if (rows.count == 1)
      return moveBytes(piece);
    if (!arePitches(rows, piece.bytes))
      return forEach(rows, piece, [&](const Piece &row) { return moveBytes(row); });
    char *there = device + piece.at, *here = packed + piece.packedAt;
    auto pitch = static_cast<size_t>(rows.stride),
         packedPitch = static_cast<size_t>(rows.packedStride);
    return toHost ? api().cudaMemcpy2DAsync(here, packedPitch, there, pitch, piece.bytes,
                                            rows.count, deviceToHost, stream)
                  : api().cudaMemcpy2DAsync(there, pitch, here, packedPitch, piece.bytes,
                                            rows.count, hostToDevice, stream);
  }

  static PitchedPointer side(char *start, size_t bytes, ptrdiff_t row, ptrdiff_t plane) {
    return {start, static_cast<size_t>(row), bytes, static_cast<size_t>(plane / row)};
  }

  Error moveBlock(const Piece &piece) const {
    const Steps &rows = piece.rows, &planes = piece.planes;
    PitchedPointer there = side(device + piece.at, piece.bytes, rows.stride, planes.stride);
    PitchedPointer here =
        side(packed + piece.packedAt, piece.bytes, rows.packedStride, planes.packedStride);
    BlockCopy copy{};
    copy.source = toHost ? there : here;
    copy.target = toHost ? here : there;
    copy.extent = {piece.bytes, rows.count, planes.count};
    copy.kind = toHost ? deviceToHost : hostToDevice;
    return api().cudaMemcpy3DAsync(&copy, stream);
  }

  char *device, *packed;
  bool toHost;
  void *stream;
};

char *placeOfPiece(char *host, const Run &run, size_t number) {
  return host + run.offset + signedOf(number) * run.stride;
}

} // namespace

Copies::~Copies() { release(); }

void Copies::begin(const Way &way, const Parts &parts, size_t bytes) {
  report::OriginScope origin(report::Origin::mpi);
  CurrentDevice current(way.number);
  Error error = success;
  char *packed = way.host;
  for (const Part &part : parts) {
    if (way.isPacked)
      for (const Piece &piece : piecesOf(part, bytes))
        error = error != success ? error
                                 : Mover(way.device, packed, way.toHost, way.stream).move(piece);
    else if (error == success)
      error = beginWithGaps(way, part, bytes);
    size_t all = part.count * part.layout->size;
    packed += all;
    bytes -= std::min(bytes, all);
  }
  check(error, {nullptr, 0}, "%s: copying a device buffer %s the host", way.call,
        way.toHost ? "to" : "from");
  for (const Wait &wait : waits)
    if (wait.number == way.number && wait.stream == way.stream)
      return;
  waits.push_back({way.number, way.stream, way.call, way.toHost});
}

Error Copies::beginWithGaps(const Way &way, const Part &part, size_t bytes) {
  Error error = success;
  for (const Run &run : runsOf(part, bytes)) {
    if (error != success)
      break;
    if (run.count == 1) { // lies together on both sides
      Mover mover(way.device + run.offset, way.host + run.offset, way.toHost, way.stream);
      error = mover.move({0, 0, run.bytes});
      continue;
    }
    char *memory = takePinned(run.bytes * run.count, way.call);
    between.push_back({run, memory, way.toHost ? way.host : nullptr});
    for (size_t i = 0; !way.toHost && i < run.count; ++i)
      std::memcpy(memory + i * run.bytes, placeOfPiece(way.host, run, i), run.bytes);
    error =
        Mover(way.device, memory, way.toHost, way.stream)
            .move({run.offset, 0, run.bytes, Steps{run.count, run.stride, signedOf(run.bytes)}});
  }
  return error;
}

void Copies::finish() {
  for (const Wait &wait : waits) {
    CurrentDevice current(wait.number);
    check(api().cudaStreamSynchronize(wait.stream), {nullptr, 0},
          "%s: copying a device buffer %s the host", wait.call, wait.toHost ? "to" : "from");
  }
  waits.clear();
  for (const Between &pieces : between)
    for (size_t i = 0; pieces.host && i < pieces.run.count; ++i)
      std::memcpy(placeOfPiece(pieces.host, pieces.run, i), pieces.memory + i * pieces.run.bytes,
                  pieces.run.bytes);
  release();
}

void Copies::release() {
  for (const Between &pieces : between)
    givePinned(pieces.memory, pieces.run.bytes * pieces.run.count);
  between.clear();
}

} // namespace cufrt::mpi
