// What happens when the system gives no more memory.
#ifndef CUFLS_OUT_OF_MEMORY_H
#define CUFLS_OUT_OF_MEMORY_H

namespace cufc {

// From now on it is said in one line, and the process ends with status 1.
void sayWhenOutOfMemory();

} // namespace cufc
#endif // CUFLS_OUT_OF_MEMORY_H
