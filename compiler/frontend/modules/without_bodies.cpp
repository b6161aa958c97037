// See without_bodies.h.
#include "frontend/modules/without_bodies.h"
#include "base/files.h"
#include "flang/Parser/parse-tree.h"
#include "frontend/statement_visitor.h"
#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <type_traits>

namespace cufc {
namespace {

using namespace Fortran;

// Lines of a file that are executable, as first and last of each run.
using Lines = std::vector<std::pair<int, int>>;

// First and last line of every execution part, and of every interface block in device code: flang
// takes the procedures of those for internal ones. Of each file, since files include others.
class Bodies : public ShallowVisitor {
public:
  explicit Bodies(const FlangProgram &program) : program(program) {}

  using StatementVisitor::Post;
  using StatementVisitor::Pre;
  // Those that open and close a construct are no statements.
  bool Pre(const parser::OmpDirectiveSpecification &directive) override {
    if (depth > 0)
      extend(directive.source);
    return true;
  }
  bool enterStatement(const StatementHead &head) override {
    if (depth > 0)
      extend(head.source);
    return true;
  }
  bool Pre(const parser::CUFKernelDoConstruct::Directive &directive) override {
    extend(directive.source);
    return true;
  }
  bool Pre(const parser::ExecutionPart &) override {
    enter();
    return true;
  }
  void Post(const parser::ExecutionPart &) override { --depth; }

  bool Pre(const parser::SubroutineStmt &statement) override {
    return enterSubprogram(statement.t);
  }
  bool Pre(const parser::FunctionStmt &statement) override { return enterSubprogram(statement.t); }
  void Post(const parser::SubroutineSubprogram &) override { inDeviceCode = false; }
  void Post(const parser::FunctionSubprogram &) override { inDeviceCode = false; }
  bool Pre(const parser::InterfaceBlock &) override {
    if (inDeviceCode)
      enter();
    return inDeviceCode;
  }
  void Post(const parser::InterfaceBlock &) override { --depth; } // of device code alone

  std::map<std::string, Lines> takeFiles() {
    endBody();
    return std::move(files);
  }

private:
  void enter() {
    if (depth++ == 0)
      endBody();
  }

  void endBody() {
    for (const auto &[path, lines] : body)
      files[path].push_back(lines);
    body.clear();
  }

  template <typename Parts>
  bool enterSubprogram(const Parts &parts) {
    for (const auto &prefix : std::get<std::list<parser::PrefixSpec>>(parts))
      inDeviceCode |= std::holds_alternative<parser::PrefixSpec::Attributes>(prefix.u);
    return true;
  }

  void extend(parser::CharBlock source) {
    auto range = program.cooked.GetProvenanceRange(source);
    if (!range)
      return;
    auto begin = program.sources.GetSourcePosition(range->start());
    auto end = program.sources.GetSourcePosition(range->start() + (range->size() - 1));
    if (!begin || !end || *begin->path != *end->path)
      return;
    auto &[first, last] = body.try_emplace(*begin->path, begin->line, end->line).first->second;
    first = std::min(first, begin->line);
    last = std::max(last, end->line);
  }

  const FlangProgram &program;
  std::map<std::string, Lines> files;
  std::map<std::string, std::pair<int, int>> body; // its lines in each file
  int depth = 0;                                   // of the parts whose lines count
  bool inDeviceCode = false;
};

// A directive of the preprocessor that holds on both sides of executable statements: a condition,
// or the definition of a macro. What #include brings is executable, too.
bool isKeptDirective(std::string_view line) {
  size_t hash = line.find_first_not_of(" \t");
  if (hash == std::string_view::npos || line[hash] != '#')
    return false;
  size_t word = line.find_first_not_of(" \t", hash + 1);
  return word != std::string_view::npos && line.compare(word, 7, "include") != 0;
}

// The name that #include or INCLUDE gives, or nothing.
std::string_view includedName(std::string_view line) {
  size_t begin = line.find_first_not_of(" \t");
  if (begin != line.npos && line[begin] == '#')
    begin = line.find_first_not_of(" \t", begin + 1);
  constexpr std::string_view word = "include";
  if (begin == line.npos || line.size() < begin + word.size() ||
      !std::equal(word.begin(), word.end(), line.begin() + static_cast<long>(begin),
                  [](char a, char b) { return a == (b | ' '); }))
    return {};
  size_t open = line.find_first_not_of(" \t", begin + word.size());
  if (open == line.npos || (line[open] != '"' && line[open] != '\''))
    return {};
  size_t close = line.find(line[open], open + 1);
  return close == line.npos ? std::string_view() : line.substr(open + 1, close - open - 1);
}

bool endsWith(std::string_view text, std::string_view ending) {
  return text.size() >= ending.size() && text.substr(text.size() - ending.size()) == ending;
}

class Writer {
public:
  explicit Writer(const std::map<std::string, Lines> &files) : files(files) {}

  std::string write(const std::string &text, const Lines &executable, int depth) const {
    std::string result;
    int number = 1;
    bool continues = false; // a directive
    for (size_t begin = 0; begin < text.size(); ++number) {
      size_t end = std::min(text.find('\n', begin), text.size());
      bool inBody = std::any_of(executable.begin(), executable.end(), [&](const auto &lines) {
        return number >= lines.first && number <= lines.second;
      });
      std::string_view line = std::string_view(text).substr(begin, end - begin);
      bool keeps = continues || isKeptDirective(line);
      continues = keeps && !line.empty() && line.back() == '\\';
      if (!inBody || keeps)
        result.append(included(line, depth).value_or(std::string(line)));
      result += '\n';
      begin = end + 1;
    }
    return result;
  }

private:
  // What stands in place of a line that includes a file with executable statements.
  std::optional<std::string> included(std::string_view line, int depth) const {
    constexpr int deepest = 20;
    std::string_view name = includedName(line);
    if (name.empty() || depth == deepest)
      return std::nullopt;
    std::string ending = "/" + std::string(name), text;
    for (const auto &[path, executable] : files)
      if ((path == name || endsWith(path, ending)) && readFile(path, text))
        return write(text, executable, depth + 1);
    return std::nullopt;
  }

  const std::map<std::string, Lines> &files;
};

} // namespace

std::string withoutBodies(const std::string &text, const std::string &path,
                          const FlangProgram &program) {
  Bodies bodies(program);
  walkTree(*program.parsing->parseTree(), bodies);
  std::map<std::string, Lines> files = bodies.takeFiles();
  Lines own;
  for (auto file = files.begin(); file != files.end();) {
    std::error_code ignored;
    if (!std::filesystem::equivalent(file->first, path, ignored)) {
      ++file;
      continue;
    }
    own.insert(own.end(), file->second.begin(), file->second.end());
    file = files.erase(file);
  }
  return Writer(files).write(text, own, 0);
}

} // namespace cufc
