// A stack of open blocks. Where an END closes one further down, those above it were forgotten;
// where a procedure begins in the statements of another, that one's END was.
#include "source/block_balance.h"
#include "source/blocks.h"
#include <string>

namespace cufc {
namespace {

struct Open {
  Block block;
  bool contains = false; // CONTAINS has been seen
};

class Balancer {
public:
  explicit Balancer(const std::vector<Statement> &statements) : statements(statements) {}

  BlockBalance run() {
    for (current = 0; current < statements.size(); ++current) {
      StatementRole role = roleOf(statements[current].text, topIs(Block::Interface));
      if (role.kind == StatementRole::Opens)
        open(role.block);
      else if (role.kind == StatementRole::Closes)
        close(role.block);
      else if (role.kind == StatementRole::Contains)
        contains();
      else if (role.kind == StatementRole::Branch)
        branch(role.block);
      else if (stack.empty())
        stack.push_back({Block::Program}); // one without PROGRAM
    }
    popTo(0);
    return std::move(result);
  }

private:
  bool topIs(Block block) const { return !stack.empty() && stack.back().block == block; }

  // Behind the statement before.
  void insert(const std::string &text) {
    if (current == 0) {
      const Statement::Place &first = statements.front().places.front();
      result.insertions.push_back({first.line, first.column, text + ";"});
      return;
    }
    const Statement::Place &last = statements[current - 1].places.back();
    std::string words = ";" + text;
    if (!result.insertions.empty() && result.insertions.back().line == last.line &&
        result.insertions.back().column == last.column + 1)
      result.insertions.back().text += words;
    else
      result.insertions.push_back({last.line, last.column + 1, words});
  }

  // Closes what is above.
  void popTo(size_t size) {
    while (stack.size() > size) {
      insert(endOf(stack.back().block));
      stack.pop_back();
    }
  }

  // How many blocks are open up to and with the innermost unit; 0 if there is none.
  size_t unit() const {
    size_t size = stack.size();
    while (size > 0 && !isUnit(stack[size - 1].block))
      --size;
    return size;
  }

  void open(Block block) {
    if (block == Block::Program || block == Block::Module || block == Block::Submodule ||
        block == Block::BlockData)
      popTo(0);
    else if (isProcedure(block))
      makeRoomForProcedure();
    else if (topIs(Block::Type))
      popTo(stack.size() - 1);
    else if (block != Block::Interface && block != Block::Type && block != Block::Enum &&
             topIs(Block::Interface))
      popTo(stack.size() - 1);
    else if (stack.empty())
      stack.push_back({Block::Program});
    stack.push_back({block});
  }

  void makeRoomForProcedure() {
    while (!stack.empty() && !topIs(Block::Interface)) {
      Open &top = stack.back();
      if (isUnit(top.block) && top.contains)
        return;
      if (top.block == Block::Module || top.block == Block::Submodule) {
        insert("contains");
        top.contains = true;
        return;
      }
      popTo(stack.size() - 1);
    }
  }

  void close(Block block) {
    size_t size = stack.size();
    if (block == Block::None) {
      size = unit();
    } else {
      // A construct does not reach out of its procedure; an interface's procedures are inside it.
      bool bounded = !isUnit(block) && block != Block::Interface;
      while (size > 0 && stack[size - 1].block != block &&
             !(bounded && isUnit(stack[size - 1].block)))
        --size;
      if (size > 0 && stack[size - 1].block != block)
        size = 0;
      if (size == 0 && isProcedure(block) && unit() > 0 && isProcedure(stack[unit() - 1].block)) {
        result.plainEnds.push_back(current);
        size = unit();
      }
    }
    if (size == 0) {
      result.strays.push_back(current);
      return;
    }
    popTo(size);
    stack.pop_back();
  }

  void contains() {
    if (topIs(Block::Type))
      return;
    size_t size = unit();
    // An interface body has none, so what is around the interface block is meant.
    while (size > 1 && stack[size - 2].block == Block::Interface) {
      popTo(size - 2);
      size = unit();
    }
    if (size == 0 || stack[size - 1].contains) {
      result.strays.push_back(current);
      return;
    }
    popTo(size);
    stack.back().contains = true;
  }

  void branch(Block block) {
    for (size_t size = stack.size(); size > 0 && !isUnit(stack[size - 1].block); --size)
      if (stack[size - 1].block == block)
        return popTo(size);
  }

  const std::vector<Statement> &statements;
  std::vector<Open> stack;
  BlockBalance result;
  size_t current = 0;
};

} // namespace

BlockBalance balanceBlocks(const std::vector<Statement> &statements) {
  return Balancer(statements).run();
}

} // namespace cufc
