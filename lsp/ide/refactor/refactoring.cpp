// The list of refactorings, where each can begin, and what is common to applying them.
#include "ide/refactor/refactoring.h"
#include "base/files.h"
#include "base/source_text.h"
#include "ide/actions/fixed_form.h"
#include "ide/refactor/routine_text.h"
#include <algorithm>

namespace cufc {
namespace {

bool isAssignment(const CodeStatement &statement) {
  int depth = 0;
  for (size_t i = 0; i < statement.text.size(); ++i) {
    char c = statement.text[i];
    if (c == '\'' || c == '"' || statement.text.compare(i, 2, "::") == 0)
      return false;
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth == 0 && c == '=')
      return i + 1 < statement.text.size() && statement.text[i + 1] != '>' &&
             statement.role.kind == StatementRole::Other && statement.word != "do";
  }
  return false;
}

// Whether a refactoring may begin with a statement.
bool begins(std::string_view places, const CodeStatement &s, const ActionContext &context) {
  bool opens = s.role.kind == StatementRole::Opens;
  if (places == "unit")
    return opens && isUnit(s.role.block);
  if (places == "procedure")
    return opens && isProcedure(s.role.block);
  if (places == "assignment")
    return isAssignment(s);
  if (places == "loop")
    return (s.word == "do" && !opens) ||
           (s.word == "continue" && anyLabel(context, s.first, s.first));
  return s.word == places;
}

CodeStatement statementAt(const ActionContext &context) {
  int line = context.range.begin.line;
  for (CodeStatement &s : statementsIn(context, std::max(1, line), line + 40))
    if (s.first <= line && s.last >= line)
      return s;
  return {};
}

// Loops that are in no other loop, and single statements: what one may take out of a procedure.
std::vector<TextRange> ranges(const std::vector<CodeStatement> &all, const ActionContext &file) {
  std::vector<TextRange> result;
  int depth = 0, first = 0;
  for (const CodeStatement &s : all) {
    if (s.role.block != Block::Do)
      continue;
    if (s.role.kind == StatementRole::Opens) {
      if (depth == 0)
        first = s.first;
      ++depth;
    } else if (depth > 0) {
      --depth;
      if (depth == 0)
        result.push_back(
            {{first, 1}, {s.last, static_cast<int>(file.document().line(s.last).size()) + 1}});
    }
  }
  return result;
}

// What stands in parentheses on the right of assignments in one line.
std::vector<TextRange> expressions(const std::vector<CodeStatement> &all,
                                   const ActionContext &file) {
  std::vector<TextRange> result;
  for (const CodeStatement &s : all) {
    if (!isAssignment(s) || s.first != s.last)
      continue;
    std::string line(file.document().line(s.first));
    size_t open = line.find('(', line.find('=') + 1);
    Subscripts part = open == std::string::npos ? Subscripts() : subscriptsIn(line, open);
    size_t before = open == std::string::npos || open == 0 ? std::string::npos
                                                           : line.find_last_not_of(' ', open - 1);
    bool operand = before != std::string::npos &&
                   std::string_view("=+-*/(").find(line[before]) != std::string_view::npos;
    if (part && operand && part.close > part.open + 1)
      result.push_back({{s.first, static_cast<int>(part.open) + 2},
                        {s.first, static_cast<int>(part.close) + 1}});
  }
  return result;
}

} // namespace

const std::vector<Refactoring> &refactorings() {
  static const std::vector<Refactoring> rows = {
#define CUF_REFACTORING(name, word, kind, places, help) {word, kind, places, help, make##name},
#include "tables/refactorings.def"
#undef CUF_REFACTORING
  };
  return rows;
}

const Refactoring *findRefactoring(const std::string &word) {
  for (const Refactoring &row : refactorings())
    if (word == row.word)
      return &row;
  return nullptr;
}

std::vector<TextRange> placesFor(const Refactoring &refactoring, const ActionContext &file) {
  std::string_view places = refactoring.places;
  if (places == "file")
    return {{{1, 1}, {1, 1}}};
  std::vector<CodeStatement> all = statementsIn(file, 1, file.document().lineCount());
  if (places == "range")
    return refactoring.make == makeExtractVariable ? expressions(all, file) : ranges(all, file);
  std::vector<TextRange> result;
  for (const CodeStatement &s : all)
    if (begins(places, s, file))
      result.push_back({{s.first, 1}, {s.first, 1}});
  return result;
}

bool mayBegin(const Refactoring &refactoring, const ActionContext &context) {
  std::string_view places = refactoring.places;
  if (places == "file")
    return context.range.begin.line == 1;
  if (places == "range")
    return context.range.begin != context.range.end;
  return begins(places, statementAt(context), context);
}

Refactored refactor(const Refactoring &refactoring, const ActionContext &context,
                    const RefactoringWish &wish) {
  if (!context.file.analysis || context.file.analysis->scopes.empty())
    return refused(Refusal::NoAnalysis);
  Refactored change = refactoring.make(context, wish);
  if (!change.refusal.empty() || !change.renamed.empty())
    return change;
  if (change.edits.empty())
    return refused(Refusal::NotHere);
  OpenedFiles opened;
  for (auto &[path, edits] : change.edits)
    if (const SourceFile *file = context.workspace.find(path); file && file->reading.fixedForm)
      if (!layOutInFixedForm(placeIn(context, opened(*file)), edits))
        return refused(Refusal::TooLong);
  return change;
}

const SourceFile &OpenedFiles::operator()(const SourceFile &file) {
  if (file.open)
    // The workspace's own. NOLINTNEXTLINE(bugprone-return-const-ref-from-parameter)
    return file;
  std::unique_ptr<SourceFile> &copy = read[file.path];
  if (!copy) {
    std::string text;
    readFile(file.path, text);
    copy = std::make_unique<SourceFile>(file);
    copy->document.replace(text);
  }
  return *copy;
}

ActionContext placeIn(const ActionContext &context, const SourceFile &file, TextPosition at) {
  static const std::vector<Diagnostic> none;
  return {context.workspace, file, {at, at}, none};
}

std::string changedText(const Document &document, const std::vector<TextChange> &edits) {
  std::multimap<TextPosition, const TextChange *> inOrder; // of one position as they are given
  for (const TextChange &edit : edits)
    inOrder.emplace(edit.range.begin, &edit);
  std::string result;
  size_t done = 0;
  for (const auto &[position, edit] : inOrder) {
    size_t begin = std::max(done, document.offsetOf(position));
    result.append(document.text(), done, begin - done).append(edit->text);
    done = std::max(begin, document.offsetOf(edit->range.end));
  }
  return result.append(document.text(), done);
}

} // namespace cufc
