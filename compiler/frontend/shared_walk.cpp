// See shared_walk.h. A visitor that does not want what is inside of a node is quiet until the walk
// leaves that node. One that has no function of its own for a kind of node, which the base class's
// function tells, is not called for that kind again.
#include "frontend/shared_walk.h"
#include <algorithm>
#include <array>

namespace cufc {

using namespace Fortran;

namespace {

struct Member {
  StatementVisitor *visitor;
  size_t number;
  int quietSince = 0; // the depth of the node that it does not look into; 0: it listens
};

using Members = std::vector<Member *>;

template <typename Node>
inline constexpr bool isExpression =
    std::is_same_v<Node, parser::Expr> || std::is_same_v<Node, parser::Variable>;

} // namespace

class SharedVisitor : public StatementVisitor {
public:
  explicit SharedVisitor(SharedWalk &walk) : walk(walk) {
    skipsExpressions = true;
    for (StatementVisitor *visitor : walk.visitors) {
      skipsExpressions &= visitor->skipsExpressions;
      members.push_back({visitor, members.size()});
    }
    Members all;
    for (Member &member : members)
      all.push_back(&member);
    before.fill(all);
    behind.fill(all);
  }

#define CUFC_TREE_NODE(NODE)                                                                       \
  bool Pre(const parser::NODE &node) override { return enter(node, __LINE__); }                    \
  void Post(const parser::NODE &node) override { leave(node, __LINE__); }
#include "frontend/tree_nodes.def"
#undef CUFC_TREE_NODE

  bool enterStatement(const StatementHead &head) override {
    ++depth;
    bool changed = false;
    stopped = true;
    for (Member &member : members) {
      stopped &= member.visitor->stopped;
      if (!isQuiet(member) && !begin(member).enterStatement(head))
        changed = silence(member);
    }
    return isWanted(changed);
  }
  void leaveStatement() override { ascend(); }
  void leaveTyped(parser::TypedExpr &typed) override {
    for (Member &member : members)
      if (!isQuiet(member))
        begin(member).leaveTyped(typed);
  }

private:
  template <typename Node>
  bool enter(const Node &node, int row) {
    ++depth;
    expressions += isExpression<Node>;
    bool changed = isExpression<Node> && expressions == 1;
    Members &interested = before[static_cast<size_t>(row)];
    for (size_t i = 0; i < interested.size(); ++i) {
      Member &member = *interested[i];
      if (isQuiet(member))
        continue;
      bool inside = begin(member).Pre(node);
      if (member.visitor->hasNoneFor(&node, row))
        interested.erase(interested.begin() + static_cast<long>(i--));
      else if (!inside)
        changed = silence(member);
    }
    if (isWanted(changed))
      return true;
    expressions -= isExpression<Node>;
    return false;
  }

  template <typename Node>
  void leave(const Node &node, int row) {
    Members &interested = behind[static_cast<size_t>(row)];
    for (size_t i = 0; i < interested.size(); ++i) {
      Member &member = *interested[i];
      if (isQuiet(member))
        continue;
      begin(member).Post(node);
      if (member.visitor->hasNoneFor(&node, -row))
        interested.erase(interested.begin() + static_cast<long>(i--));
    }
    expressions -= isExpression<Node>;
    ascend();
  }

  bool isQuiet(const Member &member) const {
    return member.quietSince != 0 || member.visitor->stopped ||
           (expressions != 0 && member.visitor->skipsExpressions);
  }
  StatementVisitor &begin(const Member &member) {
    walk.number = member.number;
    return *member.visitor;
  }
  bool silence(Member &member) {
    member.quietSince = depth;
    quiet.push_back(&member);
    return true;
  }
  // Whether anybody wants what is inside of a node; otherwise the walk does not say that it leaves
  // it.
  bool isWanted(bool changed) {
    auto listens = [&](const Member &member) { return !isQuiet(member); };
    if (!changed || std::any_of(members.begin(), members.end(), listens))
      return true;
    ascend();
    return false;
  }
  void ascend() {
    for (; !quiet.empty() && quiet.back()->quietSince == depth; quiet.pop_back())
      quiet.back()->quietSince = 0;
    --depth;
  }

  SharedWalk &walk;
  std::vector<Member> members;
  Members quiet; // by the depth since when
  static constexpr size_t mostRows = 256;
  std::array<Members, mostRows> before, behind; // by lines of tree_nodes.def: who wants the node
  int depth = 0, expressions = 0;               // that are open
};

void SharedWalk::walk(const parser::Program &program) {
  SharedVisitor visitor(*this);
  walking = true;
  walkTree(program, visitor);
  walking = false;
}

} // namespace cufc
