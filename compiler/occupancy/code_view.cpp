// PTX says with .loc where code comes from, nvdisasm with comments "//## File F, line N". The
// verdict on a memory instruction is about the 32 threads of a warp that are neighbours along x,
// and the sectors of 32 bytes in which memory is read and written.
#include "occupancy/code_view.h"
#include "base/process.h"
#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace cufc {
namespace {

constexpr int warp = 32, sector = 32;

template <typename Take>
void forLines(std::string_view text, Take take) {
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    take(text.substr(at, end - at));
    at = end + 1;
  }
}

std::string_view trimmed(std::string_view line) {
  size_t begin = line.find_first_not_of(" \t");
  return begin == line.npos ? std::string_view() : line.substr(begin);
}

// The number behind blanks at the front, which is taken away.
int takeNumber(std::string_view &text) {
  text = trimmed(text);
  int value = 0;
  auto [rest, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  text.remove_prefix(static_cast<size_t>(rest - text.data()));
  return failure == std::errc() ? value : 0;
}

std::string_view nameOfFile(std::string_view path) {
  return path.substr(path.rfind('/') == path.npos ? 0 : path.rfind('/') + 1);
}

std::string_view quoted(std::string_view line) {
  size_t begin = line.find('"'), end = line.rfind('"');
  return begin == line.npos || end == begin ? std::string_view()
                                            : line.substr(begin + 1, end - begin - 1);
}

std::string_view firstWord(std::string_view text) {
  return text.substr(0, text.find_first_of(" \t;"));
}

// Without a predicate "@%p1" or "@!P0".
std::string_view operationOf(std::string_view line) {
  line = trimmed(line);
  if (line.starts_with("@"))
    line = trimmed(line.substr(std::min(line.find_first_of(" \t"), line.size())));
  return firstWord(line);
}

struct Kind {
  std::string_view prefix, name;
};

std::string kindOf(std::string_view operation, const std::vector<Kind> &kinds) {
  for (const Kind &kind : kinds)
    if (operation.starts_with(kind.prefix))
      return std::string(kind.name);
  return {};
}

std::string ptxKind(std::string_view operation) {
  static const std::vector<Kind> kinds = {{"ld.global", "global memory"},
                                          {"st.global", "global memory"},
                                          {"ld.shared", "shared memory"},
                                          {"st.shared", "shared memory"},
                                          {"ld.local", "local memory"},
                                          {"st.local", "local memory"},
                                          {"ld.param", "constants"},
                                          {"st.param", "calls"},
                                          {"ld.const", "constants"},
                                          {"ld.", "generic memory"},
                                          {"st.", "generic memory"},
                                          {"atom", "atomics"},
                                          {"red.", "atomics"},
                                          {"redux", "warp"},
                                          {"bar", "barriers"},
                                          {"shfl", "warp"},
                                          {"vote", "warp"},
                                          {"match", "warp"},
                                          {"activemask", "warp"},
                                          {"cvt", "conversions"},
                                          {"bra", "branches"},
                                          {"ret", "branches"},
                                          {"call", "calls"},
                                          {"setp", "comparisons"},
                                          {"selp", "comparisons"},
                                          {"mov", "moves"},
                                          {"cvta", "moves"}};
  if (std::string kind = kindOf(operation, kinds); !kind.empty())
    return kind;
  bool ofSingle = operation.find(".f32") != operation.npos;
  bool ofDouble = operation.find(".f64") != operation.npos;
  return ofDouble ? "double precision" : ofSingle ? "single precision" : "integers";
}

// Longer names come before those that they begin with. Code is filled up with NOPs.
std::string sassKind(std::string_view operation) {
  static const std::vector<Kind> kinds = {{"LDG", "global memory"},
                                          {"STG", "global memory"},
                                          {"LDS", "shared memory"},
                                          {"STS", "shared memory"},
                                          {"LDL", "local memory"},
                                          {"STL", "local memory"},
                                          {"LDC", "constants"},
                                          {"ULDC", "constants"},
                                          {"LD", "generic memory"},
                                          {"ST", "generic memory"},
                                          {"ATOM", "atomics"},
                                          {"REDUX", "warp"},
                                          {"RED", "atomics"},
                                          {"BAR", "barriers"},
                                          {"DEPBAR", "barriers"},
                                          {"MEMBAR", "barriers"},
                                          {"FENCE", "barriers"},
                                          {"SHFL", "warp"},
                                          {"VOTE", "warp"},
                                          {"MATCH", "warp"},
                                          {"WARPSYNC", "warp"},
                                          {"BRA", "branches"},
                                          {"BRX", "branches"},
                                          {"BREAK", "branches"},
                                          {"EXIT", "branches"},
                                          {"BSSY", "branches"},
                                          {"BSYNC", "branches"},
                                          {"RET", "branches"},
                                          {"CALL", "calls"},
                                          {"ISETP", "comparisons"},
                                          {"FSETP", "comparisons"},
                                          {"DSETP", "comparisons"},
                                          {"SEL", "comparisons"},
                                          {"FSEL", "comparisons"},
                                          {"MOV", "moves"},
                                          {"UMOV", "moves"},
                                          {"S2R", "moves"},
                                          {"CS2R", "moves"},
                                          {"S2UR", "moves"},
                                          {"R2UR", "moves"},
                                          {"F2", "conversions"},
                                          {"I2", "conversions"},
                                          {"FLO", "integers"},
                                          {"HMMA", "tensor"},
                                          {"IMMA", "tensor"},
                                          {"DMMA", "tensor"},
                                          {"H", "half precision"},
                                          {"NOP", "padding"},
                                          {"MUFU", "special functions"}};
  if (std::string kind = kindOf(operation, kinds); !kind.empty())
    return kind;
  return operation.starts_with("D")   ? "double precision"
         : operation.starts_with("F") ? "single precision"
                                      : "integers";
}

// "ld.global.nc.v2.b32": 8.
int bytesOf(std::string_view operation) {
  int count = operation.find(".v2.") != operation.npos   ? 2
              : operation.find(".v4.") != operation.npos ? 4
                                                         : 1;
  size_t at = operation.rfind('.');
  if (at == operation.npos || at + 2 > operation.size())
    return 0;
  std::string_view bits = operation.substr(at + 2);
  return takeNumber(bits) / 8 * count;
}

std::string verdictOn(long long stride, int bytes) {
  long long distance = std::abs(stride);
  if (distance == 0)
    return "the same address in all threads of a warp";
  if (distance == bytes)
    return fmt::format("coalesced: {} bytes of a warp lie together", warp * bytes);
  long long sectors =
      std::min<long long>(static_cast<long long>(warp) * std::max(1, bytes / sector),
                          (distance * (warp - 1) + bytes + sector - 1) / sector);
  return fmt::format("strided: {} bytes from thread to thread, {} sectors where {} would do",
                     distance, sectors, std::max(1, warp * bytes / sector));
}

void addMemory(CodeView &view) {
  std::map<size_t, long long> strides = threadStrides(view.lines);
  for (size_t i = 0; i < view.lines.size(); ++i) {
    std::string_view operation = operationOf(view.lines[i].text);
    bool global = operation.starts_with("ld.global") || operation.starts_with("st.global");
    if (!global && !operation.starts_with("ld.shared") && !operation.starts_with("st.shared") &&
        !operation.starts_with("ld.local") && !operation.starts_with("st.local") &&
        !operation.starts_with("atom") && !operation.starts_with("red."))
      continue;
    size_t second = operation.find('.', operation.find('.') + 1);
    int bytes = bytesOf(operation);
    auto stride = strides.find(i);
    view.memory.push_back({i, view.lines[i].source, std::string(operation.substr(0, second)), bytes,
                           !global                   ? std::string()
                           : stride == strides.end() ? "depends on values that only a run knows"
                                                     : verdictOn(stride->second, bytes)});
  }
}

void count(CodeView &view, std::string (*kind)(std::string_view), std::string_view operation) {
  ++view.mix[kind(operation)];
}

} // namespace

CodeView viewPtx(const std::string &kernel, std::string_view ptx, std::string_view sourcePath) {
  CodeView view;
  view.kernel = kernel;
  int ofSource = 0, line = 0;
  forLines(ptx, [&](std::string_view text) { // files are named at the end
    std::string_view content = trimmed(text);
    if (content.starts_with(".file") && nameOfFile(quoted(content)) == nameOfFile(sourcePath)) {
      content.remove_prefix(5);
      ofSource = takeNumber(content);
    }
  });
  bool body = false;
  forLines(ptx, [&](std::string_view text) {
    std::string_view content = trimmed(text);
    if (content.starts_with(".loc") && content.size() > 4 && content[4] != 'a') {
      content.remove_prefix(4);
      int file = takeNumber(content), number = takeNumber(content);
      line = file == ofSource ? number : 0;
      return;
    }
    if (content.empty() || content.starts_with(".file") || content.starts_with("//") ||
        content.starts_with("$L__tmp") || content.starts_with("$L__func_"))
      return;
    body = content.starts_with("{") || (body && !content.starts_with("}"));
    line = body ? line : 0;
    bool code = body && content[0] != '.' && content[0] != '$' && content[0] != '{' &&
                content.find(';') != content.npos;
    view.lines.push_back({std::string(text), code ? line : 0});
    if (code)
      count(view, ptxKind, operationOf(content));
  });
  addMemory(view);
  return view;
}

std::vector<CodeView> viewSass(std::string_view text, std::string_view sourcePath) {
  std::vector<CodeView> views;
  int line = 0;
  forLines(text, [&](std::string_view each) {
    std::string_view content = trimmed(each);
    constexpr std::string_view place = "//## File ";
    bool section = firstWord(content) == ".section"; // not ".sectioninfo"
    if (section && content.find(".text.") != content.npos) {
      std::string_view name = content.substr(content.find(".text.") + 6);
      views.push_back(
          {std::string(name.substr(0, name.find_first_of(",\" \t"))), true, {}, {}, {}});
      line = 0;
    } else if (section) {
      line = -1; // no code until the next function
    }
    if (content.starts_with(place)) {
      size_t at = content.rfind("line ");
      std::string_view number = at == content.npos ? std::string_view() : content.substr(at + 5);
      line = nameOfFile(quoted(content)) == nameOfFile(sourcePath) ? takeNumber(number) : 0;
      return;
    }
    if (views.empty() || line < 0 || content.empty())
      return;
    bool code = content.starts_with("/*") && content.find(';') != content.npos;
    bool label = content.ends_with(":");
    if (!code && !label)
      return;
    views.back().lines.push_back({std::string(each), code ? line : 0});
    if (size_t end = content.find("*/"); code && end != content.npos)
      count(views.back(), sassKind, operationOf(content.substr(end + 2)));
  });
  return views;
}

CodeView selected(const CodeView &view, int firstLine, int lastLine) {
  CodeView result{view.kernel, view.machineCode, {}, {}, {}};
  auto isIn = [&](int line) { return line >= firstLine && line <= lastLine; };
  std::map<size_t, size_t> moved;
  for (size_t i = 0; i < view.lines.size(); ++i)
    if (isIn(view.lines[i].source)) {
      moved[i] = result.lines.size();
      result.lines.push_back(view.lines[i]);
      std::string_view text = view.lines[i].text;
      if (size_t end = text.find("*/"); view.machineCode && end != text.npos)
        text.remove_prefix(end + 2);
      count(result, view.machineCode ? sassKind : ptxKind, operationOf(text));
    }
  for (MemoryAccess access : view.memory)
    if (auto found = moved.find(access.codeLine); found != moved.end()) {
      access.codeLine = found->second;
      result.memory.push_back(std::move(access));
    }
  return result;
}

void CodeText::addLine(const std::string &line) {
  text += line + "\n";
  ++count;
}

std::vector<int> CodeText::add(const CodeView &view, std::string_view source) {
  std::vector<std::string_view> written;
  forLines(source, [&](std::string_view line) { written.push_back(line); });
  addLine("// " + view.kernel);
  std::string mix;
  for (const auto &[kind, number] : view.mix)
    mix += fmt::format("{}{} {}", mix.empty() ? "" : ", ", kind, number);
  addLine("// instructions: " + mix);
  for (const MemoryAccess &access : view.memory)
    addLine(fmt::format("// {}: {}, {} {} a thread{}{}",
                        access.source > 0 ? fmt::format("line {}", access.source)
                                          : "of no line of this file",
                        access.operation, access.bytes, access.bytes == 1 ? "byte" : "bytes",
                        access.verdict.empty() ? "" : ", ", access.verdict));
  std::vector<int> places;
  int before = 0;
  for (const CodeLine &line : view.lines) {
    if (line.source != before && line.source > 0) {
      auto at = static_cast<size_t>(line.source) - 1;
      addLine(fmt::format("// {}: {}", line.source,
                          at < written.size() ? trimmed(written[at]) : std::string_view()));
      before = line.source;
    }
    if (line.source > 0)
      lines.emplace_back(count, line.source);
    places.push_back(count);
    addLine(line.text);
  }
  addLine("");
  return places;
}

std::string disassemble(const std::string &nvdisasm, const std::string &cubin,
                        std::string &problem) {
  if (nvdisasm.empty()) {
    problem = "nvdisasm of the CUDA Toolkit was not found; machine code cannot be shown without it";
    return {};
  }
  ProcessResult result = runProcess({nvdisasm, "-g", "-c", cubin});
  if (result.status == 0)
    return std::move(result.output);
  problem = "nvdisasm failed: " + result.output.substr(0, result.output.find('\n'));
  return {};
}

} // namespace cufc
