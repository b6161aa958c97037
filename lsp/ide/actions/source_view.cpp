// See source_view.h. Statements come from the text as it is now, names from the last analysis.
#include "ide/actions/source_view.h"
#include "base/source_text.h"
#include "ide/format/layout.h"
#include "source/statement_words.h"
#include "source/statements.h"
#include <algorithm>
#include <cctype>
#include <set>

namespace cufc {
namespace {

bool isWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::string firstWord(std::string_view text) {
  size_t at = 0;
  auto word = [&] {
    size_t begin = text.find_first_not_of(" \t", at);
    at = begin = std::min(begin, text.size());
    while (at < text.size() && isWordCharacter(text[at]))
      ++at;
    return lowerCase(text.substr(begin, at - begin));
  };
  std::string result = word();
  size_t next = text.find_first_not_of(" \t", at);
  if (next != text.npos && text[next] == ':' && text.substr(next, 2) != "::") {
    at = next + 1;
    result = word(); // behind the name of a construct
  }
  return result;
}

// Whether "=" stands outside of parentheses and strings, and no "::".
bool isAssignment(std::string_view text) {
  int depth = 0;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '\'' || c == '"')
      quote = c;
    else if (c == '(')
      ++depth;
    else if (c == ')')
      --depth;
    else if (depth == 0 && text.substr(i, 2) == "::")
      return false;
    else if (depth == 0 && c == '=')
      return true;
  }
  return false;
}

bool isDeclaration(const CodeStatement &statement) {
  bool renames = statement.word == "use" && statement.text.find("=>") != std::string::npos;
  return hasRole(statement.word, word_role::Declares) && (renames || !isAssignment(statement.text));
}

bool isNested(Block block) {
  return block == Block::Interface || block == Block::Type || block == Block::Enum;
}

} // namespace

std::vector<CodeStatement> statementsIn(const ActionContext &context, int firstLine, int lastLine) {
  std::string text;
  for (int line = std::max(1, firstLine); line <= lastLine; ++line)
    text.append(context.document().line(line)) += '\n';
  std::vector<CodeStatement> result;
  std::vector<Block> open;
  int shift = std::max(1, firstLine) - 1;
  forEachStatement(text, context.file.reading.fixedForm, context.file.reading.columns,
                   [&](const Statement &statement) {
                     CodeStatement found;
                     size_t begin = statement.text.find_first_not_of(" \t");
                     found.text = trimmed(statement.text);
                     found.first = statement.places[begin].line + shift;
                     found.last = statement.places.back().line + shift;
                     found.role =
                         quickRoleOf(found.text, !open.empty() && open.back() == Block::Interface);
                     found.word = firstWord(found.text);
                     if (found.role.kind == StatementRole::Opens)
                       open.push_back(found.role.block);
                     else if (found.role.kind == StatementRole::Closes && !open.empty())
                       open.pop_back();
                     if (!result.empty() && result.back().last >= found.first)
                       result.back().sharesLine = found.sharesLine = true;
                     result.push_back(std::move(found));
                   });
  return result;
}

UnitAround unitAround(const ActionContext &context, TextPosition position, bool outermost) {
  UnitAround result;
  if (!context.file.analysis)
    return result;
  const std::vector<ScopeInfo> &scopes = context.file.analysis->scopes;
  Query query{context.workspace, context.file, position};
  for (int scope = scopeAt(query); scope > 0; scope = scopes[static_cast<size_t>(scope)].parent) {
    const ScopeInfo &row = scopes[static_cast<size_t>(scope)];
    bool unit = row.kind == ScopeKind::Subprogram || row.kind == ScopeKind::MainProgram ||
                row.kind == ScopeKind::Module || row.kind == ScopeKind::Submodule;
    if (!unit || (result && !outermost))
      continue;
    std::optional<TextRange> now = context.file.now(row.place);
    if (!now || row.place.file != 0)
      return {};
    result = {scope, now->begin.line, now->end.line - (now->end.column <= 1 ? 1 : 0)};
  }
  return result;
}

UnitAround procedureAround(const ActionContext &context, TextPosition position) {
  UnitAround unit = unitAround(context, position);
  if (!unit)
    return unit;
  ScopeKind kind = context.file.analysis->scopes[static_cast<size_t>(unit.scope)].kind;
  return kind == ScopeKind::Subprogram || kind == ScopeKind::MainProgram ? unit : UnitAround();
}

namespace {

// `complete` says whether its end was found.
SpecificationPart specificationIn(const ActionContext &context, const UnitAround &unit,
                                  bool &complete) {
  SpecificationPart part;
  complete = false;
  int nested = 0;
  bool begun = false;
  for (const CodeStatement &s : statementsIn(context, unit.firstLine, unit.lastLine)) {
    if (!begun && s.role.kind == StatementRole::Opens && isUnit(s.role.block)) {
      part.lastUse = part.lastDeclaration = s.last;
      begun = true;
      continue;
    }
    if (!begun)
      part.lastUse = part.lastDeclaration = s.first - 1;
    begun = true;
    if (s.role.kind == StatementRole::Opens && (nested > 0 || isNested(s.role.block)))
      ++nested;
    else if (s.role.kind == StatementRole::Closes && nested > 0) {
      --nested;
      if (nested == 0) {
        part.lastDeclaration = s.last;
        continue;
      }
    }
    if (nested > 0)
      continue;
    if (part.indentation.empty())
      part.indentation = indentationOf(context.document(), s.first);
    complete = !isDeclaration(s);
    if (complete)
      break;
    if (s.word == "use")
      part.lastUse = s.last;
    part.lastDeclaration = s.last;
  }
  if (part.indentation.empty())
    part.indentation = indentationOf(context.document(), unit.firstLine) + "  ";
  return part;
}

} // namespace

// Most are short, whatever follows them.
SpecificationPart specificationOf(const ActionContext &context, const UnitAround &unit) {
  bool complete = false;
  UnitAround begin = unit;
  begin.lastLine = std::min(unit.lastLine, unit.firstLine + 300);
  SpecificationPart part = specificationIn(context, begin, complete);
  return complete || begin.lastLine == unit.lastLine ? part
                                                     : specificationIn(context, unit, complete);
}

LoopNest loopNestAt(const ActionContext &context) {
  LoopNest nest;
  UnitAround unit = procedureAround(context, context.range.begin);
  if (!unit)
    return nest;
  std::vector<CodeStatement> all = statementsIn(context, unit.firstLine, unit.lastLine);
  auto at = std::find_if(all.begin(), all.end(), [&](const CodeStatement &s) {
    return s.first <= context.range.begin.line && s.last >= context.range.begin.line &&
           s.role.kind == StatementRole::Opens && s.role.block == Block::Do;
  });
  size_t begin = static_cast<size_t>(at - all.begin()), end = begin;
  for (int depth = 0; end < all.size(); ++end) {
    if (all[end].role.block == Block::Do)
      depth += all[end].role.kind == StatementRole::Opens    ? 1
               : all[end].role.kind == StatementRole::Closes ? -1
                                                             : 0;
    if (depth == 0)
      break;
  }
  if (begin >= all.size() || end >= all.size() || all[end].sharesLine || all[begin].sharesLine)
    return nest;
  nest.first = all[begin].first;
  nest.last = all[end].last;
  size_t inner = begin, innerEnd = end;
  while (inner < innerEnd && all[inner].role.kind == StatementRole::Opens &&
         all[inner].role.block == Block::Do && !controlOf(all[inner]).variable.empty() &&
         all[innerEnd].role.kind == StatementRole::Closes) {
    nest.heads.push_back(all[inner]);
    nest.ends.push_back(all[innerEnd].first);
    ++inner;
    --innerEnd;
    int depth = 0; // the next loop has to reach from here to there
    bool whole = inner < innerEnd && all[inner].role.block == Block::Do;
    for (size_t i = inner; whole && i <= innerEnd; ++i) {
      if (all[i].role.block == Block::Do)
        depth += all[i].role.kind == StatementRole::Opens ? 1 : -1;
      whole = depth > 0 || i == innerEnd;
    }
    if (!whole)
      break;
  }
  for (size_t i = inner; i <= innerEnd && !nest.heads.empty(); ++i)
    nest.body.push_back(all[i]);
  return nest;
}

LoopControl controlOf(const CodeStatement &loop) {
  LoopControl control;
  size_t equals = loop.text.find('=');
  std::string head = lowerCase(loop.text.substr(0, std::min(equals, loop.text.size())));
  if (equals == std::string::npos || head.find('(') != std::string::npos)
    return control; // DO WHILE, DO CONCURRENT
  std::vector<std::string> parts = splitList(std::string_view(loop.text).substr(equals + 1));
  if (parts.size() < 2)
    return control;
  head = trimmed(std::string_view(loop.text).substr(0, equals));
  size_t begin = head.size();
  while (begin > 0 && isWordCharacter(head[begin - 1]))
    --begin;
  control = {head.substr(begin), parts[0], parts[1], parts.size() > 2 ? parts[2] : ""};
  return control;
}

std::vector<OccurrenceAt> namesIn(const ActionContext &context, int firstLine, int lastLine) {
  std::vector<OccurrenceAt> result;
  if (!context.file.analysis)
    return result;
  const std::vector<Occurrence> &all = context.file.analysis->occurrences;
  TextPosition begin = context.file.edits.before({firstLine, 1});
  auto at =
      std::lower_bound(all.begin(), all.end(), begin, [](const Occurrence &o, TextPosition p) {
        return o.place.file < 1 && TextPosition{o.place.line, o.place.column} < p;
      });
  for (; at != all.end() && at->place.file <= 0; ++at) {
    std::optional<TextRange> now = context.file.now(at->place);
    if (!now || at->symbol < 0)
      continue;
    if (now->begin.line > lastLine)
      break;
    if (now->begin.line >= firstLine)
      result.push_back({{&context.file, at->symbol}, at->role, *now});
  }
  return result;
}

TextChange linesBelow(const Document &document, int line, const std::string &text) {
  if (line < 1)
    return linesAbove(1, text);
  TextPosition end{line, static_cast<int>(document.line(line).size()) + 1};
  return {{end, end}, "\n" + text};
}

TextChange linesAbove(int line, const std::string &text) {
  return {{{line, 1}, {line, 1}}, text + "\n"};
}

std::string indentationOf(const Document &document, int line) {
  std::string_view text = document.line(line);
  return std::string(text.substr(0, std::min(text.find_first_not_of(" \t"), text.size())));
}

std::string trimmed(std::string_view text) {
  size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  size_t end = text.find_last_not_of(" \t");
  return std::string(text.substr(begin, end == text.npos ? 0 : end + 1 - begin));
}

std::vector<std::string> splitList(std::string_view text) {
  std::vector<std::string> parts;
  int depth = 0;
  char quote = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    char c = i < text.size() ? text[i] : ',';
    if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '\'' || c == '"')
      quote = c;
    else if (c == '(' || c == '[')
      ++depth;
    else if (c == ')' || c == ']')
      --depth;
    if (i == text.size() || (c == ',' && depth == 0 && !quote)) {
      parts.push_back(trimmed(text.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  return parts;
}

std::string freeName(const ActionContext &context, const std::string &wish) {
  const Analysis &analysis = *context.file.analysis;
  auto isTaken = [&](const std::string &name) {
    auto same = [&](const std::string &other) {
      return other.size() == name.size() && lowerCase(other) == lowerCase(name);
    };
    return std::any_of(analysis.symbols.begin(), analysis.symbols.end(),
                       [&](const SymbolInfo &symbol) { return same(symbol.name); }) ||
           std::any_of(analysis.scopes.begin(), analysis.scopes.end(), [&](const ScopeInfo &scope) {
             return std::any_of(scope.uses.begin(), scope.uses.end(), [&](const UseInfo &use) {
               return std::any_of(use.names.begin(), use.names.end(), same);
             });
           });
  };
  std::string name = wish;
  for (int number = 2; isTaken(name); ++number)
    name = wish + std::to_string(number);
  return name;
}

bool overlap(const TextRange &a, const TextRange &b) {
  return a.begin <= b.end && b.begin <= a.end;
}

std::optional<TextRange> rangeNow(const ActionContext &context, const SourceRange &range) {
  if (range.line < 1 || (!range.file.empty() && range.file != context.file.path))
    return std::nullopt;
  return context.file.now({0, range.line, range.column, range.endLine, range.endColumn});
}

bool hasWord(const std::string &text, const std::string &word) {
  auto isPart = [&](size_t i) { return i < text.size() && isWordCharacter(text[i]); };
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1))
    if ((at == 0 || !isPart(at - 1)) && !isPart(at + word.size()))
      return true;
  return false;
}

} // namespace cufc
