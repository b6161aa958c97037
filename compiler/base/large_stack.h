// Room for recursion: flang's parser and the passes over its tree recurse over nested expressions
// and blocks.
#ifndef CUFC_BASE_LARGE_STACK_H
#define CUFC_BASE_LARGE_STACK_H

#include <functional>

namespace cufc {

// Runs `function` on a thread with a stack of 1 GB, or less where there is less address space, and
// returns its result.
int onLargeStack(const std::function<int()> &function);

} // namespace cufc
#endif // CUFC_BASE_LARGE_STACK_H
