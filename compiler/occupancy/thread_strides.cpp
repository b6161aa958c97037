// How addresses depend on threadIdx%x. Each register of PTX gets the factor by which it grows from
// one thread to the next: that of %tid.x is 1, those of parameters and of all other special
// registers are 0, sums and products with constants follow. What is loaded, or compared and
// selected, is the same in all threads if all it depends on is. Registers with several assignments
// (loops) keep a factor if all assignments agree; the iteration ends since a factor only falls to
// "unknown".
#include "occupancy/code_view.h"
#include "occupancy/ptx_instruction.h"
#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <optional>
#include <unordered_map>

namespace cufc {
namespace {

struct Factor {
  bool known = true;
  long long value = 0;
  bool operator==(const Factor &) const = default;
};

constexpr Factor unknown{false, 0};

class Strides {
public:
  Strides(const std::vector<CodeLine> &lines, std::vector<std::string_view> seeds)
      : seeds(std::move(seeds)), instructions(instructionsOf(lines)) {
    for (const Instruction &each : instructions)
      if (!each.operands.empty())
        if (auto [place, isNew] = writers.emplace(each.operands[0], &each); !isNew)
          place->second = nullptr; // several
  }

  std::map<size_t, long long> run() {
    constexpr int mostRounds = 20;
    bool changed = true;
    for (int round = 0; changed; ++round) {
      changed = false;
      for (const Instruction &each : instructions)
        changed |= assign(each, round >= mostRounds);
    }
    std::map<size_t, long long> result;
    for (const Instruction &each : instructions)
      for (const std::string &operand : each.operands)
        if (operand.size() > 2 && operand.front() == '[') {
          std::string base = operand.substr(1, operand.find_first_of("+]") - 1);
          if (Factor factor = of(base); factor.known && isSeen(base))
            result[each.line] = factor.value;
        }
    return result;
  }

private:
  bool isSeen(const std::string &name) const { return name[0] != '%' || factors.contains(name); }

  Factor of(const std::string &operand) const {
    if (operand.empty() || operand[0] != '%')
      return {}; // constants and names of variables
    if (std::find(seeds.begin(), seeds.end(), operand) != seeds.end())
      return {true, 1};
    auto found = factors.find(operand);
    return found == factors.end() ? Factor{} : found->second;
  }

  Factor product(const std::string &a, const std::string &b) const {
    Factor left = of(a), right = of(b);
    if (left.known && right.known && left.value == 0 && right.value == 0)
      return {};
    constexpr long long most = 1LL << 40; // no real stride is as large, and products stay in range
    if (std::optional<long long> times = wholeNumber(b);
        times && left.known && std::abs(*times) < most / (std::abs(left.value) + 1))
      return {true, left.value * *times};
    if (std::optional<long long> times = wholeNumber(a);
        times && right.known && std::abs(*times) < most / (std::abs(right.value) + 1))
      return {true, right.value * *times};
    return unknown;
  }

  static Factor sum(Factor a, Factor b, int sign = 1) {
    return a.known && b.known ? Factor{true, a.value + sign * b.value} : unknown;
  }

  const Instruction *writerOf(const std::string &name) const {
    auto found = writers.find(name);
    return found == writers.end() ? nullptr : found->second;
  }

  // How many low bits of a register are certainly zero.
  int lowZeros(const std::string &operand, int depth = 0) const {
    constexpr int deepest = 8, all = 64;
    if (std::optional<long long> value = wholeNumber(operand))
      return *value == 0 ? all : std::countr_zero(static_cast<unsigned long long>(*value));
    const Instruction *from = depth < deepest ? writerOf(operand) : nullptr;
    if (!from || from->operands.size() < 2)
      return 0;
    const std::vector<std::string> &o = from->operands;
    std::string_view name = from->operation;
    if (name.starts_with("mov.b") || name.starts_with("mov.u"))
      return lowZeros(o[1], depth + 1);
    if (o.size() != 3)
      return 0;
    int left = lowZeros(o[1], depth + 1);
    if (name.starts_with("shl."))
      return left + static_cast<int>(wholeNumber(o[2]).value_or(0));
    int right = lowZeros(o[2], depth + 1);
    if (name.starts_with("add.s") || name.starts_with("or."))
      return std::min(left, right);
    return name.starts_with("mul.lo") ? std::min(all, left + right) : 0;
  }

  // LLVM writes a + b as `or` where no bit is set in both: threadIdx%x has ten bits.
  bool isDisjoint(const std::string &thread, const std::string &other) const {
    constexpr int bitsOfThread = 10;
    const Instruction *from = writerOf(thread);
    return from && from->operands.size() == 2 && from->operands[1] == "%tid.x" &&
           lowZeros(other) >= bitsOfThread;
  }

  Factor result(const Instruction &each) const {
    const std::string &name = each.operation;
    const std::vector<std::string> &o = each.operands;
    auto is = [&](std::string_view prefix) { return name.starts_with(prefix); };
    bool wholeNumbers = name.find(".f") == std::string::npos;
    if (o.size() == 2 && (is("mov.") || is("cvta") || (is("cvt.") && wholeNumbers)))
      return of(o[1]);
    if (o.size() == 3 && is("add.") && wholeNumbers)
      return sum(of(o[1]), of(o[2]));
    if (o.size() == 3 && is("sub.") && wholeNumbers)
      return sum(of(o[1]), of(o[2]), -1);
    if (o.size() == 3 && is("mul.") && wholeNumbers)
      return product(o[1], o[2]);
    if (o.size() == 4 && is("mad.") && wholeNumbers)
      return sum(product(o[1], o[2]), of(o[3]));
    if (o.size() == 3 && is("or.") && (isDisjoint(o[1], o[2]) || isDisjoint(o[2], o[1])))
      return sum(of(o[1]), of(o[2]));
    if (o.size() == 3 && is("shl."))
      if (std::optional<long long> bits = wholeNumber(o[2]); bits && *bits >= 0 && *bits < 32)
        return product(o[1], std::to_string(1LL << *bits));
    bool same = !is("atom");
    for (size_t i = 1; i < o.size(); ++i) {
      std::string operand = o[i];
      if (!operand.empty() && operand[0] == '[')
        operand = operand.substr(1, operand.find_first_of("+]") - 1);
      same &= of(operand) == Factor{};
    }
    return same ? Factor{} : unknown;
  }

  bool assign(const Instruction &each, bool giveUp) {
    if (each.operands.empty() || each.operands[0].empty())
      return false;
    bool stores = each.operation.starts_with("st.") || each.operation.starts_with("bra") ||
                  each.operation.starts_with("red");
    if (stores)
      return false;
    Factor value = giveUp ? unknown : result(each);
    bool changed = false;
    std::string name;
    for (char c : each.operands[0] + ",") { // "{%r1,%r2}" of vectors, "%p1|%p2"
      if (std::isalnum(static_cast<unsigned char>(c)) || c == '%' || c == '_' || c == '.')
        name += c;
      else if (!name.empty()) {
        changed |= join(name, value);
        name.clear();
      }
    }
    return changed;
  }

  // A register is written once in straight code; several writes must agree.
  bool join(const std::string &name, Factor value) {
    if (name[0] != '%')
      return false;
    auto [place, isNew] = factors.try_emplace(name, value);
    if (isNew)
      return true;
    Factor &old = place->second;
    if (!old.known || old == value)
      return false;
    old = unknown;
    return true;
  }

  const std::vector<std::string_view> seeds;
  const std::vector<Instruction> instructions;
  std::unordered_map<std::string, const Instruction *> writers; // where there is one alone
  std::unordered_map<std::string, Factor> factors;
};

} // namespace

std::map<size_t, long long> threadStrides(const std::vector<CodeLine> &lines) {
  return Strides(lines, {"%tid.x", "%laneid"}).run();
}

std::set<size_t> sharedByAll(const std::vector<CodeLine> &lines) {
  std::map<size_t, long long> strides =
      Strides(lines, {"%tid.x", "%tid.y", "%tid.z", "%laneid", "%ctaid.x", "%ctaid.y", "%ctaid.z"})
          .run();
  std::set<size_t> result;
  for (const auto &[line, stride] : strides)
    if (stride == 0)
      result.insert(line);
  return result;
}

} // namespace cufc
