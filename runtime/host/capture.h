// Streams that capture, and the work that is put into streams.
//
// Work for a stream goes through `submit`: it runs at once, or becomes a node of the graph that the
// stream captures. As on a GPU, a stream joins a capture when it waits for an event recorded in it,
// and what cannot be captured spoils the capture, which cudaStreamEndCapture then reports. All
// functions may be called from any thread.
#ifndef CUFRT_HOST_CAPTURE_H
#define CUFRT_HOST_CAPTURE_H

#include "host/functions.h"
#include "host/graph.h"

#include <memory>
#include <tuple>
#include <type_traits>

namespace cufrt::host {

struct Capture;

// What an event recorded in a capturing stream stands for: the capture and the stream's last nodes.
struct CapturedPoint {
  std::shared_ptr<Capture> capture; // null if the event was recorded outside of captures
  std::vector<size_t> nodes;
};

enum class Route { run, record };

// Where work for a stream goes. An error if the handle is no stream, the capture is spoiled, or
// work in the default stream would have to wait for a capture.
Error routeOf(void *stream, Route &route);

// Makes a node of an operation; `routeOf` has said Route::record.
Error record(void *stream, NodeType type, Operation operation);

template <typename Body>
Error submit(void *stream, NodeType type, const Body &body) {
  Route route;
  if (Error error = routeOf(stream, route))
    return error;
  return route == Route::run ? body() : record(stream, type, body);
}

// For calls that cannot be captured: spoils the capture of this stream, if any, and says so.
Error refuseCapture(void *stream);

// The same for calls that wait for all streams.
Error refuseAllCaptures();

// cudaEventRecord: the point is that of the stream, or none if it does not capture.
Error pointOf(void *stream, CapturedPoint &point);

// cudaStreamWaitEvent: orders what follows in the stream after the point.
Error waitFor(void *stream, const CapturedPoint &point);

// A stream that is destroyed takes its capture along.
void forgetStream(void *stream);

// What an operation keeps of an argument: structures, which come by address, are copied.
template <typename Argument>
struct Kept {
  explicit Kept(Argument argument) : value(argument) {}
  Argument get() const { return value; }
  Argument value;
};

template <typename Structure>
  requires std::is_class_v<Structure>
struct Kept<const Structure *> {
  explicit Kept(const Structure *structure) : value(*structure) {}
  const Structure *get() const { return &value; }
  Structure value;
};

template <typename... Arguments>
void *lastOf(Arguments... arguments) {
  return std::get<sizeof...(Arguments) - 1>(std::tie(arguments...));
}

// A function of the API whose last parameter is a stream, as one that can be captured. A graph
// calls it with the stream of the capture, which it only has to be valid for.
template <auto function, NodeType type>
struct Capturable;

template <typename... Parameters, Error (*function)(Parameters...), NodeType type>
struct Capturable<function, type> {
  static Error call(Parameters... arguments) {
    void *stream = lastOf(arguments...);
    Route route;
    if (Error error = routeOf(stream, route))
      return error;
    if (route == Route::run)
      return function(arguments...);
    return record(stream, type,
                  [... kept = Kept<Parameters>(arguments)] { return function(kept.get()...); });
  }
};

// A function of the API that works in the default stream and waits for it.
template <auto function>
struct InDefaultStream;

template <typename... Parameters, Error (*function)(Parameters...)>
struct InDefaultStream<function> {
  static Error call(Parameters... arguments) {
    Route route;
    Error error = routeOf(nullptr, route);
    return error ? error : function(arguments...);
  }
};

// A function of the API whose last parameter is a stream and that cannot be captured.
template <auto function>
struct Uncapturable;

template <typename... Parameters, Error (*function)(Parameters...)>
struct Uncapturable<function> {
  static Error call(Parameters... arguments) {
    Error error = refuseCapture(lastOf(arguments...));
    return error ? error : function(arguments...);
  }
};

// Whether a stream was created without cudaStreamNonBlocking, so that the default stream waits for
// it.
bool isBlocking(void *stream);

} // namespace cufrt::host
#endif // CUFRT_HOST_CAPTURE_H
