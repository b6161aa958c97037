// The BLAS without handles: each host thread has a handle for each device. The generated layer
// makes of letters the library's enumerations.
#ifndef CUFRT_LIBRARIES_CUBLAS_OLDER_H
#define CUFRT_LIBRARIES_CUBLAS_OLDER_H

namespace cufrt::libraries {

void *olderHandle();

// What cublasGetError tells: the first status that is not success.
void keepStatus(int status);

// Letters in upper or lower case. What is none of them gets a value that the library refuses.
int operationOf(char letter);
int fillOf(char letter);
int sideOf(char letter);
int diagonalOf(char letter);

} // namespace cufrt::libraries
#endif // CUFRT_LIBRARIES_CUBLAS_OLDER_H
