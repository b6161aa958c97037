// What the report of CUF_REPORT=1 counts: kernels, transfers and calls of libraries, each as a row
// that adds up. All functions may be called from any thread.
//
// A thread knows the work that it runs, since what a stream of the host device captures has to know
// what it stands for when the graph runs it later.
#ifndef CUFRT_REPORT_WORK_H
#define CUFRT_REPORT_WORK_H

#include "cufrt/device.h"

#include <cstdint>
#include <functional>

namespace cufrt::report {

enum class Direction { hostToDevice, deviceToHost, deviceToDevice, hostToHost, fill };

// Who asked for a transfer.
enum class Origin { call, assignment, mpi, library, prefetch, other };

struct Work {
  enum class Kind { kernel, transfer, library };
  Kind kind;
  const void *key; // a kernel's stub, a library function's name; both live as long as the program
  const char *module; // of a library function
  Direction direction;
  Origin origin;
  uint64_t bytes;
};

Work kernelWork(const void *stub);
Work transferWork(Direction direction, uint64_t bytes);
Work libraryWork(const char *module, const char *function);

// Nanoseconds of a clock that only goes on.
int64_t clockReading();

// While one lives, transfers of this thread are this origin's. The outermost one counts. Without a
// report it does nothing.
class OriginScope {
public:
  explicit OriginScope(Origin origin);
  ~OriginScope();
  OriginScope(const OriginScope &) = delete;
  OriginScope &operator=(const OriginScope &) = delete;

private:
  bool isOutermost;
};

// While one lives, the work runs in this thread.
class Running {
public:
  explicit Running(const Work &work);
  ~Running();
  Running(const Running &) = delete;
  Running &operator=(const Running &) = delete;
  // Whether it became a part of a graph, so that nothing has run.
  bool wasCaptured() const { return captured; }

private:
  friend std::function<Error()> measuredOperation(std::function<Error()> operation);
  friend Work transferWork(Direction direction, uint64_t bytes);

  const Work work;
  Running *const around;
  bool captured = false;
};

// The operation of a node of a graph on the host device, as one that is measured as what runs in
// this thread now.
std::function<Error()> measuredOperation(std::function<Error()> operation);

} // namespace cufrt::report
#endif // CUFRT_REPORT_WORK_H
