// See register_limits.h.
#include "base/register_limits.h"
#include <algorithm>
#include <cctype>
#include <charconv>

namespace cufc {
namespace {

constexpr int unit = 8;                // registers are handed out so many at a time
constexpr int fewest = 32;             // with which as many threads run as there may be
constexpr int most = 128, fewMore = 6; // measured: with 7 too much order was lost
constexpr std::string_view entryWord = ".entry ";

// From the name of a kernel to the brace before its code; both are npos if it is not there.
struct Heading {
  size_t begin, brace;
};

Heading headingOf(std::string_view ptx, std::string_view kernel) {
  for (size_t at = ptx.find(entryWord); at != ptx.npos; at = ptx.find(entryWord, at + 1)) {
    size_t name = at + entryWord.size(), end = name + kernel.size();
    if (ptx.substr(name, kernel.size()) == kernel && end < ptx.size() && ptx[end] == '(')
      return {name, ptx.find("\n{", end)};
  }
  return {ptx.npos, ptx.npos};
}

const RegisterUse *find(const std::vector<RegisterUse> &all, const std::string &kernel) {
  auto found =
      std::find_if(all.begin(), all.end(), [&](auto &use) { return use.kernel == kernel; });
  return found == all.end() ? nullptr : &*found;
}

} // namespace

std::int64_t numberBefore(std::string_view line, std::string_view words) {
  size_t at = line.find(words);
  if (at == line.npos)
    return 0;
  size_t end = line.find_last_not_of(' ', at == 0 ? 0 : at - 1) + 1;
  size_t begin = end;
  while (begin > 0 && std::isdigit(static_cast<unsigned char>(line[begin - 1])))
    --begin;
  std::int64_t value = 0;
  std::from_chars(line.data() + begin, line.data() + end, value);
  return value;
}

std::vector<RegisterUse> registerUse(std::string_view report) {
  constexpr std::string_view heading = "Compiling entry function '";
  std::vector<RegisterUse> all;
  for (size_t at = 0; at < report.size();) {
    size_t end = std::min(report.find('\n', at), report.size());
    std::string_view line = report.substr(at, end - at);
    at = end + 1;
    if (size_t begin = line.find(heading); begin != line.npos) {
      std::string_view name = line.substr(begin + heading.size());
      all.emplace_back().kernel = name.substr(0, name.find('\''));
    } else if (!all.empty() && line.find(" bytes stack frame") != line.npos) {
      if (!all.back().registers) // else of a function behind it
        all.back().stackBytes = numberBefore(line, "bytes stack frame");
    } else if (!all.empty() && !all.back().registers) {
      all.back().registers = static_cast<int>(numberBefore(line, "registers"));
    }
  }
  return all;
}

RegisterLimits limitsToTry(const std::vector<RegisterUse> &use, std::string_view ptx) {
  RegisterLimits limits;
  for (const RegisterUse &each : use) {
    const int more = each.registers % unit;
    // Arrays in local memory are worth more than other threads: loads of them move with the limit.
    if (each.stackBytes || each.registers < fewest || each.registers > most + fewMore ||
        more == 0 || more > fewMore)
      continue;
    Heading heading = headingOf(ptx, each.kernel);
    if (heading.brace == ptx.npos)
      continue;
    std::string_view text = ptx.substr(heading.begin, heading.brace - heading.begin);
    if (text.find("\n.maxn") == text.npos && text.find("\n.minn") == text.npos)
      limits.emplace(each.kernel, each.registers - more);
  }
  return limits;
}

std::string withLimits(std::string ptx, const RegisterLimits &limits) {
  for (const auto &[kernel, registers] : limits)
    if (size_t brace = headingOf(ptx, kernel).brace; brace != ptx.npos)
      ptx.insert(brace, "\n.maxnreg " + std::to_string(registers));
  return ptx;
}

RegisterLimits freeLimits(const RegisterLimits &limits, const std::vector<RegisterUse> &without,
                          const std::vector<RegisterUse> &with) {
  RegisterLimits kept;
  for (const auto &[kernel, registers] : limits) {
    const RegisterUse *before = find(without, kernel), *after = find(with, kernel);
    if (before && after && after->registers <= registers && after->stackBytes <= before->stackBytes)
      kept.emplace(kernel, registers);
  }
  return kept;
}

} // namespace cufc
