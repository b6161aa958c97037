// Variables as the protocol shows them: trees whose nodes are found by number until the program
// goes on. What a node holds is asked of gdb when the client opens it, arrays a page at a time.
#ifndef CUFLS_DEBUG_VARIABLES_H
#define CUFLS_DEBUG_VARIABLES_H

#include "debug/device_arrays.h"
#include "debug/thread_focus.h"
#include <map>
#include <nlohmann/json.hpp>

namespace cufc::debug {

using Json = nlohmann::json;

class Variables {
public:
  Variables(MiConnection &gdb, KernelModel &kernels, ThreadFocus &focus)
      : gdb(gdb), kernels(kernels), focus(focus) {}

  // The program goes on; numbers lose their meaning.
  void forget() {
    nodes.clear();
    shapes.clear();
  }

  // Scopes of the protocol for a call of a procedure.
  Json scopes(const FrameContext &context, const std::string &function);

  // What is in a node: `start` and `count` choose among indexed ones if `count` is not 0.
  Json children(int64_t node, int64_t start, int64_t count);

  // The value of an expression in `result`, with what can be opened.
  std::optional<Json> evaluate(const FrameContext &context, const std::string &expression,
                               std::string &problem);

  // Assigns to the variable that a node shows by this name; the new value, or nothing.
  std::optional<Json> assign(int64_t node, const std::string &name, const std::string &value,
                             std::string &problem);
  std::optional<Json> assign(const FrameContext &context, const std::string &expression,
                             const std::string &value, std::string &problem);

  // The expression for the variable that a node shows by this name, and where it holds.
  std::string expressionIn(int64_t node, const std::string &name, FrameContext &context) const;

private:
  enum class Kind { Locals, Launch, Block, Group, Module, Value };

  struct Node {
    Kind kind;
    FrameContext context;
    std::string expression; // of a value; a module's name
    TypeText type;          // of a value
    // Of a part of an array: the subscripts of its last dimensions.
    std::vector<int64_t> subscripts;
    int group = 0; // of threads that are at one place
  };

  int64_t add(Node node);
  std::string ask(const Node &node, const std::string &expression, std::string *problem = nullptr);
  std::string askAsIs(const Node &node, const std::string &expression, std::string *problem);
  // Of an array in GPU code that cuda-gdb knows without bounds.
  std::optional<ArrayShape> shapeOf(const Node &node, const std::string &name);
  ShapeOf shapesIn(const Node &node);
  // If the expression is such an array, or a section of its first dimensions.
  std::optional<std::string> askSection(const Node &node, const std::string &expression);
  std::string elementsOf(const Node &node, const std::string &name, const ArrayShape &whole,
                         const ArrayShape &section, const std::vector<std::string> &rest);
  std::string typeOf(const Node &node, const std::string &expression);
  // A variable of the protocol. `value` is gdb's text if it is known already.
  Json shown(const Node &owner, const std::string &name, const std::string &expression,
             std::optional<std::string> value, const std::string &type);
  std::string summary(const Node &array);
  void describeArray(Json &variable, const Node &array);

  Json locals(const Node &node);
  Json launch(const Node &node);
  Json groups(const Node &node);
  Json threads(const Node &node, int64_t start, int64_t count);
  Json moduleData(const Node &node);
  Json components(const Node &node);
  Json elements(const Node &node, int64_t start, int64_t count);

  std::string expressionOf(const Node &node, const std::string &name) const;

  MiConnection &gdb;
  KernelModel &kernels;
  ThreadFocus &focus;
  std::vector<Node> nodes; // a node's number is its place plus one
  std::map<std::pair<FrameContext, std::string>, std::optional<ArrayShape>> shapes; // by name
};

// Threads of a block that are in one state at one place.
struct ThreadGroup {
  std::string state; // "waiting at a barrier"
  SourceLine place;
  std::vector<int> threads; // numbers from 0
};

std::vector<ThreadGroup> groupsOf(const Block &block, KernelModel &kernels,
                                  const SourceLine &running);

// "1-4, 7" of numbers from 0 on, counted from 1.
std::string shownRanges(const std::vector<int> &numbers);

} // namespace cufc::debug
#endif // CUFLS_DEBUG_VARIABLES_H
