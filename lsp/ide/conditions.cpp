// One pass over the lines that begin with "#", with a stack of the conditions that are open.
#include "ide/conditions.h"
#include "base/files.h"
#include "base/host_machine.h"
#include "ide/condition_values.h"
#include <algorithm>
#include <filesystem>

namespace cufc {
namespace {

constexpr int deepestInclude = 20, mostIncludes = 200;

// Of the front end (setParserOptions in flang_setup.cpp).
constexpr const char *predefined[] = {"__cufc__", thisMachine.macro, "__linux__", "__unix__"};

std::string_view trimmed(std::string_view text) {
  size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

bool isNamePart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string_view takeName(std::string_view &text) {
  size_t length = 0;
  while (length < text.size() && isNamePart(text[length]))
    ++length;
  std::string_view name = text.substr(0, length);
  text.remove_prefix(length);
  return name;
}

enum class Truth : std::uint8_t { No, Yes, Unknown };

class Walker {
public:
  Walker(const SourceReading &reading, const ReadText &read, Conditions *result)
      : reading(reading), read(read), result(result) {}

  MacroTable macros;

  void walk(const Document &document, const std::string &path, int depth) {
    size_t outside = open.size();
    for (int line = 1; line <= document.lineCount(); ++line) {
      std::string_view text = trimmed(document.line(line));
      if (text.empty() || text.front() != '#')
        continue;
      int first = line;
      std::string whole(text);
      while (whole.back() == '\\' && line < document.lineCount()) {
        whole.pop_back();
        whole += document.line(++line);
      }
      directive(trimmed(std::string_view(whole).substr(1)), first, line, path, depth);
    }
    while (open.size() > outside) // without #endif
      close(document.lineCount() + 1);
  }

private:
  struct Condition {
    bool parentActive;
    Truth taken;        // whether a branch before the current one is the one to take
    Truth current;      // whether the current branch is
    int line, lastLine; // of the directive that began the branch
  };

  bool active() const {
    return open.empty() || (open.back().parentActive && open.back().current != Truth::No);
  }

  void directive(std::string_view text, int line, int lastLine, const std::string &path,
                 int depth) {
    std::string_view word = takeName(text);
    text = trimmed(text);
    if (word == "if" || word == "ifdef" || word == "ifndef")
      return open.push_back({active(), Truth::No, truthOf(word, text), line, lastLine});
    if (word == "elif" || word == "else")
      return branch(word, text, line, lastLine);
    if (word == "endif" && !open.empty())
      return close(line);
    if (!active())
      return;
    if (word == "define")
      define(text);
    else if (word == "undef")
      undefine(std::string(takeName(text)));
    else if (word == "include")
      include(text, path, depth);
  }

  Truth truthOf(std::string_view word, std::string_view text) const {
    std::optional<std::int64_t> value;
    if (word == "if" || word == "elif")
      value = conditionValue(text, macros);
    else
      value = conditionValue("defined(" + std::string(takeName(text)) + ")", macros);
    if (!value)
      return Truth::Unknown;
    return (*value != 0) == (word != "ifndef") ? Truth::Yes : Truth::No;
  }

  // After a branch that is taken for sure the others are not; after one that may be, they may be.
  void branch(std::string_view word, std::string_view text, int line, int lastLine) {
    if (open.empty())
      return;
    Condition condition = open.back();
    endBranch(line);
    Truth &taken = open.back().taken;
    if (condition.current == Truth::Yes)
      taken = Truth::Yes;
    else if (condition.current == Truth::Unknown && taken == Truth::No)
      taken = Truth::Unknown;
    Truth own = word == "else" ? Truth::Yes : truthOf(word, text);
    if (taken == Truth::Yes)
      own = Truth::No;
    else if (taken == Truth::Unknown && own == Truth::Yes)
      own = Truth::Unknown;
    open.back().current = own;
    open.back().line = line;
    open.back().lastLine = lastLine;
  }

  // The current branch ends before a line.
  void endBranch(int line) {
    const Condition &condition = open.back();
    if (!result || includes > 0)
      return;
    result->branches.push_back({condition.line, line});
    if (condition.parentActive && condition.current == Truth::No && condition.lastLine + 1 < line)
      result->inactive.push_back({condition.lastLine + 1, line - 1});
  }

  void close(int line) {
    endBranch(line);
    open.pop_back();
  }

  void define(std::string_view text) {
    std::string name(takeName(text));
    if (name.empty())
      return;
    bool function = !text.empty() && text.front() == '(';
    macros.known[name] = {std::string(trimmed(text)), function};
  }

  void undefine(const std::string &name) {
    if (auto row = macros.known.find(name); row != macros.known.end())
      macros.known.erase(row);
  }

  void include(std::string_view text, const std::string &path, int depth) {
    if (text.size() < 2 || (text.front() != '"' && text.front() != '<') ||
        depth >= deepestInclude || ++includesSeen > mostIncludes) {
      macros.complete = false;
      return;
    }
    size_t end = text.find(text.front() == '<' ? '>' : '"', 1);
    std::string name(text.substr(1, end == std::string_view::npos ? end : end - 1));
    std::string file = includedFile(name, path, reading, read);
    std::optional<std::string> content = file.empty() ? std::nullopt : read(file);
    if (!content) {
      macros.complete = false;
      return;
    }
    ++includes;
    walk(Document(std::move(*content)), file, depth + 1);
    --includes;
  }

  const SourceReading &reading;
  const ReadText &read;
  Conditions *result;
  std::vector<Condition> open;
  int includes = 0, includesSeen = 0;
};

MacroTable initialMacros(const SourceReading &reading) {
  MacroTable macros;
  if (reading.cuda)
    macros.known["_CUDA"] = {"1"};
  if (!reading.preprocess)
    return macros;
  for (const char *name : predefined)
    macros.known[name] = {"1"};
  for (const auto &[macro, define] : reading.macros) {
    size_t equals = macro.find('=');
    std::string name = macro.substr(0, equals);
    if (define)
      macros.known[name] = {equals == std::string::npos ? "1" : macro.substr(equals + 1)};
    else if (auto row = macros.known.find(name); row != macros.known.end())
      macros.known.erase(row);
  }
  return macros;
}

} // namespace

bool Conditions::isInactive(int line) const {
  auto next = std::upper_bound(inactive.begin(), inactive.end(), line,
                               [](int l, const LineRange &range) { return l < range.first; });
  return next != inactive.begin() && line <= std::prev(next)->last;
}

Conditions conditionsOf(const Document &document, const std::string &path,
                        const SourceReading &reading, const ReadText &read) {
  Conditions result;
  Walker walker(reading, read, &result);
  walker.macros = initialMacros(reading);
  walker.walk(document, path, 0);
  for (auto &[name, macro] : walker.macros.known)
    result.macros[name] = macro.text;
  auto byLine = [](const LineRange &a, const LineRange &b) { return a.first < b.first; };
  std::sort(result.inactive.begin(), result.inactive.end(), byLine);
  std::sort(result.branches.begin(), result.branches.end(), byLine);
  return result;
}

std::string includedFile(const std::string &name, const std::string &path,
                         const SourceReading &reading, const ReadText &read) {
  if (name.empty())
    return {};
  std::vector<std::string> folders{directoryOf(path)};
  folders.insert(folders.end(), reading.includes.begin(), reading.includes.end());
  for (const std::string &folder : folders) {
    std::string candidate = (std::filesystem::path(folder) / name).lexically_normal().string();
    if (read(candidate))
      return candidate;
  }
  return {};
}

} // namespace cufc
