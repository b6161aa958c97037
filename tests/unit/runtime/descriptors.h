// Array descriptors for tests, made as flang makes them, and flang's CUDA entry points.
#ifndef TESTS_UNIT_RUNTIME_DESCRIPTORS_H
#define TESTS_UNIT_RUNTIME_DESCRIPTORS_H

#include "flang/ISO_Fortran_binding.h"

#include <cstdint>
#include <vector>

// A descriptor with room for any rank and the addendum.
class Array {
public:
  // An array that describes memory at `base`, contiguous.
  Array(void *base, CFI_type_t type, size_t elementBytes, std::vector<int64_t> extents);
  static Array ofFloats(void *base, std::vector<int64_t> extents);

  // An unallocated allocatable or pointer with an allocator position of flang's registry.
  static Array unallocated(CFI_attribute_t attribute, int allocator, std::vector<int64_t> extents);

  // A section: start (from 0), count and step for each dimension.
  struct Triplet {
    int64_t start, count, step;
  };
  Array section(const std::vector<Triplet> &triplets) const;

  CFI_cdesc_t *operator&() { return reinterpret_cast<CFI_cdesc_t *>(storage); }
  CFI_cdesc_t *operator->() { return &*this; }
  CFI_cdesc_t &operator*() { return *reinterpret_cast<CFI_cdesc_t *>(storage); }
  const CFI_cdesc_t *get() const { return reinterpret_cast<const CFI_cdesc_t *>(storage); }

private:
  alignas(16) char storage[24 + 15 * 24 + 32] = {};
};

// A blank CHARACTER variable for ERRMSG=.
class Message {
public:
  explicit Message(size_t length);
  const CFI_cdesc_t *descriptor() const { return array.get(); }
  std::vector<char> text;

private:
  Array array;
};

extern "C" {
void _FortranACUFRegisterAllocator();
void *_FortranACUFGetAssociatedStream(void *);
void *_FortranACUFMemAlloc(size_t, unsigned, const char *, int);
void _FortranACUFMemFree(void *, unsigned, const char *, int);
void _FortranACUFMemsetDescriptor(CFI_cdesc_t *, void *, const char *, int);
void _FortranACUFDataTransferPtrPtr(void *, void *, size_t, unsigned, const char *, int);
void _FortranACUFDataTransferPtrDesc(void *, CFI_cdesc_t *, size_t, unsigned, const char *, int);
void _FortranACUFDataTransferDescDesc(CFI_cdesc_t *, CFI_cdesc_t *, unsigned, const char *, int);
void _FortranACUFDataTransferCstDesc(CFI_cdesc_t *, CFI_cdesc_t *, unsigned, const char *, int);
void _FortranACUFDataTransferDescDescNoRealloc(CFI_cdesc_t *, CFI_cdesc_t *, unsigned, const char *,
                                               int);
void _FortranACUFDataTransferGlobalDescDesc(CFI_cdesc_t *, CFI_cdesc_t *, unsigned, const char *,
                                            int);
CFI_cdesc_t *_FortranACUFAllocDescriptor(size_t, const char *, int);
void _FortranACUFFreeDescriptor(CFI_cdesc_t *, const char *, int);
void *_FortranACUFGetDeviceAddress(void *, const char *, int);
void _FortranACUFDescriptorCheckSection(const CFI_cdesc_t *, const char *, int);
int _FortranACUFAllocatableAllocate(CFI_cdesc_t &, int64_t *, bool *, bool, const CFI_cdesc_t *,
                                    const char *, int, bool);
int _FortranACUFAllocatableAllocateSync(CFI_cdesc_t &, int64_t *, bool *, bool, const CFI_cdesc_t *,
                                        const char *, int, bool);
int _FortranACUFAllocatableAllocateSource(CFI_cdesc_t &, const CFI_cdesc_t &, int64_t *, bool *,
                                          bool, const CFI_cdesc_t *, const char *, int, bool);
int _FortranACUFPointerAllocate(CFI_cdesc_t &, int64_t *, bool *, bool, const CFI_cdesc_t *,
                                const char *, int, bool);
int _FortranACUFPointerAllocateSource(CFI_cdesc_t &, const CFI_cdesc_t &, int64_t *, bool *, bool,
                                      const CFI_cdesc_t *, const char *, int, bool);
void _FortranACUFCopyInAssign(CFI_cdesc_t &, const CFI_cdesc_t &, const char *, int);
void _FortranACUFCopyOutAssign(CFI_cdesc_t *, CFI_cdesc_t &, const char *, int);
int _FortranACUFAllocatableDeallocate(CFI_cdesc_t &, bool, const CFI_cdesc_t *, const char *, int);
}

#endif // TESTS_UNIT_RUNTIME_DESCRIPTORS_H
