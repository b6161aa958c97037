// The items of one completion as they are found: filtered by what is typed, each name once, ranked.
#ifndef CUFLS_IDE_COMPLETION_ITEMS_H
#define CUFLS_IDE_COMPLETION_ITEMS_H

#include "ide/completion.h"
#include "ide/cursor_context.h"
#include "ide/expected.h"
#include "ide/use_edits.h"
#include "ide/word_use.h"
#include <functional>
#include <set>

namespace cufc {

// What speaks for an item before its use in the text, its type and its memory are looked at; the
// weights are in completion_items.cpp.
enum class Rank : std::uint8_t {
  Best,
  Local,
  DeviceWord, // threadIdx, syncthreads in device code
  Host,
  Imported,
  Keyword,
  CommonKeyword, // of statements that every program has
  Snippet,
  Table,
  Intrinsic,
  NotImported, // would need a USE statement
  Elsewhere,   // belongs to the other side, host or device
};

// What kinds of names fit.
struct Wanted {
  bool data = false, functions = false, subroutines = false, types = false, constants = false;
  bool objects = false; // data that can have bound procedures
  bool accepts(const SymbolInfo &symbol) const;
  bool accepts(const ApiEntry &entry) const;
};

class CompletionItems {
public:
  CompletionItems(const Query &query, const ApiTable &api, const CursorContext &context,
                  bool snippets);

  const VisibleNames &names() const { return visible; }
  bool capitals() const { return inCapitals; }
  bool withSnippets() const { return snippets; }
  bool matches(std::string_view name) const;

  // An item whose label is its text.
  void word(const std::string &text, Rank rank, const std::string &entry = {},
            const std::string &module = {}, CompletionKind kind = CompletionKind::Keyword);
  void keyword(const std::string &text, Rank rank = Rank::Keyword);
  // "and" of ".and."; the point behind it comes with it if it is not there.
  void pointed(const std::string &text, Rank rank);
  std::string inCase(const std::string &word) const; // in capitals where the file writes so
  void snippet(const std::string &label, const std::string &text);
  void symbol(const std::string &name, SymbolRef symbol, Rank rank, bool call);
  void add(CompletionItem item, Rank rank, double fit = 1);

  // Everything that fits: names in scope, the table, other modules of the workspace.
  void fitting(const Wanted &wanted, bool call = false);
  void tableRow(const ApiEntry &entry, Rank rank);
  // Words of the procedure around, and of members anywhere, that no list above has.
  void unknownWords();

  // Subroutines are offered with CALL before them, where a statement begins.
  void beginStatement() { callWord = inCapitals ? "CALL " : "call "; }

  CompletionList take();

private:
  double weightOf(const CompletionItem &item, Rank rank, double fit) const;
  void countFiles();
  bool isOutOfSight(const std::string &name) const;
  bool justTyped(const std::string &name, SymbolRef symbol) const;
  Rank rankOf(const SymbolInfo &symbol, Rank rank) const;
  void fromTable(const Wanted &wanted);
  void fromOtherModules(const Wanted &wanted, bool call);
  std::string callText(const std::string &name, SymbolRef symbol) const;

  const Query &query;
  const ApiTable &api;
  const CursorContext &context;
  const bool snippets;
  const VisibleNames visible;
  const bool inCapitals, device;
  const UseEdits uses;
  const WordUse use;
  const Expected expected;
  std::map<std::string, int> files; // of the project that use a name
  std::string callWord;
  std::set<std::string> seen;
  CompletionList list;
};

// Whether the file writes its keywords in capitals, judged by the lines around a place.
bool writesCapitals(const Document &document, TextPosition position);
// The text of a placeholder of a snippet.
std::string escaped(const std::string &text);

} // namespace cufc
#endif // CUFLS_IDE_COMPLETION_ITEMS_H
