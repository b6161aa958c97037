// USE statements of a unit in order: by name with intrinsic modules first, statements for the same
// module joined, names of ONLY sorted and without those that nothing uses.
//
// Only runs of statements with nothing else between them are touched, so that comments and lines of
// the preprocessor keep their place; a statement with a comment behind it stays in one piece.
#include "base/diagnostics.h"
#include "base/source_text.h"
#include "ide/actions/source_view.h"
#include <algorithm>

namespace cufc {
namespace {

struct UseStatement {
  std::string nature; // ", intrinsic"
  std::string module;
  bool only = false;
  std::vector<std::string> names; // of ONLY, or renames
  std::string comment;            // behind it
};

std::optional<UseStatement> parse(const std::string &text) {
  UseStatement use;
  std::string rest = trimmed(std::string_view(text).substr(3));
  if (size_t colons = rest.find("::"); colons != std::string::npos) {
    use.nature = trimmed(std::string_view(rest).substr(0, colons));
    rest = trimmed(std::string_view(rest).substr(colons + 2));
  }
  std::vector<std::string> parts = splitList(rest);
  if (parts.empty() || parts[0].empty() || parts[0].find_first_of(" ()=:") != std::string::npos)
    return std::nullopt;
  use.module = parts[0];
  for (size_t i = 1; i < parts.size(); ++i) {
    std::string part = parts[i];
    size_t colon = part.find(':');
    if (i == 1 && colon != std::string::npos &&
        lowerCase(trimmed(part.substr(0, colon))) == "only") {
      use.only = true;
      part = trimmed(std::string_view(part).substr(colon + 1));
    }
    if (!part.empty())
      use.names.push_back(part);
  }
  return use;
}

// Local names that CUF0504 says nothing uses.
std::vector<std::pair<TextRange, std::string>> unusedNames(const ActionContext &context) {
  std::vector<std::pair<TextRange, std::string>> result;
  for (const Diagnostic &diagnostic : context.diagnostics)
    if (std::optional<TextRange> range = rangeNow(context, diagnostic.range);
        range && diagnostic.code == "CUF0504")
      result.emplace_back(*range, lowerCase(context.document().slice(*range)));
  return result;
}

class Run {
public:
  Run(const ActionContext &context, int first, int last)
      : first(first), last(last), context(context) {}

  int first, last;

  bool add(const CodeStatement &statement) {
    std::optional<UseStatement> use = parse(statement.text);
    if (!use)
      return false;
    // One in several lines is kept together; a comment inside of it would get lost.
    for (int line = statement.first; line <= statement.last; ++line) {
      std::string_view text = context.document().line(line);
      size_t mark = text.find('!');
      if (mark == text.npos)
        continue;
      if (line < statement.last)
        return false;
      use->comment = text.substr(mark);
    }
    remove(statement, *use);
    if (use->only && use->names.empty() && removed)
      return true; // nothing of it is used
    join(std::move(*use));
    return true;
  }

  std::string text(const std::string &indentation) {
    std::sort(uses.begin(), uses.end(), [](const UseStatement &a, const UseStatement &b) {
      bool otherA = a.nature.empty(), otherB = b.nature.empty();
      return std::tuple(otherA, lowerCase(a.module), a.comment) <
             std::tuple(otherB, lowerCase(b.module), b.comment);
    });
    std::string result;
    for (UseStatement &use : uses)
      result += (result.empty() ? "" : "\n") + indentation + lineOf(use, indentation);
    return result;
  }

private:
  void remove(const CodeStatement &statement, UseStatement &use) {
    removed = false;
    for (const auto &[range, name] : unusedNames(context)) {
      if (range.begin.line < statement.first || range.end.line > statement.last)
        continue;
      removed |= std::erase_if(use.names, [&, &unused = name](const std::string &part) {
                   return lowerCase(trimmed(part.substr(0, part.find("=>")))) ==
                              trimmed(unused.substr(0, unused.find("=>"))) ||
                          lowerCase(part) == unused;
                 }) > 0;
    }
  }

  // The same module without renames outside of ONLY makes all visible.
  void join(UseStatement use) {
    for (UseStatement &other : uses) {
      bool same = lowerCase(other.module) == lowerCase(use.module) && other.nature == use.nature &&
                  other.comment.empty() && use.comment.empty();
      bool plain = (other.only || other.names.empty()) && (use.only || use.names.empty());
      if (!same || !plain)
        continue;
      bool renames = hasRename(other) || hasRename(use);
      if (other.only && use.only) {
        other.names.insert(other.names.end(), use.names.begin(), use.names.end());
        return;
      }
      if (!renames) {
        other.only = false;
        other.names.clear();
        return;
      }
    }
    uses.push_back(std::move(use));
  }

  static bool hasRename(const UseStatement &use) {
    return std::any_of(use.names.begin(), use.names.end(),
                       [](const std::string &name) { return name.find("=>") != name.npos; });
  }

  static std::string lineOf(UseStatement &use, const std::string &indentation) {
    auto lower = [](const std::string &a, const std::string &b) {
      return std::pair(lowerCase(a), a) < std::pair(lowerCase(b), b);
    };
    std::sort(use.names.begin(), use.names.end(), lower);
    use.names.erase(std::unique(use.names.begin(), use.names.end(),
                                [](const std::string &a, const std::string &b) {
                                  return lowerCase(a) == lowerCase(b);
                                }),
                    use.names.end());
    std::string line = "use" + use.nature + (use.nature.empty() ? " " : " :: ") + use.module;
    if (use.only)
      line += ", only:";
    size_t begin = 0;
    for (size_t i = 0; i < use.names.size(); ++i) {
      std::string part = (i > 0 || !use.only ? ", " : " ") + use.names[i];
      if (line.size() - begin + part.size() > 96) { // free form has 132 columns
        line += ", &\n";
        begin = line.size();
        part = indentation + "  " + use.names[i];
      }
      line += part;
    }
    return line + (use.comment.empty() ? "" : " " + use.comment);
  }

  const ActionContext &context;
  std::vector<UseStatement> uses;
  bool removed = false;
};

void organize(const ActionContext &context, const UnitAround &unit,
              std::vector<TextChange> &edits) {
  const Document &document = context.document();
  std::vector<CodeStatement> all = statementsIn(context, unit.firstLine, unit.lastLine);
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].word != "use")
      continue;
    Run run(context, all[i].first, all[i].last);
    bool good = true;
    for (; i < all.size() && all[i].word == "use" && all[i].first <= run.last + 1; ++i) {
      good &= !all[i].sharesLine && run.add(all[i]);
      run.last = all[i].last;
    }
    --i;
    TextRange range{{run.first, 1},
                    {run.last, static_cast<int>(document.line(run.last).size()) + 1}};
    std::string text = run.text(indentationOf(document, run.first));
    if (text.empty()) // all of it goes, with the end of the line
      range.end = {run.last + 1, 1};
    if (good && text != document.slice(range))
      edits.push_back({range, text});
  }
}

} // namespace

// All units of the file where it is asked for; with the cursor on a USE statement, those of its
// unit.
void addOrganizedUse(const ActionContext &context, CodeActions &actions) {
  std::string line = lowerCase(trimmed(context.document().line(context.range.begin.line)));
  if (!context.wholeFile && !line.starts_with("use"))
    return;
  std::vector<TextChange> edits;
  UnitAround part = unitAround(context, context.range.begin);
  constexpr int near = 100; // lines, so that a large module is not read
  part.firstLine = std::max(part.firstLine, context.range.begin.line - near);
  part.lastLine = std::min(part.lastLine, context.range.begin.line + near);
  if (context.wholeFile)
    part = {0, 1, context.document().lineCount()};
  organize(context, part, edits);
  if (!edits.empty())
    actions.push_back({"organize USE statements",
                       "source.organizeImports",
                       {{context.file.path, std::move(edits)}}});
}

} // namespace cufc
