// Graphs of the host device: operations in the order in which they were captured, which is an order
// in which they may run.
#ifndef CUFRT_HOST_GRAPH_H
#define CUFRT_HOST_GRAPH_H

#include "cufrt/device.h"

#include <functional>
#include <memory>
#include <vector>

namespace cufrt::host {

// The values of cudaGraphNodeType.
enum class NodeType { kernel = 0, copy = 1, fill = 2, hostFunction = 3, graph = 4 };

// What a node does; called once for each launch of the graph.
using Operation = std::function<Error()>;

struct Node {
  NodeType type;
  Operation operation;
  std::vector<size_t> dependencies; // earlier nodes, by index
  void *handle;
};

struct Graph {
  std::vector<Node> nodes;

  // Returns the new node's index.
  size_t add(NodeType type, Operation operation, std::vector<size_t> dependencies);
};

// The handle of a graph that a capture has made.
void *publishGraph(const std::shared_ptr<Graph> &graph);

} // namespace cufrt::host
#endif // CUFRT_HOST_GRAPH_H
