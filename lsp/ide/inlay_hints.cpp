// Only what stands in the range that is asked for is looked at, but for the first uses of names
// without a declaration, for which all occurrences before it count.
#include "ide/inlay_hints.h"
#include "ide/block_tree.h"
#include "ide/keywords.h"
#include <algorithm>
#include <fmt/format.h>

namespace cufc {
namespace {

constexpr int longBlock = 12;          // lines, from which its END needs a name
constexpr size_t longestEndLabel = 40; // bytes

class HintMaker {
public:
  HintMaker(const Query &query, const TextRange &range, const HintChoice &choice)
      : query(query), range(range), choice(choice),
        lexemes(lexemesOf(query.document(), query.file.reading)), blocks(textBlocks(lexemes)) {}

  std::vector<InlayHint> all() {
    if (query.file.analysis) {
      addForOccurrences();
      if (choice.launches)
        addLaunches();
    }
    if (choice.blockEnds)
      addBlockEnds();
    std::erase_if(hints, [&](const InlayHint &hint) { return !range.touches(hint.position); });
    std::sort(hints.begin(), hints.end(), [](const InlayHint &a, const InlayHint &b) {
      return std::tie(a.position, a.label) < std::tie(b.position, b.label);
    });
    return std::move(hints);
  }

private:
  const Analysis &analysis() const { return *query.file.analysis; }
  const SymbolInfo &symbolOf(int number) const {
    return analysis().symbols[static_cast<size_t>(number)];
  }
  const StatementSpan &statement(int number) const {
    return lexemes.statements[static_cast<size_t>(number)];
  }

  void addForOccurrences() {
    TextPosition first = query.file.edits.before(range.begin);
    TextPosition last = query.file.edits.before(range.end);
    std::vector<bool> seen(analysis().symbols.size());
    for (const Occurrence &occurrence : analysis().occurrences) {
      const Place &place = occurrence.place;
      if (place.file != 0 || TextPosition{place.line, place.column} > last)
        break;
      if (occurrence.symbol < 0)
        continue;
      auto symbol = static_cast<size_t>(occurrence.symbol);
      bool isFirst = !seen[symbol];
      seen[symbol] = true;
      if (place.line < first.line)
        continue;
      if (std::optional<TextRange> now = query.file.now(place))
        addForOccurrence(occurrence, *now, isFirst);
    }
  }

  void addForOccurrence(const Occurrence &occurrence, const TextRange &now, bool isFirst) {
    const SymbolInfo &symbol = symbolOf(occurrence.symbol);
    bool call = occurrence.role == Role::Call || occurrence.role == Role::Launch;
    size_t lexeme = lexemes.firstBehind(now.begin);
    if (lexeme >= lexemes.all.size() || lexemes.all[lexeme].range() != now)
      return; // it is being edited
    if (choice.argumentNames && call && symbol.kind != SymbolKind::Generic)
      addArgumentNames(lexemes, lexeme, analysis(), symbol, hints);
    if (choice.implicitTypes && isFirst && symbol.implicit && !symbol.type.empty())
      hints.push_back({now.end, ": " + symbol.type, HintKind::ImplicitType,
                       "typed by the first letter of its name"});
    if (choice.memory && occurrence.role == Role::Declaration &&
        occurrence.place == symbol.declared && symbol.kind == SymbolKind::Variable)
      addMemory(symbol, now);
  }

  // --- memory
  // Attributes that the analysis knows and that stand in no statement about the variable.
  void addMemory(const SymbolInfo &symbol, const TextRange &now) {
    struct Row {
      int attribute;
      const char *word, *tooltip;
    };
    static constexpr Row rows[] = {
        {data_attribute::Device, "device", "dummy arguments of device code are in device memory"},
        {data_attribute::Managed, "managed", "by the compiler's options"},
        {data_attribute::Unified, "unified", "by the compiler's options"},
        {data_attribute::Pinned, "pinned", "by the compiler's options"}};
    for (const Row &row : rows) {
      if (!(symbol.dataAttributes & row.attribute) || isSaid(row.word, now))
        continue;
      if (row.attribute != data_attribute::Device || symbol.dummyOf >= 0)
        hints.push_back({endOfEntity(now), fmt::format("in {} memory", row.word), HintKind::Memory,
                         row.tooltip});
      else if (!symbol.shape.empty() && symbol.shape.find(':') == std::string::npos &&
               (symbol.dataAttributes & ~data_attribute::Device) == 0)
        hints.push_back({endOfEntity(now), "in local memory", HintKind::Memory,
                         "each thread has its own, in local memory"});
    }
  }

  // Behind the bounds of "a(n)".
  TextPosition endOfEntity(const TextRange &name) const {
    size_t i = lexemes.firstBehind(name.begin) + 1;
    TextPosition end = name.end;
    if (i >= lexemes.all.size() || lexemes.textOf(lexemes.all[i]) != "(")
      return end;
    for (int depth = 0; i < lexemes.all.size() && lexemes.all[i].line == name.begin.line; ++i) {
      std::string_view text = lexemes.textOf(lexemes.all[i]);
      depth += text == "(" ? 1 : text == ")" ? -1 : 0;
      end = lexemes.all[i].range().end;
      if (depth == 0)
        break;
    }
    return end;
  }

  bool contains(const StatementSpan &span, std::string_view word) const {
    for (size_t i = span.first; i < span.end; ++i)
      if (lexemes.all[i].kind == LexemeKind::Keyword && lexemes.wordOf(lexemes.all[i]) == word)
        return true;
    return false;
  }

  // In its declaration, or in a statement "attributes(device) :: a" of the same block.
  bool isSaid(std::string_view word, const TextRange &now) const {
    int number = lexemes.statementAt(now.begin);
    if (number < 0 || contains(statement(number), word))
      return true;
    int block = blockAround(blocks, number);
    std::string name = lexemes.wordOf(lexemes.all[lexemes.firstBehind(now.begin)]);
    auto first =
        static_cast<size_t>(block < 0 ? 0 : std::max(0, blocks[static_cast<size_t>(block)].open));
    size_t end = block < 0 ? lexemes.statements.size()
                           : static_cast<size_t>(blocks[static_cast<size_t>(block)].last) + 1;
    for (size_t i = first; i < end; ++i) {
      const StatementSpan &span = lexemes.statements[i];
      const Lexeme &begin = lexemes.all[span.first];
      if (begin.kind != LexemeKind::Keyword)
        continue;
      std::string keyword = lexemes.wordOf(begin);
      if (keyword == "contains")
        break;
      if ((keyword == "attributes" || keyword == word) && contains(span, word) && names(span, name))
        return true;
    }
    return false;
  }

  bool names(const StatementSpan &span, const std::string &name) const {
    for (size_t i = span.first; i < span.end; ++i)
      if (lexemes.all[i].kind == LexemeKind::Name && lexemes.wordOf(lexemes.all[i]) == name)
        return true;
    return false;
  }

  // --- launches
  struct Extents {
    std::string text;
    std::optional<std::int64_t> product;
  };

  static Extents extentsOf(const LaunchExtent &extent) {
    Extents result;
    std::int64_t product = extent.extents.empty() ? 0 : 1;
    size_t count = extent.extents.size();
    while (count > 1 && extent.extents[count - 1] == 1)
      --count;
    for (size_t i = 0; i < count; ++i) {
      const auto &one = extent.extents[i];
      if (!one || *one <= 0 || *one > INT32_MAX)
        return {};
      result.text += (i > 0 ? "x" : "") + std::to_string(*one);
      if (product > INT64_MAX / *one)
        return {};
      product *= *one;
    }
    if (product > 0)
      result.product = product;
    return result;
  }

  static std::string counted(const Extents &extents, const char *one, const char *many) {
    return extents.text + " " + (extents.product == 1 ? one : many);
  }

  static std::string launchLabel(const LaunchInfo &launch) {
    Extents grid = extentsOf(launch.grid), block = extentsOf(launch.block);
    if (!block.product)
      return grid.product ? counted(grid, "block", "blocks") : "";
    std::string threads = counted(block, "thread", "threads");
    if (!grid.product)
      return threads + " a block";
    std::string label = counted(grid, "block", "blocks") + " x " + threads;
    if (*grid.product <= INT64_MAX / *block.product)
      label += " = " + std::to_string(*grid.product * *block.product) + " threads";
    return label;
  }

  void addLaunches() {
    for (const LaunchInfo &launch : analysis().launches) {
      std::optional<TextRange> now = query.file.now(launch.place);
      if (!now || now->end < range.begin || range.end < now->begin)
        continue;
      int number = lexemes.statementAt(now->begin);
      if (number < 0)
        continue;
      if (std::string label = launchLabel(launch); !label.empty())
        addBehindChevrons(statement(number), label);
      if (launch.kernel < 0)
        addLoops(number, launch.loops);
    }
  }

  void addBehindChevrons(const StatementSpan &span, const std::string &label) {
    for (size_t i = span.first; i < span.end; ++i)
      if (lexemes.textOf(lexemes.all[i]) == ">>>")
        return hints.push_back({lexemes.all[i].range().end, label, HintKind::Launch, ""});
  }

  // The loops of a CUF kernel directive: the inner one runs along x.
  void addLoops(int directive, int loops) {
    static constexpr const char *dimensions[] = {"x", "y", "z"};
    int left = loops;
    for (size_t i = static_cast<size_t>(directive) + 1; i < lexemes.statements.size() && left > 0;
         ++i) {
      const StatementSpan &span = lexemes.statements[i];
      if (span.kind == StatementSpan::Directive)
        continue;
      if (!contains(span, "do"))
        return;
      --left;
      if (left < 3)
        hints.push_back({lexemes.rangeOf(span).end,
                         std::string("on the device, along ") + dimensions[left], HintKind::Launch,
                         ""});
    }
  }

  // --- ends of blocks
  void addBlockEnds() {
    for (const TextBlock &block : blocks) {
      if (block.close < 0 || block.open < 0 || block.endName >= 0)
        continue;
      TextRange end = lexemes.rangeOf(statement(block.close));
      TextRange begin = lexemes.rangeOf(statement(block.open));
      if (end.end.line - begin.begin.line < longBlock || !range.touches(end.end))
        continue;
      if (std::string label = endLabel(block); !label.empty())
        hints.push_back({end.end, label, HintKind::BlockEnd, ""});
    }
  }

  std::string endLabel(const TextBlock &block) const {
    const StatementSpan &open = statement(block.open);
    if (block.name >= 0 && !block.named) {
      std::string name(lexemes.textOf(lexemes.all[static_cast<size_t>(block.name)]));
      bool plain = lexemes.code(statement(block.close)).size() == 1 &&
                   lexemes.wordOf(lexemes.all[statement(block.close).first]) == "end";
      return plain ? std::string(endOf(block.kind)).substr(4) + " " + name : name;
    }
    if (isUnit(block.kind))
      return {};
    std::string text = lexemes.joined(open);
    if (text.size() > longestEndLabel) {
      text.resize(longestEndLabel);
      while (!text.empty() && (text.back() & 0x80)) // no part of a character
        text.pop_back();
      text += "...";
    }
    return text;
  }

  const Query &query;
  TextRange range;
  HintChoice choice;
  Lexemes lexemes;
  std::vector<TextBlock> blocks;
  std::vector<InlayHint> hints;
};

} // namespace

std::vector<InlayHint> inlayHints(const Query &query, const TextRange &range,
                                  const HintChoice &choice) {
  return HintMaker(query, range, choice).all();
}

} // namespace cufc
