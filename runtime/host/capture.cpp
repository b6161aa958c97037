// See capture.h. One table, guarded by a mutex, says which stream takes part in which capture. A
// counter of captures keeps the mutex off the way of programs that capture nothing.
#include "host/capture.h"
#include "core/settings.h"
#include "report/work.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <unordered_map>

namespace cufrt::host {

struct Capture {
  std::shared_ptr<Graph> graph;
  void *origin; // the stream that began it
  bool isRelaxed;
  std::thread::id thread;
  bool isSpoiled = false;
  std::unordered_map<void *, std::vector<size_t>> lastNodes; // of each stream that takes part
};

namespace {

constexpr int modeGlobal = 0, modeRelaxed = 2;                     // cudaStreamCaptureMode
constexpr int statusNone = 0, statusActive = 1, statusSpoiled = 2; // cudaStreamCaptureStatus

struct Captures {
  std::mutex mutex;
  std::unordered_map<void *, std::shared_ptr<Capture>> ofStream;
  std::atomic<int> count{0};
};

Captures &captures() {
  static Captures *instance = new Captures;
  return *instance;
}

bool nobodyCaptures() { return captures().count.load(std::memory_order_relaxed) == 0; }

// The default stream and cudaStreamLegacy.
bool isLegacy(void *stream) { return reinterpret_cast<size_t>(stream) <= 1; }

// The following need the mutex.

std::shared_ptr<Capture> find(void *stream) {
  auto found = captures().ofStream.find(stream);
  return found == captures().ofStream.end() ? nullptr : found->second;
}

void end(Capture &capture) {
  for (const auto &[stream, nodes] : capture.lastNodes)
    captures().ofStream.erase(stream);
  --captures().count;
}

// What is put into the default stream waits for all blocking streams, which a capture cannot grant.
bool spoilImplicitly() {
  bool spoiled = false;
  for (auto &[stream, capture] : captures().ofStream)
    if (isBlocking(stream))
      spoiled = capture->isSpoiled = true;
  return spoiled;
}

// Whether every node leads to the stream that began the capture.
bool isJoined(const Capture &capture) {
  const std::vector<Node> &nodes = capture.graph->nodes;
  std::vector<bool> reached(nodes.size());
  for (size_t last : capture.lastNodes.at(capture.origin))
    reached[last] = true;
  for (size_t i = nodes.size(); i-- > 0;)
    if (reached[i])
      for (size_t dependency : nodes[i].dependencies)
        reached[dependency] = true;
  return std::all_of(reached.begin(), reached.end(), [](bool value) { return value; });
}

Error verdict(void *stream, const Capture &capture) {
  if (capture.origin != stream)
    return errorStreamCaptureUnmatched;
  if (!capture.isRelaxed && capture.thread != std::this_thread::get_id())
    return errorStreamCaptureWrongThread;
  if (capture.isSpoiled)
    return errorStreamCaptureInvalidated;
  return isJoined(capture) ? success : errorStreamCaptureUnjoined;
}

} // namespace

Error routeOf(void *stream, Route &route) {
  route = Route::run;
  if (!isStream(stream))
    return errorInvalidResourceHandle;
  if (nobodyCaptures())
    return success;
  std::lock_guard lock(captures().mutex);
  if (isLegacy(stream))
    return spoilImplicitly() ? errorStreamCaptureImplicit : success;
  std::shared_ptr<Capture> capture = find(stream);
  if (!capture)
    return success;
  route = Route::record;
  return capture->isSpoiled ? errorStreamCaptureInvalidated : success;
}

Error record(void *stream, NodeType type, Operation operation) {
  std::lock_guard lock(captures().mutex);
  std::shared_ptr<Capture> capture = find(stream);
  if (!capture)
    return errorIllegalState; // another thread has ended it meanwhile
  std::vector<size_t> &last = capture->lastNodes[stream];
  if (settings().report)
    operation = report::measuredOperation(std::move(operation));
  last = {capture->graph->add(type, std::move(operation), last)};
  return success;
}

Error refuseCapture(void *stream) {
  if (nobodyCaptures())
    return success;
  std::lock_guard lock(captures().mutex);
  if (isLegacy(stream))
    return spoilImplicitly() ? errorStreamCaptureImplicit : success;
  std::shared_ptr<Capture> capture = find(stream);
  if (!capture)
    return success;
  capture->isSpoiled = true;
  return errorStreamCaptureUnsupported;
}

Error refuseAllCaptures() {
  if (nobodyCaptures())
    return success;
  std::lock_guard lock(captures().mutex);
  for (auto &[stream, capture] : captures().ofStream)
    capture->isSpoiled = true;
  return captures().ofStream.empty() ? success : errorStreamCaptureUnsupported;
}

Error pointOf(void *stream, CapturedPoint &point) {
  Route route;
  if (Error error = routeOf(stream, route))
    return error;
  point = {};
  if (route == Route::run)
    return success;
  std::lock_guard lock(captures().mutex);
  point.capture = find(stream);
  if (point.capture)
    point.nodes = point.capture->lastNodes[stream];
  return success;
}

Error waitFor(void *stream, const CapturedPoint &point) {
  Route route;
  if (Error error = routeOf(stream, route))
    return error;
  if (route == Route::run && !point.capture)
    return success;
  std::lock_guard lock(captures().mutex);
  std::shared_ptr<Capture> capture = find(stream);
  if (!point.capture) { // what the event stands for is not part of the graph
    if (capture)
      capture->isSpoiled = true;
    return errorStreamCaptureIsolation;
  }
  if (find(point.capture->origin) != point.capture)
    return errorCapturedEvent; // the capture has ended
  if (capture && capture != point.capture) {
    capture->isSpoiled = point.capture->isSpoiled = true;
    return errorStreamCaptureMerge;
  }
  captures().ofStream[stream] = point.capture;
  std::vector<size_t> &last = point.capture->lastNodes[stream];
  for (size_t node : point.nodes)
    if (std::find(last.begin(), last.end(), node) == last.end())
      last.push_back(node);
  return success;
}

void forgetStream(void *stream) {
  if (nobodyCaptures())
    return;
  std::lock_guard lock(captures().mutex);
  std::shared_ptr<Capture> capture = find(stream);
  if (capture && capture->origin == stream)
    end(*capture);
  else if (capture)
    capture->isSpoiled = true;
}

Error cudaStreamBeginCapture(void *stream, int mode) {
  if (!isStream(stream))
    return errorInvalidResourceHandle;
  if (mode < modeGlobal || mode > modeRelaxed)
    return errorInvalidValue;
  if (isLegacy(stream))
    return errorStreamCaptureUnsupported;
  std::lock_guard lock(captures().mutex);
  if (find(stream))
    return errorIllegalState;
  auto capture = std::make_shared<Capture>();
  capture->graph = std::make_shared<Graph>();
  capture->origin = stream;
  capture->isRelaxed = mode == modeRelaxed;
  capture->thread = std::this_thread::get_id();
  capture->lastNodes[stream];
  captures().ofStream[stream] = capture;
  ++captures().count;
  return success;
}

Error cudaStreamEndCapture(void *stream, void **graph) {
  if (!graph)
    return errorInvalidValue;
  *graph = nullptr;
  if (!isStream(stream))
    return errorInvalidResourceHandle;
  std::lock_guard lock(captures().mutex);
  std::shared_ptr<Capture> capture = find(stream);
  if (!capture)
    return errorIllegalState;
  Error error = verdict(stream, *capture);
  if (error == errorStreamCaptureUnmatched || error == errorStreamCaptureWrongThread)
    return error;
  end(*capture);
  if (error == success)
    *graph = publishGraph(capture->graph);
  return error;
}

Error cudaStreamIsCapturing(void *stream, int *status) {
  if (!status)
    return errorInvalidValue;
  *status = statusNone;
  if (!isStream(stream))
    return errorInvalidResourceHandle;
  std::lock_guard lock(captures().mutex);
  std::shared_ptr<Capture> capture = find(stream);
  if (capture)
    *status = capture->isSpoiled ? statusSpoiled : statusActive;
  return success;
}

Error cudaThreadExchangeStreamCaptureMode(int *mode) {
  thread_local int current = modeGlobal;
  if (!mode || *mode < modeGlobal || *mode > modeRelaxed)
    return errorInvalidValue;
  std::swap(current, *mode);
  return success;
}

} // namespace cufrt::host
