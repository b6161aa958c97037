// The BLAS without handles: each host thread has a handle for each device. The generated layer
// makes of letters the library's enumerations.
#ifndef CUFRT_LIBRARIES_CUBLAS_OLDER_H
#define CUFRT_LIBRARIES_CUBLAS_OLDER_H

#include <algorithm>

namespace cufrt::libraries {

void *olderHandle();

constexpr int invalidValue = 7; // CUBLAS_STATUS_INVALID_VALUE

// What cublasGetError tells: the first status that is not success.
void keepStatus(int status);

// Letters in upper or lower case. What is none of them is -1, which the library would take for
// something or other.
int operationOf(char letter);
int fillOf(char letter);
int sideOf(char letter);
int diagonalOf(char letter);

} // namespace cufrt::libraries
#endif // CUFRT_LIBRARIES_CUBLAS_OLDER_H
