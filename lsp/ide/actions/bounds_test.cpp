// A test that keeps threads beyond an extent out (CUF0404): around the statement with the index and
// those behind it that use the same index, up to a barrier, which all threads must reach.
#include "base/source_text.h"
#include "ide/actions/fixed_form.h"
#include "ide/actions/source_view.h"
#include <algorithm>
#include <cctype>

namespace cufc {
namespace {

bool isName(const std::string &text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

bool isBarrier(const CodeStatement &statement) {
  return lowerCase(statement.text).find("sync") != std::string::npos;
}

// The extent that the message names: "... of 'a' within n; ...".
std::string extentIn(const std::string &message) {
  constexpr std::string_view before = " within ";
  size_t begin = message.find(before), end = message.find("; threads");
  if (begin == message.npos || end == message.npos || end < begin)
    return {};
  begin += before.size();
  std::string extent = message.substr(begin, end - begin);
  size_t array = message.find('\''), arrayEnd = message.find('\'', array + 1);
  if (extent == "its extent" && arrayEnd != message.npos)
    return "size(" + message.substr(array + 1, arrayEnd - array - 1) + ")";
  return extent;
}

// The statements to guard, as numbers of `all`: first and last.
std::pair<size_t, size_t> guarded(const std::vector<CodeStatement> &all, size_t at,
                                  const std::string &index) {
  int depth = 0;
  for (size_t i = 1; i < at; ++i)
    depth += all[i].role.kind == StatementRole::Opens    ? 1
             : all[i].role.kind == StatementRole::Closes ? -1
                                                         : 0;
  std::pair<size_t, size_t> result{at, at};
  if (depth > 0 || !isName(index))
    return result;
  int inner = 0;
  bool used = false; // in the construct that began last
  for (size_t i = at; i < all.size(); ++i) {
    if (isBarrier(all[i]) || all[i].sharesLine)
      break;
    used |= hasWord(lowerCase(all[i].text), lowerCase(index));
    if (all[i].role.kind == StatementRole::Opens)
      ++inner;
    else if (all[i].role.kind == StatementRole::Closes && --inner < 0)
      break; // the kernel ends
    if (inner == 0 && used)
      result.second = i;
    used = inner != 0 && used;
  }
  return result;
}

std::vector<TextChange> guard(const ActionContext &context, const CodeStatement &first,
                              const CodeStatement &last, const std::string &condition) {
  const Document &document = context.document();
  bool fixedForm = context.file.reading.fixedForm;
  std::string blanks = indentationOf(document, first.first);
  TextPosition begin{first.first, static_cast<int>(blanks.size()) + 1};
  bool single = first.first == last.first && first.role.kind == StatementRole::Other &&
                first.word != "if" && first.first == first.last;
  if (single)
    return {{{begin, begin}, "if (" + condition + ") "}};
  std::vector<TextChange> edits = {linesAbove(first.first, blanks + "if (" + condition + ") then")};
  for (int line = first.first; line <= last.last; ++line)
    if (std::string_view text = document.line(line);
        !trimmed(text).empty() && text[0] != '#' &&
        !(fixedForm && (isFixedComment(text) || isFixedContinuation(text))))
      edits.push_back({{{line, 1}, {line, 1}}, "  "});
  edits.push_back(linesBelow(document, last.last, blanks + "end if"));
  return edits;
}

} // namespace

void addBoundsTest(const ActionContext &context, CodeActions &actions) {
  for (size_t i = 0; i < context.diagnostics.size(); ++i) {
    const Diagnostic &diagnostic = context.diagnostics[i];
    std::optional<TextRange> range = rangeNow(context, diagnostic.range);
    if (diagnostic.code != "CUF0404" || !diagnostic.fixes.empty() || !range ||
        !overlap(*range, context.range))
      continue;
    UnitAround unit = unitAround(context, range->begin);
    std::string extent = extentIn(diagnostic.message), index(context.document().slice(*range));
    std::vector<CodeStatement> all =
        unit ? statementsIn(context, unit.firstLine, unit.lastLine) : std::vector<CodeStatement>();
    auto at = std::find_if(all.begin(), all.end(), [&](const CodeStatement &s) {
      return s.first <= range->begin.line && s.last >= range->end.line;
    });
    if (at == all.end() || at->sharesLine || extent.empty() ||
        at->role.kind == StatementRole::Closes || at->role.kind == StatementRole::Branch)
      continue;
    auto [first, last] = guarded(all, static_cast<size_t>(at - all.begin()), index);
    if (anyLabel(context, all[first].first, all[last].last))
      continue;
    std::string condition = index;
    condition.append(" <= ").append(extent);
    actions.push_back({"add the test '" + condition + "'",
                       "quickfix",
                       {{context.file.path, guard(context, all[first], all[last], condition)}},
                       true,
                       {i}});
  }
}

} // namespace cufc
