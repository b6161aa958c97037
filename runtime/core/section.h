// An array section: where its elements are. The transfers work on sections, so that they do not
// depend on descriptors, ranks or bounds.
//
// A walk is what two conforming sections look like to a copy: the fewest nested loops over blocks
// of bytes that are contiguous on both sides.
#ifndef CUFRT_CORE_SECTION_H
#define CUFRT_CORE_SECTION_H

#include "flang/ISO_Fortran_binding.h"

#include <cstddef>
#include <cstdint>

namespace cufrt {

struct Section {
  char *base; // of the first element in array element order
  size_t elementBytes;
  int rank;
  int64_t extent[CFI_MAX_RANK];
  int64_t stride[CFI_MAX_RANK]; // bytes, any sign

  size_t elements() const;
  size_t bytes() const { return elements() * elementBytes; }
};

Section sectionOf(const CFI_cdesc_t &descriptor);

// A contiguous section at `base` with the shape of `like`.
Section denseSection(void *base, const Section &like);

bool isContiguous(const Section &section);

// Whether the bytes from the first to the last element of the two have a byte in common.
bool overlap(const Section &a, const Section &b);

struct Walk {
  struct Loop {
    int64_t extent; // at least 2
    int64_t toStride;
    int64_t fromStride;
  };
  char *to;
  const char *from;
  size_t blockBytes; // 0 if there is nothing to copy
  int loops;
  Loop loop[CFI_MAX_RANK];
};

// The sections have the same shape and element size.
Walk makeWalk(const Section &to, const Section &from);

// The walk over one section, as both sides.
Walk makeWalk(const Section &section);

// The section on one side of a walk; each block is one element.
Section toSide(const Walk &walk);
Section fromSide(const Walk &walk);

} // namespace cufrt
#endif // CUFRT_CORE_SECTION_H
