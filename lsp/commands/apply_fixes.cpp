// A file is written beside and renamed, so that it is never half there.
#include "commands/apply_fixes.h"
#include "base/diag.h"
#include "base/files.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <tuple>

namespace cufc {
namespace {

namespace fs = std::filesystem;

auto beginOf(const TextEdit &edit) { return std::tie(edit.range.line, edit.range.column); }
auto endOf(const TextEdit &edit) { return std::tie(edit.range.endLine, edit.range.endColumn); }

bool same(const TextEdit &one, const TextEdit &other) {
  return one.range.file == other.range.file && beginOf(one) == beginOf(other) &&
         endOf(one) == endOf(other) && one.text == other.text;
}

// Also two insertions at one place, whose order would be chance.
bool overlap(const TextEdit &one, const TextEdit &other) {
  if (one.range.file != other.range.file)
    return false;
  return beginOf(one) == beginOf(other) ||
         (beginOf(one) < endOf(other) && beginOf(other) < endOf(one));
}

bool isSame(const Fix &one, const Fix &other) {
  return std::equal(one.edits.begin(), one.edits.end(), other.edits.begin(), other.edits.end(),
                    same);
}

bool overlap(const Fix &one, const Fix &other) {
  return std::any_of(one.edits.begin(), one.edits.end(), [&](const TextEdit &edit) {
    return std::any_of(other.edits.begin(), other.edits.end(),
                       [&](const TextEdit &second) { return overlap(edit, second); });
  });
}

} // namespace

bool replaceFile(const std::string &path, const std::string &text) {
  std::error_code error;
  fs::path target = fs::canonical(path, error); // not the link to it
  if (error) {
    errno = error.value();
    return false;
  }
  std::string beside = target.string() + ".cufls-fix";
  if (!writeFile(beside, text))
    return false;
  fs::permissions(beside, fs::status(target, error).permissions(), error);
  fs::rename(beside, target, error);
  if (error)
    errno = error.value();
  return !error;
}

std::vector<Fix> fixesThatFit(const std::vector<Diagnostic> &diagnostics) {
  std::vector<Fix> chosen;
  for (const Diagnostic &diagnostic : diagnostics) {
    if (diagnostic.fixes.size() != 1)
      continue;
    const Fix &fix = diagnostic.fixes.front();
    auto hinders = [&](const Fix &other) { return isSame(other, fix) || overlap(other, fix); };
    if (!fix.edits.empty() && std::none_of(chosen.begin(), chosen.end(), hinders))
      chosen.push_back(fix);
  }
  return chosen;
}

std::string withEdits(const std::string &text, const std::vector<TextEdit> &edits) {
  std::vector<size_t> begins{0};
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n')
      begins.push_back(i + 1);
  auto offset = [&](int line, int column) {
    size_t row = static_cast<size_t>(std::max(line - 1, 0));
    return row < begins.size()
               ? std::min(begins[row] + static_cast<size_t>(std::max(column - 1, 0)), text.size())
               : text.size();
  };
  std::vector<TextEdit> sorted = edits;
  std::sort(sorted.begin(), sorted.end(),
            [](const TextEdit &a, const TextEdit &b) { return beginOf(a) < beginOf(b); });
  bool carriageReturns = begins.size() > 1 && begins[1] > 1 && text[begins[1] - 2] == '\r';
  std::string result;
  size_t done = 0;
  for (const TextEdit &edit : sorted) {
    size_t begin = std::max(offset(edit.range.line, edit.range.column), done);
    result.append(text, done, begin - done);
    for (char c : edit.text)
      result += c == '\n' && carriageReturns ? std::string("\r\n") : std::string(1, c);
    done = std::max(offset(edit.range.endLine, edit.range.endColumn), begin);
  }
  return result.append(text, done);
}

void applyFixes(const std::vector<Fix> &fixes, std::set<std::string> &changed,
                Diagnostics &diagnostics) {
  std::map<std::string, std::vector<TextEdit>> files;
  for (const Fix &fix : fixes)
    for (const TextEdit &edit : fix.edits)
      files[edit.range.file].push_back(edit);
  for (const auto &[path, edits] : files) {
    std::string text;
    if (readFile(path, text) && replaceFile(path, withEdits(text, edits)))
      changed.insert(path);
    else
      diagnostics.report(Diag::CannotWrite, {}, path, std::strerror(errno));
  }
}

} // namespace cufc
