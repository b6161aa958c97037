// The stream of what names none (cudaforSetDefaultStream): that of the array that an address
// belongs to, else that of this host thread, else the default stream, which is null.
//
// Assignments go through a Queue, which is made of one of these streams. In the default stream it
// calls the routines that wait; in any other the asynchronous ones, and `wait` waits.
#ifndef CUFRT_CORE_DEFAULT_STREAM_H
#define CUFRT_CORE_DEFAULT_STREAM_H

#include "cufrt/device.h"

namespace cufrt {

void *threadStream();
void setThreadStream(void *stream);

// `address` may lie inside the array.
void *streamOf(const void *address);
void setStreamOf(const void *array, size_t bytes, void *stream);

// Memory that is freed loses its stream.
void forgetStreamOf(const void *array);

// A stream is gone: nothing has it as its default stream any more, of the threads this one.
void forgetStream(void *stream);

class Queue {
public:
  explicit Queue(void *stream) : stream(stream) {}

  // The stream of an assignment: the left side's, else the right side's, else the thread's.
  static Queue of(const void *to, const void *from);

  // `kind` is a CopyKind or what a program took for one.
  Error copy(void *to, const void *from, size_t bytes, int kind = copyDefault) const;
  Error copyRows(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                 size_t height, int kind = copyDefault) const;
  Error copyBlock(const BlockCopy &block) const;
  Error fill(void *pointer, int byte, size_t bytes) const;
  Error fillRows(void *pointer, size_t pitch, int byte, size_t width, size_t height) const;
  Error wait() const;

  // `error`, or what waiting gives if that is success.
  Error finish(Error error) const { return error == success ? wait() : error; }

private:
  void *stream;
};

} // namespace cufrt
#endif // CUFRT_CORE_DEFAULT_STREAM_H
