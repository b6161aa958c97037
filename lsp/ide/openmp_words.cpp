// A directive's name has one word or several, and a clause may have a word of that name ("parallel
// do", "ordered simd"): the directive is the longest row of the table with which the line begins.
#include "ide/openmp_words.h"
#include "base/source_text.h"
#include <algorithm>

namespace cufc {
namespace {

// The words with which a directive begins.
std::vector<std::string> leadingWords(const std::vector<Token> &tokens) {
  std::vector<std::string> words;
  for (const Token &token : tokens) {
    if (token.kind != Token::Name)
      break;
    words.push_back(token.text);
  }
  return words;
}

struct Directive {
  const ApiEntry *entry = nullptr;
  size_t words = 0; // of its name
};

Directive directiveOf(const std::vector<std::string> &words, const ApiTable &api) {
  Directive result;
  std::string name = "!$omp";
  for (size_t i = 0; i < words.size(); ++i) {
    name += " " + words[i];
    if (const ApiEntry *entry = api.find(name))
      result = {entry, i + 1};
  }
  return result;
}

const ApiEntry *clauseNamed(const std::string &name, const ApiTable &api) {
  return api.find("$omp " + name);
}

// The clause whose parentheses the cursor is in.
const ApiEntry *openClause(const CursorContext &context, const ApiTable &api) {
  if (context.open.empty() || context.open.front().token == 0)
    return nullptr;
  return clauseNamed(context.tokens[context.open.front().token - 1].text, api);
}

bool takesList(const ApiEntry &clause) {
  return std::any_of(clause.usage.begin(), clause.usage.end(),
                     [](const std::string &usage) { return usage.find("list") != usage.npos; });
}

// Clauses that stand in the line already and can stand there once.
bool isUsed(const ApiEntry &clause, const std::string &name, size_t nameWords,
            const CursorContext &context) {
  if (takesList(clause))
    return false;
  for (size_t i = nameWords; i < context.tokens.size(); ++i)
    if (context.tokens[i].is(name))
      return true;
  return false;
}

void clauses(CompletionItems &items, const CursorContext &context, const Directive &directive,
             const ApiTable &api) {
  for (const std::string &name : directive.entry->words) {
    const ApiEntry *clause = clauseNamed(name, api);
    if (!clause || !items.matches(name) || isUsed(*clause, name, directive.words, context))
      continue;
    CompletionItem item;
    item.label = items.inCase(name);
    item.kind = CompletionKind::Keyword;
    item.entry = clause->name;
    if (clause->usage.front().starts_with(name + "(")) {
      item.snippet = items.withSnippets();
      item.insert = item.label + (item.snippet ? "($0)" : "()");
    }
    items.add(std::move(item), Rank::Best);
  }
}

// The rest of every directive that begins with the words that are there.
void directiveNames(CompletionItems &items, const std::vector<std::string> &words,
                    const ApiTable &api) {
  std::string begin = "!$omp ";
  for (const std::string &word : words)
    begin += word + " ";
  bool ends = !words.empty() && words.front() == "end";
  if (words.empty())
    items.word(items.inCase("end"), Rank::Local);
  for (const ApiEntry &entry : api.entries())
    if (entry.kind == ApiKind::Directive && entry.name.starts_with(begin) &&
        (ends || !entry.name.starts_with("!$omp end ")))
      items.word(items.inCase(entry.name.substr(begin.size())), Rank::Local, entry.name);
}

void insideClause(CompletionItems &items, const CursorContext &context, const ApiEntry *clause) {
  bool first = context.open.size() == 1 && context.last() && context.last()->is("(");
  if (clause && first)
    for (const std::string &word : clause->words)
      items.word(items.inCase(word), Rank::Best);
  if (clause && !clause->words.empty() && first && !takesList(*clause))
    return;
  Wanted values;
  values.data = true;
  values.functions = values.constants = !clause || !takesList(*clause);
  items.fitting(values);
}

} // namespace

const ApiEntry *openmpWord(const CursorContext &context, const std::string &rest,
                           const ApiTable &api) {
  if (context.prefix.empty())
    return nullptr;
  if (const ApiEntry *clause = openClause(context, api)) {
    bool ofClause = std::any_of(clause->words.begin(), clause->words.end(), [&](const auto &word) {
      return word.starts_with(lowerCase(context.prefix));
    });
    return ofClause && context.last()->is("(") ? clause : nullptr;
  }
  if (!context.open.empty())
    return nullptr;
  std::vector<std::string> words = leadingWords(tokensOf(context.statement + rest));
  Directive directive = directiveOf(words, api);
  size_t place = context.tokens.size(); // of the cursor's word
  if (directive.entry && place < directive.words)
    return directive.entry;
  return clauseNamed(lowerCase(context.prefix), api);
}

void openmpWords(CompletionItems &items, const CursorContext &context, const ApiTable &api) {
  if (!context.open.empty())
    return insideClause(items, context, openClause(context, api));
  std::vector<std::string> words = leadingWords(context.tokens);
  if (words.size() == context.tokens.size())
    directiveNames(items, words, api);
  if (Directive directive = directiveOf(words, api); directive.entry)
    clauses(items, context, directive, api);
}

} // namespace cufc
