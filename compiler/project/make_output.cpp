// See make_output.h. Lines are commands for the shell, of which lists (;, &&), groups and cd are
// understood. With -p each make prints its database, from which the makefiles come; recipes in it
// are no commands.
#include "project/make_output.h"
#include "base/files.h"
#include "project/project.h"
#include "source/source_form.h"
#include <algorithm>
#include <cctype>
#include <utility>

namespace cufc {
namespace {

// A line of the shell as words and operators. An operator begins with '\0', so that no word is one.
class ShellWords {
public:
  explicit ShellWords(std::string_view text) : text(text) {}

  std::vector<std::string> split() {
    for (; at < text.size(); ++at)
      take(text[at]);
    endWord();
    return std::move(words);
  }

private:
  void take(char c) {
    if (quote) {
      if (c == quote)
        quote = 0;
      else
        word += c == '\\' && quote == '"' && at + 1 < text.size() ? text[++at] : c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      inside = true;
    } else if (c == '\\' && at + 1 < text.size()) {
      word += text[++at];
      inside = true;
    } else if (c == '`' || (c == '$' && at + 1 < text.size() && text[at + 1] == '(')) {
      skipSubstitution();
    } else if (c == '#' && !inside) {
      at = text.size();
    } else if (std::string_view(";&|()").find(c) != std::string_view::npos) {
      endWord();
      words.push_back(std::string(1, '\0') + c);
    } else if (std::isspace(static_cast<unsigned char>(c))) {
      endWord();
    } else {
      word += c;
      inside = true;
    }
  }

  // What another program would print is not known: it becomes part of a word that no option is.
  void skipSubstitution() {
    char end = text[at] == '`' ? '`' : ')';
    int depth = 0;
    for (word += text[at++]; at < text.size(); ++at) {
      word += text[at];
      depth += end == ')' && text[at] == '(';
      if (text[at] == end && --depth <= 0)
        break;
    }
    inside = true;
  }

  void endWord() {
    if (inside)
      words.push_back(std::move(word));
    word.clear();
    inside = false;
  }

  std::string_view text;
  size_t at = 0;
  char quote = 0;
  bool inside = false;
  std::string word;
  std::vector<std::string> words;
};

bool isOperator(const std::string &word) { return word.size() > 1 && word[0] == '\0'; }

// 2>&1, >file, <file: with the word behind it where it stands alone.
void dropRedirections(std::vector<std::string> &words) {
  for (size_t i = 0; i < words.size();) {
    size_t mark = words[i].find_first_not_of("0123456789");
    if (mark == std::string::npos || (words[i][mark] != '>' && words[i][mark] != '<')) {
      ++i;
      continue;
    }
    bool alone = words[i].find_first_not_of("<>", mark) == std::string::npos;
    auto begin = words.begin() + static_cast<long>(i);
    words.erase(begin, begin + (alone && i + 1 < words.size() ? 2 : 1));
  }
}

bool isMake(const std::string &word) {
  std::string name = word.substr(word.rfind('/') + 1);
  return name == "make" || name == "gmake";
}

bool namesFortran(const std::vector<std::string> &words) {
  return std::any_of(words.begin() + 1, words.end(), [](const std::string &word) {
    std::optional<SourceForm> form = sourceForm(word);
    return form && form->kind == FileKind::Fortran && word[0] != '-';
  });
}

class Reader {
public:
  explicit Reader(const std::string &directory) : folders{directory} {}

  void line(std::string_view text) {
    if (text.starts_with("# Make data base, printed"))
      inDatabase = true;
    if (inDatabase)
      return database(text);
    if (size_t at = text.find(": Entering directory '"); at != std::string_view::npos)
      return folders.push_back(quoted(text, at));
    if (text.find(": Leaving directory '") != std::string_view::npos) {
      if (folders.size() > 1)
        folders.pop_back();
      return;
    }
    if (text.find(": *** ") != std::string_view::npos && result.complaint.empty())
      result.complaint = text;
    command(text);
  }

  MakeOutput result;

private:
  static std::string quoted(std::string_view text, size_t from) {
    size_t begin = text.find('\'', from) + 1;
    return std::string(text.substr(begin, text.rfind('\'') - begin));
  }

  void database(std::string_view text) {
    constexpr std::string_view list = "MAKEFILE_LIST := ";
    if (text.starts_with("# Finished Make data base"))
      inDatabase = false;
    if (!text.starts_with(list))
      return;
    for (const std::string &file : ShellWords(text.substr(list.size())).split())
      if (std::string path = absolutePath(file, folders.back());
          std::find(result.makefiles.begin(), result.makefiles.end(), path) ==
          result.makefiles.end())
        result.makefiles.push_back(path);
  }

  void command(std::string_view text) {
    std::vector<std::string> all = ShellWords(text).split(), words;
    std::string folder = folders.back();
    std::vector<std::string> outer;
    for (const std::string &word : all) {
      if (!isOperator(word)) {
        words.push_back(word);
        continue;
      }
      simple(folder, std::exchange(words, {}));
      if (word[1] == '(')
        outer.push_back(folder);
      if (word[1] == ')' && !outer.empty()) {
        folder = outer.back();
        outer.pop_back();
      }
    }
    simple(folder, std::move(words));
  }

  void simple(std::string &folder, std::vector<std::string> words) {
    dropRedirections(words);
    if (words.empty())
      return;
    if (words[0] == "cd" && words.size() > 1)
      folder = absolutePath(words[1], folder);
    else if (isMake(words[0]))
      result.makes.push_back({folder, std::move(words)});
    else if (namesFortran(words))
      result.commands.push_back({folder, std::move(words)});
  }

  std::vector<std::string> folders;
  bool inDatabase = false;
};

} // namespace

MakeOutput readMakeOutput(std::string_view text, const std::string &directory) {
  Reader reader(directory);
  std::string joined; // of lines that go on
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    joined += line;
    if (joined.ends_with('\\') && !text.empty()) {
      joined.back() = ' ';
      continue;
    }
    reader.line(joined);
    joined.clear();
  }
  return std::move(reader.result);
}

} // namespace cufc
