// See layout.h. A datatype is taken apart as MPI_Type_get_contents describes it. What has no simple
// rule, such as a distributed array, is found out by unpacking numbers: byte n of a packed element
// comes to lie where the n-th byte of the data belongs.
//
// The layout of a datatype that may be freed is an attribute of it, so the library itself says when
// to drop it.
#include "mpi/layout.h"
#include "cufrt/device.h"
#include "mpi/large_contents.h"
#include "mpi/layout_runs.h"
#include "mpi/pmpi.h" // generated

#include <algorithm>
#include <array>
#include <mutex>
#include <unordered_map>

namespace cufrt::mpi {
namespace {

using Address = int64_t; // INTEGER(KIND=MPI_ADDRESS_KIND)

struct Contents {
  int combiner = 0;
  std::vector<int64_t> integers; // counts, and displacements in elements
  std::vector<Address> addresses;
  std::vector<Handle> types;
};

class Decoder {
public:
  explicit Decoder(const char *call) : call(call) {}

  LayoutPointer layoutOf(Handle type);

private:
  void demand(int error, const char *what) const {
    if (error != noError)
      fatal(nullptr, 0, "%s: %s of the datatype of a device buffer fails", call, what);
  }
  Envelope envelopeOf(Handle type) const;
  Contents contentsOf(Handle type, const Envelope &envelope) const;
  bool decode(const Contents &contents, Layout &layout);
  void decodeLists(const Contents &contents, Layout &layout, const Layout &inner);
  void decodeSubarray(const Contents &contents, Layout &layout, const Layout &inner);
  void probe(Handle type, Layout &layout) const;
  void setBasic(const Contents &contents, Layout &layout);

  const char *call;
};

struct Predefined {
  std::mutex mutex;
  std::unordered_map<Handle, LayoutPointer> layouts;
};

Predefined &predefined() {
  static Predefined *instance = new Predefined; // freed by the end of the process
  return *instance;
}

// The attribute is a LayoutPointer on the heap. A copy of the datatype gets none, and makes its
// own.
void copyNothing(void *, void *, void *, void *, void *, int *flag, int *error) {
  *flag = 0;
  *error = noError;
}

void deleteLayout(void *, void *, Address *value, void *, int *error) {
  delete reinterpret_cast<LayoutPointer *>(*value);
  *error = noError;
}

int attributeKey() {
  static const int key = [] {
    int created = 0, error = 0;
    Address none = 0;
    pmpi_type_create_keyval_(reinterpret_cast<void *>(copyNothing),
                             reinterpret_cast<void *>(deleteLayout), &created, &none, &error);
    return created;
  }();
  return key;
}

bool isPredefined(int combiner) {
  for (Constant kind : {Constant::combinerNamed, Constant::combinerF90Real,
                        Constant::combinerF90Complex, Constant::combinerF90Integer})
    if (isKnown(kind) && combiner == valueOf(kind))
      return true;
  return false;
}

// An INTEGER holds the size of types of up to 2 GB; the other procedure came with MPI 3.0.
size_t sizeOf(Handle type) {
  int size = 0, error = 0;
  int64_t large = 0;
  if (pmpi_type_size_x_)
    pmpi_type_size_x_(&type, &large, &error);
  else
    pmpi_type_size_(&type, &size, &error);
  return static_cast<size_t>(std::max<int64_t>({large, size, 0}));
}

void setBounds(Layout &layout) {
  bool isFirst = true;
  for (const Run &run : layout.runs) {
    ptrdiff_t last = run.offset + run.stride * static_cast<ptrdiff_t>(run.count - 1);
    ptrdiff_t begin = std::min(run.offset, last);
    ptrdiff_t end = std::max(run.offset, last) + static_cast<ptrdiff_t>(run.bytes);
    layout.begin = isFirst ? begin : std::min(layout.begin, begin);
    layout.end = isFirst ? end : std::max(layout.end, end);
    isFirst = false;
  }
}

bool isOne(int combiner, std::initializer_list<Constant> kinds) {
  return std::any_of(kinds.begin(), kinds.end(),
                     [&](Constant kind) { return isKnown(kind) && combiner == valueOf(kind); });
}

// What was made with large counts tells them all in one list, with displacements in bytes behind
// the counts; in the other form the two lists are as for small counts.
void placeLargeCounts(Contents &contents, const std::vector<int64_t> &large) {
  if (large.empty())
    return;
  if (isOne(contents.combiner, {Constant::combinerSubarray})) {
    contents.integers.insert(contents.integers.begin() + 1, large.begin(), large.end());
    return;
  }
  size_t counts = large.size();
  if (isOne(contents.combiner, {Constant::combinerHvector, Constant::combinerHindexedBlock}))
    counts = 2;
  else if (isOne(contents.combiner, {Constant::combinerHindexed, Constant::combinerStruct}))
    counts = 1 + static_cast<size_t>(large[0]);
  auto bytes = large.begin() + static_cast<ptrdiff_t>(std::min(counts, large.size()));
  contents.integers.assign(large.begin(), bytes);
  contents.addresses.assign(bytes, large.end());
}

Contents Decoder::contentsOf(Handle type, const Envelope &envelope) const {
  Contents contents;
  contents.combiner = envelope.combiner;
  std::vector<int> integers(static_cast<size_t>(envelope.integers) + 1);
  std::vector<int64_t> large(static_cast<size_t>(envelope.largeCounts));
  contents.addresses.resize(static_cast<size_t>(envelope.addresses) + 1);
  contents.types.resize(static_cast<size_t>(envelope.types) + 1);
  int error = 0;
  if (envelope.largeCounts > 0) {
    error = contentsOfLarge(type, envelope, integers.data(), contents.addresses.data(),
                            large.data(), contents.types.data());
  } else {
    auto counts =
        std::array{static_cast<int>(envelope.integers), static_cast<int>(envelope.addresses),
                   static_cast<int>(envelope.types)};
    pmpi_type_get_contents_(&type, &counts[0], &counts[1], &counts[2], integers.data(),
                            contents.addresses.data(), contents.types.data(), &error);
  }
  demand(error, "MPI_Type_get_contents");
  integers.pop_back();
  contents.integers.assign(integers.begin(), integers.end());
  placeLargeCounts(contents, large);
  contents.integers.push_back(0); // is looked at by none
  contents.types.resize(static_cast<size_t>(envelope.types));
  return contents;
}

// Combiners with a list of blocks of one type: blocks of equal or different lengths, at
// displacements in elements or in bytes.
void Decoder::decodeLists(const Contents &contents, Layout &layout, const Layout &inner) {
  int combiner = contents.combiner;
  bool inBytes = combiner == valueOf(Constant::combinerHindexed) ||
                 combiner == valueOf(Constant::combinerHindexedBlock);
  bool equal = combiner == valueOf(Constant::combinerIndexedBlock) ||
               combiner == valueOf(Constant::combinerHindexedBlock);
  auto count = static_cast<size_t>(contents.integers[0]);
  for (size_t i = 0; i < count; ++i) {
    int64_t length = contents.integers[equal ? 1 : 1 + i];
    ptrdiff_t offset = inBytes ? contents.addresses[i]
                               : contents.integers[(equal ? 2 : 1 + count) + i] * inner.extent;
    append(layout.runs, inner, offset, static_cast<size_t>(length), inner.extent);
  }
}

Envelope Decoder::envelopeOf(Handle type) const {
  Envelope envelope;
  int error = 0;
  if (haveLargeContents()) {
    error = envelopeOfLarge(type, envelope);
  } else {
    int integers = 0, addresses = 0, types = 0;
    pmpi_type_get_envelope_(&type, &integers, &addresses, &types, &envelope.combiner, &error);
    envelope = {integers, addresses, 0, types, envelope.combiner};
  }
  demand(error, "MPI_Type_get_envelope");
  return envelope;
}

// Row by row, the dimension that runs fastest first.
void Decoder::decodeSubarray(const Contents &contents, Layout &layout, const Layout &inner) {
  auto dimensions = static_cast<size_t>(contents.integers[0]);
  const int64_t *sizes = &contents.integers[1], *parts = sizes + dimensions,
                *starts = parts + dimensions;
  bool isFortran = contents.integers[1 + 3 * dimensions] == valueOf(Constant::orderFortran);
  Layout block = inner;
  ptrdiff_t stride = inner.extent;
  for (size_t i = 0; i < dimensions; ++i) {
    size_t dimension = isFortran ? i : dimensions - 1 - i;
    Layout next;
    append(next.runs, block, starts[dimension] * stride, static_cast<size_t>(parts[dimension]),
           stride);
    block = std::move(next);
    stride *= sizes[dimension];
  }
  layout.runs = std::move(block.runs);
}

// False for a combiner that has no rule here.
bool Decoder::decode(const Contents &contents, Layout &layout) {
  int combiner = contents.combiner;
  bool isStruct = isOne(combiner, {Constant::combinerStruct});
  if (!isStruct && contents.types.size() != 1)
    return false;
  const auto &integers = contents.integers;
  if (isStruct) {
    for (size_t i = 0; i < static_cast<size_t>(integers[0]); ++i) {
      LayoutPointer inner = layoutOf(contents.types[i]);
      append(layout.runs, *inner, contents.addresses[i], static_cast<size_t>(integers[1 + i]),
             inner->extent);
    }
    return true;
  }
  LayoutPointer inner = layoutOf(contents.types[0]);
  if (isOne(combiner, {Constant::combinerDup, Constant::combinerResized})) {
    layout.runs = inner->runs;
  } else if (isOne(combiner, {Constant::combinerContiguous})) {
    append(layout.runs, *inner, 0, static_cast<size_t>(integers[0]), inner->extent);
  } else if (isOne(combiner, {Constant::combinerVector, Constant::combinerHvector})) {
    ptrdiff_t stride = isOne(combiner, {Constant::combinerVector}) ? integers[2] * inner->extent
                                                                   : contents.addresses[0];
    Layout block;
    append(block.runs, *inner, 0, static_cast<size_t>(integers[1]), inner->extent);
    append(layout.runs, block, 0, static_cast<size_t>(integers[0]), stride);
  } else if (isOne(combiner, {Constant::combinerIndexed, Constant::combinerHindexed,
                              Constant::combinerIndexedBlock, Constant::combinerHindexedBlock})) {
    decodeLists(contents, layout, *inner);
  } else if (isOne(combiner, {Constant::combinerSubarray})) {
    decodeSubarray(contents, layout, *inner);
  } else {
    return false;
  }
  return true;
}

void Decoder::probe(Handle type, Layout &layout) const {
  constexpr int bitsOfDigit = 7, mark = 0x80; // the mark tells a byte that was written
  Address begin = 0, bytes = 0;
  int error = 0, one = 1, size = static_cast<int>(layout.size);
  Handle self = valueOf(Constant::commSelf);
  pmpi_type_get_true_extent_(&type, &begin, &bytes, &error);
  demand(error, "MPI_Type_get_true_extent");
  std::vector<unsigned char> packed(layout.size), unpacked(static_cast<size_t>(bytes));
  std::vector<size_t> place(unpacked.size());
  std::vector<ptrdiff_t> offsets(layout.size, -1);
  for (int shift = 0; shift < 32 && layout.size >> shift; shift += bitsOfDigit) {
    for (size_t i = 0; i < packed.size(); ++i)
      packed[i] = static_cast<unsigned char>(mark | (i >> shift & (mark - 1)));
    std::fill(unpacked.begin(), unpacked.end(), 0);
    int position = 0;
    pmpi_unpack_(packed.data(), &size, &position, unpacked.data() - begin, &one, &type, &self,
                 &error);
    demand(error, "MPI_Unpack");
    for (size_t i = 0; i < unpacked.size(); ++i)
      place[i] |= static_cast<size_t>(unpacked[i] & (mark - 1)) << shift;
  }
  for (size_t i = 0; i < unpacked.size(); ++i)
    if (unpacked[i] & mark && place[i] < offsets.size())
      offsets[place[i]] = begin + static_cast<ptrdiff_t>(i);
  for (ptrdiff_t offset : offsets)
    append(layout.runs, {offset, 1, 0, 1});
}

// Of one basic datatype is what is made of such datatypes alone, all of the same.
void Decoder::setBasic(const Contents &contents, Layout &layout) {
  for (Handle type : contents.types) {
    LayoutPointer inner = layoutOf(type);
    if (inner->size == 0) // markers of bounds
      continue;
    bool isOther = layout.isOfOneKind() && inner->basic != layout.basic;
    layout.basic = inner->basic;
    layout.basicBytes = isOther ? 0 : inner->basicBytes;
    if (!layout.isOfOneKind())
      return;
  }
}

LayoutPointer Decoder::layoutOf(Handle type) {
  int error = 0, isSet = 0;
  Address begin = 0, extent = 0, kept = 0;
  {
    std::lock_guard lock(predefined().mutex);
    auto found = predefined().layouts.find(type);
    if (found != predefined().layouts.end())
      return found->second;
  }
  int key = attributeKey();
  pmpi_type_get_attr_(&type, &key, &kept, &isSet, &error);
  demand(error, "MPI_Type_get_attr");
  if (isSet)
    return *reinterpret_cast<LayoutPointer *>(kept);
  Envelope envelope = envelopeOf(type);
  pmpi_type_get_extent_(&type, &begin, &extent, &error);
  auto layout = std::make_shared<Layout>();
  layout->size = sizeOf(type);
  layout->extent = extent;
  bool isNamed = isPredefined(envelope.combiner);
  if (isNamed) {
    // The pair types of C have gaps, which nobody uses.
    pmpi_type_get_true_extent_(&type, &begin, &extent, &error);
    append(layout->runs, {begin, static_cast<size_t>(extent), 0, 1});
    layout->basic = type;
    layout->basicBytes = layout->size == static_cast<size_t>(extent) ? layout->size : 0;
  } else {
    Contents contents = contentsOf(type, envelope);
    if (!decode(contents, *layout)) {
      layout->runs.clear();
      probe(type, *layout);
    }
    setBasic(contents, *layout);
    for (Handle inner : contents.types)
      if (!isPredefined(envelopeOf(inner).combiner))
        pmpi_type_free_(&inner, &error); // MPI_Type_get_contents has made a reference to it
  }
  setBounds(*layout);
  if (isNamed) {
    std::lock_guard lock(predefined().mutex);
    return predefined().layouts[type] = layout;
  }
  kept = reinterpret_cast<Address>(new LayoutPointer(layout));
  pmpi_type_set_attr_(&type, &key, &kept, &error);
  demand(error, "MPI_Type_set_attr");
  return layout;
}

} // namespace

LayoutPointer layoutOf(Handle datatype, const char *call) {
  return Decoder(call).layoutOf(datatype);
}

LayoutPointer layoutOfBytes() {
  static const LayoutPointer layout = [] {
    Layout bytes;
    bytes.size = 1;
    bytes.extent = 1;
    bytes.end = 1;
    bytes.runs = {{0, 1, 0, 1}};
    return std::make_shared<const Layout>(bytes);
  }();
  return layout;
}

} // namespace cufrt::mpi
