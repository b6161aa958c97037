// The API of graphs. A graph and what is instantiated of it are lists of operations behind handles;
// instantiation copies the list, so that the graph may go. A graph is not changed after its
// capture, apart from being destroyed.
#include "host/capture.h"
#include "host/graph.h"
#include "host/handles.h"

#include <algorithm>

namespace cufrt::host {
namespace {

constexpr unsigned long long knownFlags = 15; // cudaGraphInstantiateFlag*

Handles<std::shared_ptr<const Graph>> &graphs() {
  static auto *instance = new Handles<std::shared_ptr<const Graph>>;
  return *instance;
}

Handles<std::shared_ptr<const Graph>> &executables() {
  static auto *instance = new Handles<std::shared_ptr<const Graph>>;
  return *instance;
}

Handles<NodeType> &nodes() {
  static auto *instance = new Handles<NodeType>;
  return *instance;
}

Error run(const Graph &graph) {
  for (const Node &node : graph.nodes)
    if (Error error = node.operation())
      return error;
  return success;
}

// Stores as many handles as there is room for, and null behind them; or only counts.
template <typename Wanted>
Error listNodes(void *handle, void **to, size_t *count, Wanted wanted) {
  std::shared_ptr<const Graph> graph;
  if (!count || !graphs().get(handle, graph))
    return errorInvalidValue;
  size_t room = to ? *count : 0, found = 0;
  for (const Node &node : graph->nodes) {
    if (!wanted(node))
      continue;
    if (found < room)
      to[found] = node.handle;
    ++found;
  }
  for (size_t i = found; i < room; ++i)
    to[i] = nullptr;
  *count = to ? std::min(room, found) : found;
  return success;
}

} // namespace

size_t Graph::add(NodeType type, Operation operation, std::vector<size_t> dependencies) {
  nodes.push_back(
      {type, std::move(operation), std::move(dependencies), host::nodes().create(type)});
  return nodes.size() - 1;
}

void *publishGraph(const std::shared_ptr<Graph> &graph) { return graphs().create(graph); }

Error cudaGraphCreate(void **graph, int flags) {
  if (!graph || flags != 0)
    return errorInvalidValue;
  *graph = publishGraph(std::make_shared<Graph>());
  return success;
}

Error cudaGraphClone(void **clone, void *graph) {
  std::shared_ptr<const Graph> original;
  if (!clone || !graphs().get(graph, original))
    return errorInvalidValue;
  auto copy = std::make_shared<Graph>();
  for (const Node &node : original->nodes)
    copy->add(node.type, node.operation, node.dependencies);
  *clone = publishGraph(copy);
  return success;
}

Error cudaGraphGetNodes(void *graph, void **to, size_t *count) {
  return listNodes(graph, to, count, [](const Node &) { return true; });
}

Error cudaGraphGetRootNodes(void *graph, void **to, size_t *count) {
  return listNodes(graph, to, count, [](const Node &node) { return node.dependencies.empty(); });
}

Error cudaGraphNodeGetType(void *node, int *type) {
  NodeType found;
  if (!type || !nodes().get(node, found))
    return errorInvalidValue;
  *type = static_cast<int>(found);
  return success;
}

Error cudaGraphDestroy(void *graph) {
  std::shared_ptr<const Graph> found;
  if (!graphs().get(graph, found) || !graphs().destroy(graph))
    return errorInvalidValue;
  for (const Node &node : found->nodes)
    nodes().destroy(node.handle);
  return success;
}

Error cudaGraphInstantiate(void **executable, void *graph, unsigned long long flags) {
  std::shared_ptr<const Graph> found;
  if (!executable || flags & ~knownFlags || !graphs().get(graph, found))
    return errorInvalidValue;
  *executable = executables().create(found);
  return success;
}

Error cudaGraphUpload(void *executable, void *stream) {
  if (!executables().contains(executable))
    return errorInvalidValue;
  return isStream(stream) ? success : errorInvalidResourceHandle;
}

Error cudaGraphLaunch(void *executable, void *stream) {
  std::shared_ptr<const Graph> graph;
  if (!executables().get(executable, graph))
    return errorInvalidValue;
  return submit(stream, NodeType::graph, [graph] { return run(*graph); });
}

Error cudaGraphExecDestroy(void *executable) {
  return executables().destroy(executable) ? success : errorInvalidValue;
}

} // namespace cufrt::host
