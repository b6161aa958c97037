// See shapes.h.
#include "mpi/shapes.h"
#include "mpi/pmpi.h" // generated

namespace cufrt::mpi {
namespace {

bool isIntercommunicator(Handle communicator) {
  int flag = 0, error = 0;
  pmpi_comm_test_inter_(&communicator, &flag, &error);
  return flag != 0;
}

void appendBlock(Parts &parts, ptrdiff_t offset, int64_t count, LayoutPointer layout) {
  parts.push_back({offset, static_cast<size_t>(count), std::move(layout)});
}

struct Neighbours {
  int sources = 0, destinations = 0;
  bool isGrid = false;
};

Neighbours neighboursOf(Handle communicator) {
  int topology = 0, error = 0;
  Neighbours found;
  pmpi_topo_test_(&communicator, &topology, &error);
  if (topology == valueOf(Constant::cart)) {
    int dimensions = 0;
    pmpi_cartdim_get_(&communicator, &dimensions, &error);
    found = {2 * dimensions, 2 * dimensions, true};
  } else if (topology == valueOf(Constant::graph)) {
    int rank = ownRank(communicator), count = 0;
    pmpi_graph_neighbors_count_(&communicator, &rank, &count, &error);
    found = {count, count, false};
  } else if (topology == valueOf(Constant::distGraph)) {
    int weighted = 0;
    pmpi_dist_graph_neighbors_count_(&communicator, &found.sources, &found.destinations, &weighted,
                                     &error);
  }
  return found;
}

} // namespace

Parts elements(const char *call, int64_t count, Handle datatype) {
  Parts parts;
  if (count > 0)
    parts.push_back({0, static_cast<size_t>(count), layoutOf(datatype, call)});
  return parts;
}

Parts byteRange(int64_t first, int64_t bytes) {
  Parts parts;
  if (bytes > 0)
    parts.push_back({first, static_cast<size_t>(bytes), layoutOfBytes()});
  return parts;
}

template <typename Count, typename Displacement>
Parts blocksInExtents(const char *call, const Count *counts, const Displacement *displacements,
                      Handle datatype, int blocks) {
  Parts parts;
  LayoutPointer layout;
  for (int i = 0; i < blocks; ++i) {
    if (counts[i] <= 0)
      continue;
    if (!layout)
      layout = layoutOf(datatype, call);
    appendBlock(parts, displacements[i] * layout->extent, counts[i], layout);
  }
  return parts;
}

template <typename Count, typename Displacement>
Parts blocksInBytes(const char *call, const Count *counts, const Displacement *displacements,
                    const Handle *datatypes, int blocks) {
  Parts parts;
  for (int i = 0; i < blocks; ++i)
    if (counts[i] > 0)
      appendBlock(parts, displacements[i], counts[i], layoutOf(datatypes[i], call));
  return parts;
}

template Parts blocksInExtents(const char *, const int *, const int *, Handle, int);
template Parts blocksInExtents(const char *, const int64_t *, const int64_t *, Handle, int);
template Parts blocksInBytes(const char *, const int *, const int *, const Handle *, int);
template Parts blocksInBytes(const char *, const int *, const int64_t *, const Handle *, int);
template Parts blocksInBytes(const char *, const int64_t *, const int64_t *, const Handle *, int);

int partners(Handle communicator) {
  int size = 0, error = 0;
  if (isIntercommunicator(communicator))
    pmpi_comm_remote_size_(&communicator, &size, &error);
  else
    pmpi_comm_size_(&communicator, &size, &error);
  return size;
}

int ownRank(Handle communicator) {
  int rank = 0, error = 0;
  pmpi_comm_rank_(&communicator, &rank, &error);
  return rank;
}

template <typename Count>
int64_t sumOf(const Count *counts, Handle communicator) {
  int64_t sum = 0;
  int size = 0, error = 0;
  pmpi_comm_size_(&communicator, &size, &error); // of its own group in an intercommunicator too
  for (int i = 0; i < size; ++i)
    sum += counts[i];
  return sum;
}

template int64_t sumOf(const int *, Handle);
template int64_t sumOf(const int64_t *, Handle);

int sources(Handle communicator) { return neighboursOf(communicator).sources; }

int destinations(Handle communicator) { return neighboursOf(communicator).destinations; }

bool mayLackNeighbours(Handle communicator) { return neighboursOf(communicator).isGrid; }

Role roleOf(int root, Handle communicator) {
  if (!isIntercommunicator(communicator))
    return {root == ownRank(communicator), true};
  bool isRoot = root == valueOf(Constant::root);
  return {isRoot, !isRoot && root != valueOf(Constant::procNull)};
}

} // namespace cufrt::mpi
