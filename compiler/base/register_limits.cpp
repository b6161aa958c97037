// See register_limits.h.
#include "base/register_limits.h"
#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

namespace cufc {
namespace {

constexpr int unit = 8;                           // registers are handed out so many at a time
constexpr int fewest = 32;                        // with which as many threads run as there may be
constexpr int most = 128, fewMore = 6;            // measured: with 7 too much order was lost
constexpr int ofMultiprocessor = 65536 / 32;      // registers for threads of a warp each
constexpr double worthIt = 1.12;                  // times as many threads
constexpr int others = 24;                        // than those of values that are loaded
constexpr std::ptrdiff_t mostStatements = 20'000; // ptxas takes seconds for more, each time
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

// Of a multiprocessor of the GPU that PTX is for.
int mostWarps(std::string_view ptx) {
  constexpr std::string_view target = ".target sm_";
  constexpr int ofWarp = 32, usual = 2048;
  int number = 0, threads = usual;
  if (size_t at = ptx.find(target); at != ptx.npos)
    std::from_chars(ptx.data() + at + target.size(), ptx.data() + ptx.size(), number);
#define CUF_GPU_LIMITS(gpu, ofGpu, ...)                                                            \
  if (number == gpu)                                                                               \
    threads = ofGpu;
#include "tables/gpus.def"
  return threads / ofWarp;
}

// Registers that a statement loads from global memory.
int loadedBy(std::string_view line) {
  constexpr std::string_view load = "\tld.global";
  constexpr int ofRegister = 32;
  const size_t begin = line.find(load), end = line.find_first_of(" \t", begin + load.size());
  if (begin == line.npos || end == line.npos)
    return 0;
  const std::string_view name = line.substr(begin, end - begin);
  int bits = 0;
  const size_t type = name.find_last_not_of("0123456789") + 1;
  std::from_chars(name.data() + type, name.data() + name.size(), bits);
  const int values = name.find(".v4") != name.npos ? 4 : name.find(".v2") != name.npos ? 2 : 1;
  return values * std::max(1, bits / ofRegister);
}

// What a thread runs: whether each statement at most once, and what all of them load.
struct Code {
  bool isStraight = true;
  int loaded = 0; // registers
};

Code codeOf(std::string_view ptx, const Heading &heading) {
  constexpr std::string_view branch = "bra", call = "call", end = "\n}";
  Code code;
  std::set<std::string_view> labels;
  std::string_view body = ptx.substr(heading.brace, ptx.find(end, heading.brace) - heading.brace);
  for (size_t at = 0; at < body.size();) {
    size_t lineEnd = std::min(body.find('\n', at), body.size());
    std::string_view line = body.substr(at, lineEnd - at);
    at = lineEnd + 1;
    if (!line.empty() && line.front() == '$') {
      labels.insert(line.substr(0, line.find(':')));
      continue;
    }
    code.loaded += loadedBy(line);
    if (line.find(branch) != line.npos && line.find('$') != line.npos)
      code.isStraight &=
          !labels.contains(line.substr(line.find('$'), line.rfind(';') - line.find('$')));
    code.isStraight &= line.find(call) == line.npos;
  }
  return code;
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

namespace {

// The next number with which more threads run, if it is a few less.
int fewLess(int registers) {
  const int more = registers % unit;
  return registers > most + fewMore || more == 0 || more > fewMore ? registers : registers - more;
}

// The next number with which many more threads run.
int manyLess(int registers, int mostWarps) {
  auto warpsWith = [&](int each) {
    return std::min(mostWarps, ofMultiprocessor / ((each + unit - 1) / unit * unit));
  };
  const int before = fewLess(registers);
  for (int fewer = (before - 1) / unit * unit; fewer >= fewest; fewer -= unit)
    if (warpsWith(fewer) >= worthIt * warpsWith(before))
      return fewer;
  return registers;
}

// Whether all that is loaded may be on its way at once: fewer loads at a time cost more than other
// threads gain.
bool hasRoom(const Code &code, int registers) {
  return code.isStraight && code.loaded + others <= registers;
}

} // namespace

RegisterLimits limitsToTry(const std::vector<RegisterUse> &use, std::string_view ptx, Step step) {
  RegisterLimits limits;
  const int warps = mostWarps(ptx);
  for (const RegisterUse &each : use) {
    const int fewer = step == Step::Few ? fewLess(each.registers) : manyLess(each.registers, warps);
    // Arrays in local memory are worth more than other threads: loads of them move with the limit.
    if (each.stackBytes || each.registers < fewest || fewer == each.registers)
      continue;
    Heading heading = headingOf(ptx, each.kernel);
    if (heading.brace == ptx.npos || (step == Step::Many && !hasRoom(codeOf(ptx, heading), fewer)))
      continue;
    std::string_view text = ptx.substr(heading.begin, heading.brace - heading.begin);
    if (text.find("\n.maxn") == text.npos && text.find("\n.minn") == text.npos)
      limits.emplace(each.kernel, fewer);
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

bool isShort(std::string_view module) {
  return std::count(module.begin(), module.end(), ';') <= mostStatements;
}

RegisterLimits limitsToGive(const std::vector<RegisterUse> &use, std::string_view ptx,
                            const TryLimits &tryThem) {
  RegisterLimits kept;
  for (Step step : {Step::Many, Step::Few}) {
    RegisterLimits tried = limitsToTry(use, ptx, step);
    for (const auto &[kernel, registers] : kept)
      tried.erase(kernel);
    if (!tried.empty())
      kept.merge(freeLimits(tried, use, tryThem(tried)));
  }
  return kept;
}

} // namespace cufc
