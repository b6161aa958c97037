// See reference.h. A name counts more than a word in its description; what has all words of a
// question comes before what has some of them.
#include "mcp/reference.h"
#include "base/diag.h"
#include "base/diagnostic_formats.h"
#include "base/diagnostic_settings.h"
#include "base/explanations.h"
#include "base/source_text.h"
#include "mcp/arguments.h"
#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace cufc::mcp {
namespace {

constexpr std::string_view referenceRoot = "cufls://reference/";
constexpr std::string_view diagnosticsRoot = "cufls://diagnostics/";
// Where names are listed that belong to no module.
constexpr const char *languageChapter = "cuda-fortran";

std::string chapterOf(const ApiEntry &entry) {
  return entry.module.empty() ? languageChapter : lowerCase(entry.module);
}

// Blanks and other characters that URIs do not have are written as %20 and so on.
std::string escaped(const std::string &name) {
  std::string text;
  for (unsigned char c : name) {
    bool plain = std::isalnum(c) || c == '_' || c == '-' || c == '.' || c == '~';
    text += plain ? std::string(1, static_cast<char>(c)) : fmt::format("%{:02X}", c);
  }
  return text;
}

std::string uriOf(const ApiEntry &entry) {
  std::string name = escaped(entry.name);
  return entry.kind == ApiKind::Module
             ? std::string(referenceRoot) + name
             : fmt::format("{}{}/{}", referenceRoot, chapterOf(entry), name);
}

const char *kindName(ApiKind kind) {
  static constexpr const char *names[] = {"function", "subroutine", "type",      "constant",
                                          "module",   "variable",   "attribute", "prefix",
                                          "launch",   "directive",  "clause"};
  return names[static_cast<size_t>(kind)];
}

std::vector<std::string> wordsOf(const std::string &text) {
  std::vector<std::string> words;
  std::string word;
  for (char c : lowerCase(text) + " ")
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  return words;
}

// How much a word says about a text: 2 as a word of its own or its beginning, 1 inside one.
int weightIn(const std::string &text, const std::string &word) {
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    if (at == 0 || !std::isalnum(static_cast<unsigned char>(text[at - 1])))
      return 2;
  return word.size() > 3 && text.find(word) != std::string::npos ? 1 : 0;
}

struct Texts { // in lower case
  std::string name, other, summary, description;
};

int scoreOf(const Texts &texts, const std::vector<std::string> &words) {
  int score = 0;
  size_t found = 0;
  for (const std::string &word : words) {
    int best = texts.name == word || texts.other == word ? 100
               : texts.name.starts_with(word)            ? 30
                                                         : 0;
    best = std::max({best, 10 * weightIn(texts.name, word), 8 * weightIn(texts.summary, word),
                     6 * weightIn(texts.other, word), 2 * weightIn(texts.description, word)});
    score += best;
    found += best > 0;
  }
  if (found == words.size())
    return score * 2;
  return found * 2 >= words.size() ? score : 0;
}

Texts textsOfEntry(const ApiEntry &entry) {
  std::string more = entry.description;
  for (const ApiArgument &argument : entry.arguments)
    more += " " + argument.name + " " + argument.about;
  return {lowerCase(entry.name), lowerCase(entry.c), lowerCase(entry.summary), lowerCase(more)};
}

// One thing that a search has found.
struct Hit {
  int score;
  size_t number;         // of equal scores the first comes first
  const ApiEntry *entry; // or
  const DiagnosticInfo *diagnostic;
  bool operator<(const Hit &other) const {
    return score != other.score ? score > other.score : number < other.number;
  }
};

std::string diagnosticPage(const DiagnosticInfo &row) {
  return fmt::format("# {}: {}\n\n{}\n\nSeverity: {}. Group: {}.\n\n{}", row.code, row.name,
                     messagePattern(row.text), severityName(row.severity), row.group,
                     explanationOf(row.code));
}

const DiagnosticInfo *diagnosticOf(const std::string &code) {
  std::optional<std::string> key = diagnosticKey(code);
  for (const DiagnosticInfo &row : allDiagnostics())
    if (key && *key == row.code)
      return &row;
  return nullptr;
}

std::string plain(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '%' && i + 2 < text.size() &&
        std::isxdigit(static_cast<unsigned char>(text[i + 1])) &&
        std::isxdigit(static_cast<unsigned char>(text[i + 2]))) {
      result += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
      i += 2;
    } else {
      result += text[i];
    }
  return result;
}

std::vector<Hit> hitsIn(const ApiTable &table, const std::vector<std::string> &words,
                        const std::string &module) {
  std::vector<Hit> hits;
  for (const ApiEntry &entry : table.entries()) {
    if (!module.empty() && chapterOf(entry) != module && lowerCase(entry.name) != module)
      continue;
    if (int score = scoreOf(textsOfEntry(entry), words); score > 0)
      hits.push_back({score + (entry.common ? 2 : 0), hits.size(), &entry, nullptr});
  }
  if (module.empty())
    for (const DiagnosticInfo &row : allDiagnostics())
      if (int score = scoreOf(
              {lowerCase(row.code), lowerCase(row.name), lowerCase(messagePattern(row.text)), ""},
              words);
          score > 0)
        hits.push_back({score, hits.size(), nullptr, &row});
  std::sort(hits.begin(), hits.end());
  return hits;
}

Json hitJson(const Hit &hit) {
  if (hit.diagnostic)
    return {{"name", hit.diagnostic->code},
            {"kind", "diagnostic"},
            {"module", ""},
            {"usage", Json::array()},
            {"summary", messagePattern(hit.diagnostic->text)},
            {"uri", std::string(diagnosticsRoot) + hit.diagnostic->code}};
  return {{"name", hit.entry->name},       {"kind", kindName(hit.entry->kind)},
          {"module", hit.entry->module},   {"usage", hit.entry->usage},
          {"summary", hit.entry->summary}, {"uri", uriOf(*hit.entry)}};
}

} // namespace

ToolResult Reference::search(const Json &arguments) const {
  std::vector<std::string> words = wordsOf(textOf(arguments, "query"));
  if (words.empty())
    throw ToolFailure{"'query' has no word to look for"};
  std::vector<Hit> hits = hitsIn(table, words, lowerCase(textOf(arguments, "module")));
  constexpr size_t usualLimit = 8, fullPages = 3;
  size_t limit = std::min(hits.size(), arguments.value("limit", usualLimit));
  Json found = Json::array();
  std::string text = hits.empty() ? "Nothing is known of that.\n" : "";
  for (size_t i = 0; i < limit; ++i) {
    found.push_back(hitJson(hits[i]));
    const Json &json = found.back();
    text += fmt::format(
        "## {} ({}{})\n", json["name"].get<std::string>(), json["kind"].get<std::string>(),
        hits[i].entry && !hits[i].entry->module.empty() ? ", " + hits[i].entry->module : "");
    // The best are shown whole; of the others the URI leads to more.
    if (i < fullPages)
      text +=
          (hits[i].entry ? documentationOf(*hits[i].entry) : diagnosticPage(*hits[i].diagnostic)) +
          "\n";
    else
      text += json["summary"].get<std::string>() + "\n" + json["uri"].get<std::string>() + "\n\n";
  }
  Json data = {{"found", hits.size()}, {"entries", std::move(found)}};
  return {text, std::move(data), false};
}

Json Reference::resources() const {
  std::map<std::string, std::string> chapters; // and their summaries
  for (const ApiEntry &entry : table.entries())
    if (entry.kind == ApiKind::Module)
      chapters[lowerCase(entry.name)] = entry.summary;
    else
      chapters.try_emplace(chapterOf(entry));
  chapters[languageChapter] = "Attributes, prefixes, launches and directives of CUDA Fortran.";
  chapters["intrinsic"] = "Intrinsic procedures of Fortran.";
  Json list = Json::array();
  for (const auto &[name, summary] : chapters)
    list.push_back({{"uri", std::string(referenceRoot) + escaped(name)},
                    {"name", name},
                    {"title", "Reference: " + name},
                    {"description", summary},
                    {"mimeType", "text/markdown"}});
  list.push_back({{"uri", std::string(diagnosticsRoot) + "all"},
                  {"name", "diagnostics"},
                  {"title", "All diagnostics"},
                  {"description", "The codes of all diagnostics, each with its message."},
                  {"mimeType", "text/markdown"}});
  return list;
}

Json Reference::templates() {
  return {{{"uriTemplate", "cufls://reference/{module}/{name}"},
           {"name", "reference"},
           {"title", "A name of the reference"},
           {"description", "A procedure, type, constant or word: usage, arguments, errors."},
           {"mimeType", "text/markdown"}},
          {{"uriTemplate", "cufls://diagnostics/{code}"},
           {"name", "diagnostic"},
           {"title", "A diagnostic"},
           {"description", "What a code such as CUF0203 means, with a wrong and a right program."},
           {"mimeType", "text/markdown"}}};
}

std::string Reference::chapterPage(const std::string &chapter) const {
  std::string text;
  for (const ApiEntry &entry : table.entries()) {
    if (entry.kind == ApiKind::Module && lowerCase(entry.name) == chapter)
      text.insert(0, documentationOf(entry) + "\n");
    else if (entry.kind != ApiKind::Module && chapterOf(entry) == chapter)
      text += fmt::format("- `{}` ({}): {}\n", headOf(entry), kindName(entry.kind), entry.summary);
  }
  return text.empty() ? text : "# " + chapter + "\n\n" + text;
}

std::optional<std::string> Reference::page(const std::string &uri) const {
  std::string text;
  if (uri == std::string(diagnosticsRoot) + "all") {
    for (const DiagnosticInfo &row : allDiagnostics())
      text += fmt::format("- {} ({}, {}): {}\n", row.code, severityName(row.severity), row.group,
                          messagePattern(row.text));
  } else if (uri.starts_with(diagnosticsRoot)) {
    if (const DiagnosticInfo *row = diagnosticOf(plain(uri.substr(diagnosticsRoot.size()))))
      text = diagnosticPage(*row);
  } else if (uri.starts_with(referenceRoot)) {
    std::string_view path = std::string_view(uri).substr(referenceRoot.size());
    size_t slash = path.find('/');
    std::string chapter = lowerCase(plain(path.substr(0, slash)));
    if (slash == std::string_view::npos)
      text = chapterPage(chapter);
    else
      for (const ApiEntry *entry : table.findAll(plain(path.substr(slash + 1))))
        if (chapterOf(*entry) == chapter)
          text += documentationOf(*entry) + "\n";
  }
  return text.empty() ? std::nullopt : std::optional(text);
}

} // namespace cufc::mcp
