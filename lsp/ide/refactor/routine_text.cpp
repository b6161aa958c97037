// See routine_text.h. A block's branches (ELSE, CASE) are told apart, since what stands in one says
// nothing of the others.
#include "ide/refactor/routine_text.h"
#include "base/source_text.h"
#include "ide/actions/fixed_form.h"
#include "ide/format/layout.h"
#include <algorithm>

namespace cufc {
namespace {

constexpr int branchesOfBlock = 1024;

bool isDigit(char c) { return c >= '0' && c <= '9'; }

int numberAt(std::string_view text) {
  int number = 0;
  for (char c : text)
    if (isDigit(c))
      number = number * 10 + (c - '0');
    else if (c != ' ' && c != '\t')
      break;
  return number;
}

// The label of "do 10 i = 1, n", or 0.
int labelOfDo(const Piece &piece) {
  if (!piece.isDo())
    return 0;
  size_t at = lowerCase(piece.text).find("do");
  at = piece.text.find_first_not_of(" \t", at + 2);
  return at != std::string::npos && isDigit(piece.text[at])
             ? numberAt(std::string_view(piece.text).substr(at))
             : 0;
}

std::string directiveOf(std::string_view line) {
  std::string text = lowerCase(trimmed(line));
  if (text.size() < 4 || (text[0] != '!' && text[0] != 'c' && text[0] != '*') || text[1] != '$')
    return text.starts_with("!dir$") || text.starts_with("!dec$") ? text : "";
  return "!" + text.substr(1);
}

bool isFirstPart(const std::vector<int> &start, const std::vector<int> &whole) {
  return start.size() <= whole.size() && std::equal(start.begin(), start.end(), whole.begin());
}

} // namespace

std::string withoutBlanksAt(std::string_view text) {
  std::string result = lowerCase(text);
  std::erase_if(result, [](char c) { return c == ' ' || c == '\t'; });
  return result;
}

bool isOnDeviceOnly(const SymbolInfo &symbol) {
  return (symbol.dataAttributes & (data_attribute::Device | data_attribute::Constant |
                                   data_attribute::Shared | data_attribute::Texture)) != 0;
}

bool hasAttribute(const SymbolInfo &symbol, std::string_view attribute) {
  return std::find(symbol.attributes.begin(), symbol.attributes.end(), attribute) !=
         symbol.attributes.end();
}

Subscripts subscriptsIn(const std::string &text, size_t behindName) {
  Subscripts found;
  size_t open = text.find_first_not_of(" \t", behindName);
  if (open == std::string::npos || text[open] != '(')
    return found;
  int depth = 0;
  char quote = 0;
  for (size_t i = open; i < text.size(); ++i) {
    char c = text[i];
    if (quote || c == '\'' || c == '"')
      quote = !quote ? c : c == quote ? char(0) : quote;
    else if (c == '(')
      ++depth;
    else if (c == ')' && --depth == 0) {
      found = {open, i, splitList(std::string_view(text).substr(open + 1, i - open - 1))};
      break;
    }
  }
  return found;
}

RoutineText routineAt(const ActionContext &context) {
  return {context, procedureAround(context, context.range.begin)};
}

RoutineText::RoutineText(const ActionContext &context, const UnitAround &unit)
    : context(context), unit(unit) {
  if (!unit)
    return;
  readStatements();
  findBlocks();
  findNames();
}

const SymbolInfo &RoutineText::row(int symbol) const {
  return context.file.analysis->symbols[static_cast<size_t>(symbol)];
}

const ScopeInfo &RoutineText::scope() const {
  return context.file.analysis->scopes[static_cast<size_t>(unit.scope)];
}

void RoutineText::readStatements() {
  std::string text;
  for (int line = unit.firstLine; line <= unit.lastLine; ++line)
    text.append(context.document().line(line)) += '\n';
  int shift = unit.firstLine - 1;
  std::vector<Block> open;
  forEachStatement(
      text, context.file.reading.fixedForm, context.file.reading.columns,
      [&](const Statement &statement) {
        Piece piece;
        size_t begin = statement.text.find_first_not_of(" \t");
        size_t end = statement.text.find_last_not_of(" \t") + 1;
        piece.text = statement.text.substr(begin, end - begin);
        piece.places.assign(statement.places.begin() + static_cast<long>(begin),
                            statement.places.begin() + static_cast<long>(end));
        for (Statement::Place &place : piece.places)
          place.line += shift;
        piece.first = piece.places.front().line;
        piece.last = piece.places.back().line;
        bool inInterface = !open.empty() && open.back() == Block::Interface;
        piece.role = quickRoleOf(piece.text, inInterface);
        size_t colon = piece.text.find(':');
        forEachWordIn(piece.text, [&](const std::string &word, size_t at) {
          if (piece.word.empty() || (piece.named && at > colon && piece.word.back() == ':'))
            piece.word = word;
          if (at == 0 && colon != std::string::npos &&
              piece.text.find(':', colon + 1) != colon + 1 &&
              piece.text.find_first_not_of(" \t", word.size()) == colon) {
            piece.named = true;
            piece.word += ':';
          }
        });
        std::string_view line = context.document().line(piece.first);
        piece.label = numberAt(line.substr(
            0, std::min<size_t>(line.size(), static_cast<size_t>(piece.places[0].column) - 1)));
        if (piece.role.kind == StatementRole::Opens)
          open.push_back(piece.role.block);
        else if (piece.role.kind == StatementRole::Closes && !open.empty())
          open.pop_back();
        if (!pieces.empty() && pieces.back().last >= piece.first)
          pieces.back().sharesLine = piece.sharesLine = true;
        pieces.push_back(std::move(piece));
      });
}

void RoutineText::findBlocks() {
  struct Open {
    int piece, label, branch;
  };
  std::vector<Open> open;
  contains = pieces.empty() ? 0 : pieces.size() - 1;
  bool containsFound = false;
  for (size_t i = 0; i < pieces.size(); ++i) {
    Piece &piece = pieces[i];
    auto number = static_cast<int>(i);
    bool closes = piece.role.kind == StatementRole::Closes;
    if (closes && !open.empty()) {
      pieces[static_cast<size_t>(open.back().piece)].partner = number;
      piece.partner = open.back().piece;
      balanced &= open.back().label == 0;
      open.pop_back();
    } else if (closes) {
      balanced &= i + 1 == pieces.size();
    }
    if (piece.role.kind == StatementRole::Branch && !open.empty())
      ++open.back().branch;
    if (piece.role.kind == StatementRole::Contains && open.size() <= 1 && !containsFound) {
      contains = i;
      containsFound = true;
    }
    for (const Open &block : open)
      piece.blocks.push_back(block.piece * branchesOfBlock + block.branch);
    if (piece.role.kind == StatementRole::Branch && !piece.blocks.empty())
      piece.blocks.pop_back();
    int label = labelOfDo(piece);
    if (piece.role.kind == StatementRole::Opens || label > 0)
      open.push_back({number, label, 0});
    while (piece.label > 0 && !open.empty() && open.back().label == piece.label) {
      pieces[static_cast<size_t>(open.back().piece)].partner = number;
      piece.partner = open.back().piece;
      open.pop_back();
    }
  }
  balanced &= open.empty();
}

void RoutineText::findNames() {
  std::map<std::pair<int, int>, std::pair<size_t, size_t>> at;
  for (size_t i = 0; i < pieces.size(); ++i)
    for (size_t c = 0; c < pieces[i].places.size(); ++c)
      at[{pieces[i].places[c].line, pieces[i].places[c].column}] = {i, c};
  for (const OccurrenceAt &name : cufc::namesIn(context, unit.firstLine, unit.lastLine)) {
    auto place = at.find({name.range.begin.line, name.range.begin.column});
    if (place == at.end())
      continue;
    size_t length = name.range.begin.line == name.range.end.line
                        ? static_cast<size_t>(name.range.end.column - name.range.begin.column)
                        : name.symbol.info().name.size();
    names.push_back(
        {place->second.first, place->second.second, length, name.symbol.symbol, name.role});
  }
  std::multimap<std::pair<size_t, size_t>, NameAt> sorted; // of one place as they came
  for (const NameAt &name : names)
    sorted.emplace(std::pair(name.piece, name.offset), name);
  names.clear();
  for (const auto &[place, name] : sorted)
    names.push_back(name);
}

std::vector<NameAt> RoutineText::namesIn(size_t first, size_t last) const {
  auto begin = std::lower_bound(names.begin(), names.end(), first,
                                [](const NameAt &n, size_t piece) { return n.piece < piece; });
  auto end = std::upper_bound(begin, names.end(), last,
                              [](size_t piece, const NameAt &n) { return piece < n.piece; });
  return {begin, end};
}

TextRange RoutineText::rangeOf(size_t piece, size_t offset, size_t length) const {
  const std::vector<Statement::Place> &places = pieces[piece].places;
  const Statement::Place &begin = places[offset], &end = places[offset + length - 1];
  return {{begin.line, begin.column}, {end.line, end.column + 1}};
}

TextRange RoutineText::linesOf(size_t first, size_t last) const {
  int line = pieces[last].last;
  return {{pieces[first].first, 1},
          {line, static_cast<int>(context.document().line(line).size()) + 1}};
}

int RoutineText::pieceAt(int line) const {
  for (size_t i = 0; i < pieces.size(); ++i)
    if (pieces[i].first <= line && pieces[i].last >= line)
      return static_cast<int>(i);
  return -1;
}

bool RoutineText::dominates(size_t before, size_t after) const {
  return before < after && isFirstPart(pieces[before].blocks, pieces[after].blocks);
}

bool RoutineText::isNamedBy(const std::set<std::string> &words, int symbol) const {
  return std::any_of(names.begin(), names.end(), [&](const NameAt &name) {
    return name.symbol == symbol && words.contains(pieces[name.piece].word);
  });
}

bool RoutineText::isOwn(int symbol) const {
  const SymbolInfo &info = row(symbol);
  static const std::set<std::string> sharing = {"common", "equivalence", "namelist", "data",
                                                "entry"};
  return info.kind == SymbolKind::Variable && info.scope == unit.scope && info.dummyOf < 0 &&
         info.module.empty() && info.value.empty() && !hasAttribute(info, "pointer") &&
         !hasAttribute(info, "target") && !hasAttribute(info, "save") && scope().symbol != symbol &&
         (scope().symbol < 0 || row(scope().symbol).result != symbol) &&
         !isNamedBy(sharing, symbol);
}

bool RoutineText::usedOutside(int symbol, size_t first, size_t last) const {
  if (!isOwn(symbol))
    return true;
  bool jumps = std::any_of(pieces.begin(), pieces.end(), [](const Piece &p) {
    return p.label > 0 && p.word != "format" && !(p.partner >= 0 && p.word == "continue");
  });
  for (const NameAt &read : names) {
    if (read.symbol != symbol || (read.piece >= first && read.piece <= last))
      continue;
    if (read.piece > contains)
      return true; // an internal procedure
    if (!read.reads())
      continue;
    bool set = std::any_of(names.begin(), names.end(), [&](const NameAt &write) {
      bool inside = write.piece >= first && write.piece <= last;
      return write.symbol == symbol && write.role == Role::Write && !inside &&
             (read.piece < first || write.piece > last) && dominates(write.piece, read.piece);
    });
    if (!set || jumps)
      return true;
  }
  return false;
}

std::string RoutineText::indentation(size_t piece) const {
  return indentationOf(context.document(), pieces[piece].first);
}

std::string RoutineText::fixedLines(size_t first, size_t last) const {
  for (size_t i = first; i <= last; ++i) {
    if (pieces[i].sharesLine)
      return because(Refusal::SharedLine, pieces[i].first);
    if (pieces[i].word == "include")
      return because(Refusal::Preprocessor, pieces[i].first);
  }
  for (int line = pieces[first].first; line <= pieces[last].last; ++line) {
    std::string_view text = context.document().line(line);
    if (text.starts_with("#") || lowerCase(trimmed(text)).starts_with("!@cuf"))
      return because(Refusal::Preprocessor, line);
    if (!directiveOf(text).empty())
      return because(Refusal::Directive, line);
  }
  return {};
}

int RoutineText::directiveFor(size_t first, size_t last) const {
  const Document &document = context.document();
  for (int line = pieces[first].first; line <= pieces[last].last; ++line)
    if (!directiveOf(document.line(line)).empty())
      return line;
  std::vector<int> heads = {pieces[first].first};
  for (int block : pieces[first].blocks)
    heads.push_back(pieces[static_cast<size_t>(block / branchesOfBlock)].first);
  for (int head : heads)
    for (int line = head - 1; line > unit.firstLine; --line) {
      if (!directiveOf(document.line(line)).empty())
        return line;
      std::string text = trimmed(document.line(line));
      if (!text.empty() && text[0] != '!' && !isFixedComment(document.line(line)))
        break;
    }
  static constexpr const char *regions[] = {
      "!$omp parallel", "!$omp target",    "!$omp single",   "!$omp master",   "!$omp sections",
      "!$omp task",     "!$omp workshare", "!$omp teams",    "!$acc parallel", "!$acc kernels",
      "!$acc data",     "!$acc serial",    "!$acc host_data"};
  int open = 0, place = 0;
  for (int line = unit.firstLine; line < pieces[first].first; ++line) {
    std::string text = directiveOf(document.line(line));
    if (text.empty())
      continue;
    bool ends = text.starts_with("!$omp end") || text.starts_with("!$acc end");
    bool begins = std::any_of(std::begin(regions), std::end(regions),
                              [&](const char *region) { return text.starts_with(region); }) &&
                  text.find(" do") == text.npos && text.find(" loop") == text.npos;
    open = std::max(0, open + (begins ? 1 : 0) - (ends && open > 0 ? 1 : 0));
    place = begins ? line : place;
  }
  return open > 0 ? place : 0;
}

std::string RoutineText::unknownWord(size_t number) const {
  static const std::set<std::string> keywords = {
      "if",   "else",       "elseif",   "then",      "end",       "endif", "enddo",
      "do",   "while",      "select",   "case",      "default",   "where", "elsewhere",
      "call", "concurrent", "continue", "endselect", "selectcase"};
  const Piece &piece = pieces[number];
  std::set<size_t> known;
  for (const NameAt &name : namesIn(number, number))
    known.insert(name.offset);
  std::string unknown;
  forEachWordIn(piece.text, [&](const std::string &word, size_t at) {
    size_t before = piece.text.find_last_not_of(" \t", at == 0 ? std::string::npos : at - 1);
    size_t behind = piece.text.find_first_not_of(" \t", at + word.size());
    char left = at == 0 || before == std::string::npos ? '\0' : piece.text[before];
    char right = behind == std::string::npos ? '\0' : piece.text[behind];
    bool dotted = left == '.' && (right == '.' || (before > 0 && isDigit(piece.text[before - 1])));
    bool argument = right == '=' && piece.text.find('=', behind + 1) != behind + 1 &&
                    (left == '(' || left == ',');
    bool exponent = left == '.' && (word[0] == 'e' || word[0] == 'd') && word.size() > 1;
    if (isDigit(word[0]) || dotted || exponent || argument || left == '%' || known.contains(at) ||
        keywords.contains(word) || !unknown.empty())
      return;
    unknown = piece.text.substr(at, word.size());
  });
  return unknown;
}

} // namespace cufc
