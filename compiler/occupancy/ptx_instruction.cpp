// A loop with a constant number of rounds has one register that a constant is added to in each
// round, that was a constant before, and that a constant is compared with behind the addition: so
// LLVM leaves the counters of DO loops with constant bounds. Other forms are not known.
#include "occupancy/ptx_instruction.h"
#include <charconv>
#include <map>

namespace cufc {
namespace {

std::vector<std::string> operandsOf(std::string_view text) {
  std::vector<std::string> result;
  std::string one;
  int depth = 0;
  for (char c : text) {
    depth += c == '{' || c == '(' ? 1 : c == '}' || c == ')' ? -1 : 0;
    if ((c == ',' && depth == 0) || c == ';') {
      result.push_back(one);
      one.clear();
      if (c == ';')
        break;
    } else if (!std::isspace(static_cast<unsigned char>(c))) {
      one += c;
    }
  }
  return result;
}

std::optional<Instruction> instructionOf(const std::string &line, size_t number) {
  size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string::npos || line[begin] == '.' || line[begin] == '$' ||
      line[begin] == '/' || line[begin] == '{' || line[begin] == '}')
    return std::nullopt;
  std::string predicate;
  if (line[begin] == '@') {
    size_t end = std::min(line.find_first_of(" \t", begin), line.size());
    predicate = line.substr(begin + 1, end - begin - 1);
    begin = line.find_first_not_of(" \t", end);
    if (begin == std::string::npos)
      return std::nullopt;
  }
  size_t end = line.find_first_of(" \t;", begin);
  if (end == std::string::npos)
    return std::nullopt;
  return Instruction{number, predicate, line.substr(begin, end - begin),
                     operandsOf(std::string_view(line).substr(end))};
}

bool startsWith(const Instruction &instruction, std::string_view word) {
  return std::string_view(instruction.operation).starts_with(word);
}

class Rounds {
public:
  explicit Rounds(const std::vector<CodeLine> &lines)
      : lines(lines), instructions(instructionsOf(lines)) {
    for (size_t i = 0; i < lines.size(); ++i)
      if (size_t at = lines[i].text.find_first_not_of(" \t");
          at != std::string::npos && lines[i].text[at] == '$')
        labels[lines[i].text.substr(at, lines[i].text.find(':') - at)] = i;
  }

  std::optional<std::vector<double>> run() {
    std::vector<double> times(lines.size(), 1);
    for (const Instruction &each : instructions) {
      if (startsWith(each, "call") || startsWith(each, "brx"))
        return std::nullopt;
      if (!startsWith(each, "bra") || each.operands.empty())
        continue;
      auto target = labels.find(each.operands[0]);
      if (target == labels.end() || target->second > each.line)
        continue;
      std::optional<double> rounds = roundsOf(target->second, each);
      if (!rounds)
        return std::nullopt;
      for (size_t i = target->second; i <= each.line; ++i)
        times[i] *= *rounds;
    }
    return times;
  }

private:
  static constexpr double most = 1e12;

  // Of the loop from `first` to the branch back.
  std::optional<double> roundsOf(size_t first, const Instruction &back) const {
    if (back.predicate.empty() || back.predicate[0] == '!' || canBeLeft(first, back))
      return std::nullopt;
    const Instruction *compare = onlyWrite(back.predicate, first, back.line);
    if (!compare || !startsWith(*compare, "setp.") || compare->operands.size() != 3)
      return std::nullopt;
    const std::string &counter = compare->operands[1];
    std::optional<long long> limit = wholeNumber(compare->operands[2]);
    const Instruction *step = onlyWrite(counter, first, back.line);
    const Instruction *start = onlyWrite(counter, 0, first);
    if (!limit || !step || !start || !startsWith(*step, "add.s") || step->operands[1] != counter ||
        step->line > compare->line || !startsWith(*start, "mov.b"))
      return std::nullopt;
    std::optional<long long> by = wholeNumber(step->operands[2]),
                             from = wholeNumber(start->operands[1]);
    if (!by || !from || *by == 0)
      return std::nullopt;
    std::string condition = compare->operation.substr(5, 2);
    bool isUnsigned = compare->operation.find(".u") != std::string::npos;
    if (isUnsigned && (*from < 0 || *limit < 0))
      return std::nullopt;
    return rounds(condition, double(*from), double(*by), double(*limit));
  }

  // The first round behind which `condition` does not hold.
  static std::optional<double> rounds(const std::string &condition, double from, double by,
                                      double limit) {
    double distance = (limit - from) / by; // additions until it is the limit
    bool up = by > 0;
    if (distance > most)
      return std::nullopt;
    double whole = double(static_cast<long long>(distance)), result = 0;
    if (condition == "ne" && distance == whole)
      result = distance;
    else if ((condition == "lt" && up) || (condition == "gt" && !up))
      result = distance > whole ? whole + 1 : whole;
    else if ((condition == "le" && up) || (condition == "ge" && !up))
      result = whole + 1;
    else
      return std::nullopt;
    return distance <= 0 && condition == "ne" ? std::nullopt
                                              : std::optional(result < 1 ? 1 : result);
  }

  bool canBeLeft(size_t first, const Instruction &back) const {
    for (const Instruction &each : instructions) {
      if (each.line < first || each.line >= back.line)
        continue;
      if (startsWith(each, "ret") || startsWith(each, "exit"))
        return true;
      if (!startsWith(each, "bra") || each.operands.empty())
        continue;
      auto target = labels.find(each.operands[0]);
      if (target == labels.end() || target->second < first || target->second > back.line)
        return true;
    }
    return false;
  }

  // The one instruction from `first` to `last` that writes a register; null if there are more.
  const Instruction *onlyWrite(const std::string &name, size_t first, size_t last) const {
    const Instruction *found = nullptr;
    for (const Instruction &each : instructions) {
      if (each.line < first || each.line > last || each.operands.size() < 2 ||
          each.operands[0] != name)
        continue;
      if (found)
        return nullptr;
      found = &each;
    }
    return found;
  }

  const std::vector<CodeLine> &lines;
  const std::vector<Instruction> instructions;
  std::map<std::string, size_t> labels;
};

} // namespace

std::vector<Instruction> instructionsOf(const std::vector<CodeLine> &lines) {
  std::vector<Instruction> result;
  for (size_t i = 0; i < lines.size(); ++i)
    if (std::optional<Instruction> found = instructionOf(lines[i].text, i))
      result.push_back(std::move(*found));
  return result;
}

std::optional<long long> wholeNumber(const std::string &text) {
  long long value = 0;
  const char *end = text.data() + text.size();
  auto [rest, failure] = std::from_chars(text.data(), end, value);
  return failure == std::errc() && rest == end ? std::optional(value) : std::nullopt;
}

std::optional<std::vector<double>> timesPassed(const std::vector<CodeLine> &lines) {
  return Rounds(lines).run();
}

} // namespace cufc
