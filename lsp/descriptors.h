// How many files may be open at once.
#ifndef CUFLS_DESCRIPTORS_H
#define CUFLS_DESCRIPTORS_H

namespace cufc {

// A compiler, its workers and the pipes between them need some. With fewer, folders seem to be
// empty and tools to fail without a word.
constexpr int neededDescriptors = 16;

// Whether so many more can be opened; where they cannot, as many as the system allows are asked
// for.
bool hasDescriptors();

} // namespace cufc
#endif // CUFLS_DESCRIPTORS_H
