// A diagnostic is known again by its code, its message and the text of its line, since lines move.
#include "host/typing.h"
#include "base/source_text.h"
#include "ide/cursor_context.h"
#include "source/blocks.h"
#include <algorithm>

namespace cufc {
namespace {

constexpr size_t mostOfOneKey = 2;    // characters: a key, or a pair of brackets
constexpr size_t mostOfOneWord = 400; // what completion puts in, with its placeholders

bool isBlank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

TextPosition endOf(const TextChange &change) {
  TextPosition end = change.range.begin;
  for (char c : change.text)
    end = c == '\n' ? TextPosition{end.line + 1, 1} : TextPosition{end.line, end.column + 1};
  return end;
}

// What is said where a block or a program unit has no end yet: an END is missing, or it is that of
// an outer block. flang's messages name what they expect.
bool isUnfinished(const Diagnostic &diagnostic) {
  static constexpr std::string_view codes[] = {"CUF0105", "CUF1002", "CUF1012", "CUF1041"};
  return std::find(std::begin(codes), std::end(codes), diagnostic.code) != std::end(codes) ||
         (diagnostic.code == "CUF1001" && diagnostic.message.find("'END") != std::string::npos);
}

// Whether the program unit or procedure that a line belongs to, or begins, goes on at a later one.
bool goesOnTo(const Document &document, int line, int later) {
  int depth = 0;
  for (int number = line + 1; number <= later && depth >= 0; ++number) {
    StatementRole role = roleOf(std::string(document.line(number)), false);
    bool plainEnd = role.kind == StatementRole::Closes && role.block == Block::None;
    if (role.kind == StatementRole::Opens && isUnit(role.block))
      ++depth;
    else if (plainEnd || (role.kind == StatementRole::Closes && isUnit(role.block)))
      --depth;
  }
  return depth >= 0;
}

// Statements that name what is declared below them: dummies, bound procedures.
bool namesWhatFollows(std::string_view line) {
  std::string text = lowerCase(line.substr(std::min(line.size(), line.find_first_not_of(" \t"))));
  for (std::string_view word : {"procedure", "generic", "final", "public", "private", "external"})
    if (text.starts_with(word))
      return true;
  StatementRole role = roleOf(text, false);
  return role.kind == StatementRole::Opens && isUnit(role.block);
}

} // namespace

void Typing::edited(const std::string &path, const TextChange &change, bool wholeText,
                    Clock::time_point now) {
  File &state = files[path];
  bool goesOn = state.typing && now - state.last < pause;
  bool oneLine = change.range.begin.line == change.range.end.line;
  bool line = change.text.find('\n') != std::string::npos && isBlank(change.text);
  bool key = (oneLine || change.text.empty()) && (change.text.size() <= mostOfOneKey || line);
  if (wholeText || (!key && !(goesOn && change.text.size() <= mostOfOneWord)))
    return pauses(path);
  state.typing = true;
  state.last = now;
  TextPosition end = endOf(change);
  if (key || change.range.begin.line == state.cursor.line)
    state.cursor = end;
  else if (change.range.begin < state.cursor) // the editor indents, or adds USE
    state.cursor.line += end.line - change.range.end.line;
}

bool Typing::isHeld(File &state, const SourceFile &file, const Diagnostic &diagnostic,
                    const std::string &key, std::chrono::milliseconds since) const {
  const SourceRange &range = diagnostic.range;
  int cursor = state.cursor.line;
  bool advice = diagnostic.severity != Severity::Error;
  bool waits = isUnfinished(diagnostic) ||
               ((advice || namesWhatFollows(file.document.line(range.line))) &&
                range.line < cursor && goesOnTo(file.document, range.line, cursor));
  if (since < longPause && waits)
    return state.heldLong = true;
  if (since >= pause)
    return false;
  auto first = state.waiting.try_emplace(key, state.statement).first;
  bool atCursor = range.line <= cursor && range.endLine >= state.statement;
  bool held = atCursor || first->second == state.statement;
  state.heldShort |= held;
  return held;
}

std::vector<Diagnostic> Typing::shown(const SourceFile &file, std::vector<Diagnostic> all,
                                      Clock::time_point now) {
  if (!file.open)
    return all;
  File &state = files[file.path];
  state.heldShort = state.heldLong = false;
  if (state.typing)
    state.statement = std::min(state.cursor.line, cursorContext(file, state.cursor).begin.line);
  auto since = std::chrono::duration_cast<std::chrono::milliseconds>(now - state.last);
  std::vector<Diagnostic> result;
  std::set<std::string> said, present;
  for (Diagnostic &diagnostic : all) {
    std::string key = diagnostic.code + diagnostic.message +
                      std::string(file.document.line(diagnostic.range.line));
    present.insert(key);
    if (state.typing && !state.said.contains(key) && isHeld(state, file, diagnostic, key, since))
      continue;
    said.insert(key);
    result.push_back(std::move(diagnostic));
  }
  if (state.typing) // what kernels cost comes after the rest, and is gone for a moment
    said.merge(state.said);
  state.said = std::move(said);
  std::erase_if(state.waiting, [&](const auto &row) { return !present.contains(row.first); });
  return result;
}

std::optional<Typing::Clock::time_point> Typing::due(const std::string &path) const {
  auto found = files.find(path);
  if (found == files.end() || !(found->second.heldShort || found->second.heldLong))
    return std::nullopt;
  return found->second.last + (found->second.heldShort ? pause : longPause);
}

} // namespace cufc
