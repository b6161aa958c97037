// The fixes that diagnostics bring along, all of them at once, and comments that allow a
// diagnostic.
#include "ide/actions/source_view.h"
#include "source/comments.h"
#include <algorithm>

namespace cufc {
namespace {

// The edits of a fix, or nothing if a place of them is gone.
std::optional<std::map<std::string, std::vector<TextChange>>> editsOf(const ActionContext &context,
                                                                      const Fix &fix) {
  std::map<std::string, std::vector<TextChange>> edits;
  for (const TextEdit &edit : fix.edits) {
    if (!edit.range.file.empty() && edit.range.file != context.file.path) {
      const SourceFile *other = context.workspace.find(edit.range.file);
      TextRange range{{edit.range.line, edit.range.column},
                      {edit.range.endLine, edit.range.endColumn}};
      if (other && !other->edits.empty())
        return std::nullopt;
      edits[edit.range.file].push_back({range, edit.text});
      continue;
    }
    std::optional<TextRange> range = rangeNow(context, edit.range);
    if (!range)
      return std::nullopt;
    edits[context.file.path].push_back({*range, edit.text});
  }
  if (edits.empty())
    return std::nullopt;
  return edits;
}

bool isAtRange(const ActionContext &context, const Diagnostic &diagnostic) {
  std::optional<TextRange> range = rangeNow(context, diagnostic.range);
  return range && overlap(*range, context.range);
}

bool collides(const std::vector<TextChange> &taken, const std::vector<TextChange> &more) {
  for (const TextChange &a : taken)
    for (const TextChange &b : more)
      if (overlap(a.range, b.range))
        return true;
  return false;
}

// The line of a comment for a statement that begins in a line.
TextChange allowComment(const ActionContext &context, int line, const std::string &code) {
  const Document &document = context.document();
  std::string_view text = document.line(line);
  size_t mark = text.find("! cufls: allow CUF");
  if (mark != text.npos && text.find("because", mark) == text.npos) { // one code more
    TextPosition end{line, static_cast<int>(text.find_last_not_of(" \t")) + 2};
    return {{end, end}, ", " + code};
  }
  size_t last = text.find_last_not_of(" \t");
  bool continues = last != text.npos && text[last] == '&';
  std::string comment = "! cufls: allow " + code;
  bool tooLong =
      context.file.reading.fixedForm
          ? text.size() + comment.size() + 1 > static_cast<size_t>(context.file.reading.columns)
          : text.size() + comment.size() > 130;
  if (hasComment(text) || continues || tooLong || last == text.npos) {
    std::string blanks = context.file.reading.fixedForm ? "" : indentationOf(document, line);
    return linesAbove(line, blanks + comment);
  }
  TextPosition end{line, static_cast<int>(last) + 2};
  return {{end, end}, " " + comment};
}

} // namespace

void addFixes(const ActionContext &context, CodeActions &actions) {
  for (size_t i = 0; i < context.diagnostics.size(); ++i) {
    const Diagnostic &diagnostic = context.diagnostics[i];
    if (!isAtRange(context, diagnostic))
      continue;
    for (const Fix &fix : diagnostic.fixes)
      if (auto edits = editsOf(context, fix))
        actions.push_back(
            {fix.title, "quickfix", std::move(*edits), diagnostic.fixes.size() == 1, {i}});
  }
}

// Not what is unused: whoever just has declared a name would lose it.
void addFixAll(const ActionContext &context, CodeActions &actions) {
  CodeAction all{"fix all problems that have one fix", "source.fixAll.cufls"};
  std::vector<TextChange> &taken = all.edits[context.file.path];
  for (size_t i = 0; i < context.diagnostics.size(); ++i) {
    const Diagnostic &diagnostic = context.diagnostics[i];
    if (diagnostic.fixes.size() != 1 || diagnostic.tag == DiagnosticTag::Unnecessary)
      continue;
    auto edits = editsOf(context, diagnostic.fixes.front());
    if (!edits || edits->size() != 1 || !edits->contains(context.file.path))
      continue;
    const std::vector<TextChange> &more = edits->at(context.file.path);
    if (collides(taken, more))
      continue;
    taken.insert(taken.end(), more.begin(), more.end());
    all.mends.push_back(i);
  }
  if (!taken.empty())
    actions.push_back(std::move(all));
}

void addAllowComments(const ActionContext &context, CodeActions &actions) {
  std::vector<std::string> codes;
  for (size_t i = 0; i < context.diagnostics.size(); ++i) {
    const Diagnostic &diagnostic = context.diagnostics[i];
    bool known = std::find(codes.begin(), codes.end(), diagnostic.code) != codes.end();
    std::optional<TextRange> range = rangeNow(context, diagnostic.range);
    if (diagnostic.severity == Severity::Error || diagnostic.code.empty() || known || !range ||
        !isAtRange(context, diagnostic))
      continue;
    codes.push_back(diagnostic.code);
    int line = range->begin.line;
    TextChange edit = allowComment(context, line, diagnostic.code);
    actions.push_back({"allow " + diagnostic.code + " here with a comment",
                       "quickfix",
                       {{context.file.path, {edit}}},
                       false,
                       {i}});
  }
}

} // namespace cufc
