// Lines that an edit leaves as they are stay; all others of the lines it touches are laid out anew.
#include "ide/actions/fixed_form.h"
#include "ide/actions/source_view.h"
#include <algorithm>

namespace cufc {
namespace {

constexpr size_t margin = 6; // columns in front of a statement

// Edits that touch neighbouring lines of the text.
struct Group {
  int first = 0, last = 0; // lines
  std::vector<TextChange> edits;
};

std::vector<Group> grouped(const std::vector<TextChange> &edits) {
  std::multimap<TextPosition, TextChange> inOrder; // of one position as they are given
  for (const TextChange &edit : edits)
    inOrder.emplace(edit.range.begin, edit);
  std::vector<Group> groups;
  for (auto &[begin, edit] : inOrder) {
    if (groups.empty() || groups.back().last < begin.line)
      groups.push_back({begin.line, edit.range.end.line, {}});
    groups.back().last = std::max(groups.back().last, edit.range.end.line);
    groups.back().edits.push_back(std::move(edit));
  }
  return groups;
}

std::vector<std::string> linesOf(std::string_view text) {
  std::vector<std::string> lines;
  for (size_t begin = 0;;) {
    size_t end = text.find('\n', begin);
    lines.emplace_back(text.substr(begin, end - begin));
    if (end == text.npos)
      return lines;
    begin = end + 1;
  }
}

TextRange wholeLines(const Document &document, int first, int last) {
  return {{first, 1}, {last, static_cast<int>(document.line(last).size()) + 1}};
}

std::string applied(const Document &document, const Group &group) {
  std::string text;
  TextPosition at{group.first, 1};
  for (const TextChange &edit : group.edits) {
    text.append(document.slice({at, edit.range.begin})).append(edit.text);
    at = edit.range.end;
  }
  TextPosition end = wholeLines(document, group.first, group.last).end;
  return text.append(document.slice({at, end}));
}

// The column, from 0, in which a comment begins; the length of the line if there is none.
size_t commentOf(std::string_view line) {
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i)
    if (quote)
      quote = line[i] == quote ? char(0) : quote;
    else if (line[i] == '\'' || line[i] == '"')
      quote = line[i];
    else if (line[i] == '!')
      return i;
  return line.size();
}

// Whether the first columns are those of a statement, with a label or not, or of a continuation.
bool isPlaced(std::string_view line) {
  std::string_view head = line.substr(0, margin);
  if (head.find('\t') != head.npos)
    return true;
  return std::all_of(head.begin(),
                     head.begin() + static_cast<long>(std::min(head.size(), margin - 1)),
                     [](char c) { return c == ' ' || (c >= '0' && c <= '9'); });
}

// Continuations and labels.
bool stays(std::string_view line) {
  return isFixedContinuation(line) ||
         line.substr(0, margin - 1).find_first_of("0123456789") != line.npos;
}

bool isDirective(std::string_view line) { return trimmed(line).starts_with("!$"); }

// Lines that end with "&", with those that continue them.
std::vector<std::string> joinedLines(const std::vector<std::string> &lines) {
  std::vector<std::string> result;
  bool continues = false;
  for (const std::string &line : lines) {
    if (continues)
      result.back() += " " + trimmed(line);
    else
      result.push_back(line);
    std::string &text = result.back();
    size_t last = text.find_last_not_of(' ');
    continues = last != text.npos && text[last] == '&' && !isFixedContinuation(line);
    if (continues)
      text.erase(text.find_last_not_of(' ', last - 1) + 1);
  }
  return result;
}

// Where a line is cut so that it has at most `columns`: behind a blank or a comma outside of
// strings, else anywhere.
size_t cutOf(std::string_view line, size_t columns) {
  size_t cut = columns;
  char quote = 0;
  for (size_t i = 0; i < columns; ++i) {
    char c = line[i];
    if (quote)
      quote = c == quote ? char(0) : quote;
    else if (c == '\'' || c == '"')
      quote = c;
    else if ((c == ' ' || c == ',') && i > columns / 2)
      cut = i + 1;
  }
  return cut;
}

void appendInColumns(std::vector<std::string> &lines, std::string line, size_t columns) {
  while (commentOf(line) > columns) {
    size_t cut = cutOf(line, columns);
    std::string rest = line.substr(cut);
    line.erase(line[cut - 1] == ' ' ? cut - 1 : cut);
    lines.push_back(std::move(line));
    line = "     &" + (cut < columns ? " " + trimmed(rest) : rest);
  }
  lines.push_back(std::move(line));
}

void layOut(std::vector<std::string> made, size_t columns, std::vector<std::string> &lines) {
  made = joinedLines(made);
  size_t shift = 0;
  for (const std::string &line : made)
    if (size_t blanks = line.find_first_not_of(' ');
        blanks < margin && !isDirective(line) && !isPlaced(line))
      shift = std::max(shift, margin - blanks);
  for (const std::string &line : made) {
    std::string text = trimmed(line);
    if (text.empty() || line[0] == '!')
      lines.push_back(line);
    else if (isDirective(line))
      lines.push_back(text);
    else if (text[0] == '!' && line.find('!') + shift == margin - 1) // would be a continuation
      lines.push_back(" " + std::string(shift, ' ') + line);
    else
      appendInColumns(lines, (stays(line) ? "" : std::string(shift, ' ')) + line, columns);
  }
}

} // namespace

bool isFixedComment(std::string_view line) {
  return !line.empty() && std::string_view("cC*!dD#").find(line[0]) != line.npos;
}

bool isFixedContinuation(std::string_view line) {
  return line.size() >= margin && line.substr(0, margin - 1).find_first_not_of(' ') == line.npos &&
         line[margin - 1] != ' ' && line[margin - 1] != '0' && line[margin - 1] != '!';
}

bool anyLabel(const ActionContext &context, int first, int last) {
  for (int line = first; line <= last; ++line) {
    std::string_view text = context.document().line(line);
    if (context.file.reading.fixedForm)
      text = isFixedComment(text) ? std::string_view() : text.substr(0, margin - 1);
    size_t begin = text.find_first_not_of(" \t");
    if (begin != text.npos && text[begin] >= '0' && text[begin] <= '9')
      return true;
  }
  return false;
}

bool layOutInFixedForm(const ActionContext &context, std::vector<TextChange> &edits) {
  const Document &document = context.document();
  auto columns = static_cast<size_t>(context.file.reading.columns);
  std::vector<TextChange> result;
  for (const Group &group : grouped(edits)) {
    TextRange range = wholeLines(document, group.first, group.last);
    std::vector<std::string> before = linesOf(document.slice(range)), lines, made;
    std::vector<std::string> after = linesOf(applied(document, group));
    for (const std::string &line : after) {
      if (std::find(before.begin(), before.end(), line) == before.end()) {
        made.push_back(line);
        continue;
      }
      layOut(std::move(made), columns, lines);
      made.clear();
      lines.push_back(line);
    }
    layOut(std::move(made), columns, lines);
    for (const std::string &line : before) {
      bool stays = std::find(after.begin(), after.end(), line) != after.end();
      if (!stays && !isFixedComment(line) && commentOf(line) > columns)
        return false;
    }
    std::string text;
    for (size_t i = 0; i < lines.size(); ++i)
      text += (i > 0 ? "\n" : "") + lines[i];
    result.push_back({range, std::move(text)});
  }
  edits = std::move(result);
  return true;
}

} // namespace cufc
