// The main thread's stack cannot grow far, whatever its limit says, since the address space below
// it is taken when the process starts; so the work gets a thread with a large stack, of which only
// what is used costs memory.
#include "base/large_stack.h"
#include <malloc.h>
#include <pthread.h>

namespace cufc {
namespace {

struct Work {
  const std::function<int()> &function;
  int status;
};

void *perform(void *data) {
  auto *work = static_cast<Work *>(data);
  work->status = work->function();
  return nullptr;
}

// A thread would get a heap of its own, which glibc lets grow page by page, with a system call for
// each. There is only one thread that works, and flang takes hundreds of megabytes in small pieces.
void useOneHeap() {
#ifdef __GLIBC__
  constexpr int step = 32 << 20;
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_TOP_PAD, step);
  mallopt(M_TRIM_THRESHOLD, 4 * step);
#endif
}

} // namespace

int onLargeStack(const std::function<int()> &function) {
  useOneHeap();
  Work work{function, 1};
  for (size_t bytes = size_t(1) << 30; bytes >= size_t(1) << 26; bytes /= 2) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, bytes);
    pthread_t thread;
    bool started = pthread_create(&thread, &attributes, perform, &work) == 0;
    pthread_attr_destroy(&attributes);
    if (!started)
      continue; // less address space than that
    pthread_join(thread, nullptr);
    return work.status;
  }
  return function();
}

} // namespace cufc
