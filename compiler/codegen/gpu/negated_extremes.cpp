// See negated_extremes.h. LLVM writes one instruction a line, such as
//   @%p1 min.s32 %r3, %r1, %r2;
// and the end of a procedure as a line of its own, with a brace at its start.
#include "codegen/gpu/negated_extremes.h"
#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

namespace cufc {
namespace {

// The name of an instruction and what is behind it.
struct Instruction {
  std::string_view name, operands;
};

Instruction readLine(std::string_view line) {
  auto skipBlanks = [&] {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  };
  auto takeWord = [&] {
    std::string_view word = line.substr(0, line.find_first_of(" \t"));
    line.remove_prefix(word.size());
    skipBlanks();
    return word;
  };
  skipBlanks();
  if (line.starts_with('@'))
    takeWord();
  std::string_view name = takeWord();
  return {name, line};
}

bool isNegation(std::string_view name) { return name == "neg.s32" || name == "neg.s16"; }

bool mayBecomeExtreme(std::string_view name) {
  for (std::string_view kind : {"min.", "max.", "selp.", "setp.", "mov."})
    if (name.starts_with(kind))
      return true;
  return false;
}

// The registers among operands, of which the first is the result.
std::vector<std::string_view> registersIn(std::string_view operands) {
  std::vector<std::string_view> registers;
  for (size_t at = operands.find('%'); at < operands.size(); at = operands.find('%', at)) {
    size_t end = std::min(operands.find_first_of(",;} ]|", at), operands.size());
    registers.push_back(operands.substr(at, end - at));
    at = end;
  }
  return registers;
}

// A procedure, or what is between two.
class Part {
public:
  void add(std::string_view line) { lines.push_back(line); }

  void writeTo(std::string &result) {
    std::set<std::string_view> used;
    for (std::string_view line : lines)
      if (Instruction instruction = readLine(line); mayBecomeExtreme(instruction.name)) {
        std::vector<std::string_view> registers = registersIn(instruction.operands);
        for (size_t i = 1; i < registers.size(); ++i)
          used.insert(registers[i]);
      }
    for (std::string_view line : lines)
      write(line, used, result);
    lines.clear();
  }

private:
  static void write(std::string_view line, const std::set<std::string_view> &used,
                    std::string &result) {
    Instruction instruction = readLine(line);
    std::vector<std::string_view> registers;
    if (isNegation(instruction.name))
      registers = registersIn(instruction.operands);
    if (registers.size() != 2 || !used.contains(registers.front())) {
      result += line;
      return;
    }
    const bool isShort = instruction.name == "neg.s16";
    const std::string to(registers.front()), from(registers.back());
    result += "\tnot.b" + std::string(isShort ? "16 \t" : "32 \t") + to + ", " + from + ";\n";
    result += "\tadd.s" + std::string(isShort ? "16 \t" : "32 \t") + to + ", " + to + ", 1;";
    result += line.substr(line.rfind(';') + 1);
  }

  std::vector<std::string_view> lines; // with their ends
};

} // namespace

std::string hideNegations(const std::string &ptx) {
  std::string result;
  result.reserve(ptx.size() + ptx.size() / 64);
  Part part;
  for (size_t begin = 0; begin < ptx.size();) {
    size_t end = std::min(ptx.find('\n', begin), ptx.size() - 1) + 1;
    std::string_view line = std::string_view(ptx).substr(begin, end - begin);
    part.add(line);
    if (line.starts_with('}'))
      part.writeTo(result);
    begin = end;
  }
  part.writeTo(result);
  return result;
}

} // namespace cufc
