// Lines become statements, without comments and in capitals; each kind of statement has a function.
#include "mpi/header.h"
#include "base/files.h"
#include "mpi/expression.h"
#include <algorithm>
#include <cctype>
#include <cstring>
#include <unistd.h>

namespace cufc {
namespace {

bool isName(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::string trimmed(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos)
    return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1));
}

// Without a comment that begins with "!" outside of quotes.
std::string_view withoutComment(std::string_view line) {
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i)
    if (quote)
      quote = line[i] == quote ? 0 : quote;
    else if (line[i] == '\'' || line[i] == '"')
      quote = line[i];
    else if (line[i] == '!')
      return line.substr(0, i);
  return line;
}

// Capitals outside of quotes.
std::string inCapitals(std::string text) {
  char quote = 0;
  for (char &c : text) {
    if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '\'' || c == '"')
      quote = c;
    else
      c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return text;
}

// At commas outside of parentheses.
std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> items;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= list.size(); ++i) {
    char c = i < list.size() ? list[i] : ',';
    depth += (c == '(') - (c == ')');
    if (c != ',' || (depth > 0 && i < list.size()))
      continue;
    if (std::string item = trimmed(list.substr(begin, i - begin)); !item.empty())
      items.push_back(item);
    begin = i + 1;
  }
  return items;
}

// The end of a parenthesis that begins at `at`, behind it; or the end of the text.
size_t behindParenthesis(std::string_view text, size_t at) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    depth += (text[at] == '(') - (text[at] == ')');
    if (depth == 0)
      return at + 1;
  }
  return at;
}

class Reader {
public:
  Reader(MpiHeader &header, const std::vector<std::string> &folders, std::string &problem)
      : header(header), folders(folders), problem(problem) {}

  bool read(const std::string &path) {
    std::string text;
    if (!readFile(path, text)) {
      problem = path + ": " + std::strerror(errno);
      return false;
    }
    header.files.push_back(path);
    header.content += text;
    std::string statement;
    for (size_t begin = 0; begin < text.size();) {
      size_t end = std::min(text.find('\n', begin), text.size());
      std::string_view line(text.data() + begin, end - begin);
      begin = end + 1;
      if (isComment(line))
        continue;
      std::string body = trimmed(withoutComment(line));
      bool continues = !statement.empty() && (body.starts_with("&") || statement.back() == '&');
      if (!continues && !take(statement, path))
        return false;
      if (!continues)
        statement.clear();
      else if (statement.back() == '&')
        statement.pop_back();
      statement += body.starts_with("&") ? body.substr(1) : body;
    }
    return take(statement, path);
  }

  // Values that were given before their types were.
  void finish() {
    for (MpiHeader::Value &value : header.values)
      if (auto declared = header.variables.find(value.name); declared != header.variables.end()) {
        value.type = declared->second.type;
        header.variables.erase(declared);
      }
  }

private:
  // In fixed form a letter in column 1 makes a comment; statements begin behind column 6 there.
  static bool isComment(std::string_view line) {
    size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos || line[first] == '!' || line[0] == '#')
      return true;
    return line[0] == '*' ||
           ((line[0] == 'c' || line[0] == 'C') && line.size() > 1 && !isName(line[1]));
  }

  bool take(const std::string &statement, const std::string &path) {
    std::string text = inCapitals(trimmed(statement));
    if (text.empty())
      return true;
    if (text.starts_with("END") && text.find("INTERFACE") != std::string::npos) {
      inInterface = false;
      return true;
    }
    inInterface |= text.starts_with("INTERFACE");
    if (inInterface)
      return true;
    if (text.starts_with("INCLUDE"))
      return include(trimmed(statement), path);
    if (text.starts_with("PARAMETER"))
      parameters(text);
    else if (text.starts_with("COMMON"))
      commons(text.substr(strlen("COMMON")));
    else if (text.starts_with("EXTERNAL"))
      for (const std::string &name : split(afterColons(text.substr(strlen("EXTERNAL")))))
        header.externals.push_back(name);
    else
      declare(text);
    return true;
  }

  static std::string afterColons(const std::string &text) {
    size_t colons = text.find("::");
    return colons == std::string::npos ? text : text.substr(colons + 2);
  }

  bool include(const std::string &statement, const std::string &from) {
    size_t begin = statement.find_first_of("'\"");
    size_t end = statement.find_last_of("'\"");
    if (begin == std::string::npos || end <= begin)
      return true;
    std::string name = statement.substr(begin + 1, end - begin - 1);
    // Open MPI's interfaces of MPI_SIZEOF alone.
    if (name.find("sizeof") != std::string::npos)
      return true;
    std::vector<std::string> places{directoryOf(from), directoryOf(header.files.front())};
    places.insert(places.end(), folders.begin(), folders.end());
    for (std::string &path : places)
      if (path.append("/").append(name); access(path.c_str(), R_OK) == 0)
        return read(path);
    problem = from + " includes '" + name + "', which is not there";
    return false;
  }

  void parameters(const std::string &text) {
    size_t open = text.find('(');
    if (open == std::string::npos)
      return;
    size_t close = behindParenthesis(text, open);
    for (const std::string &item : split(std::string_view(text).substr(open + 1, close - open - 2)))
      if (size_t equals = item.find('='); equals != std::string::npos)
        define(trimmed(item.substr(0, equals)), trimmed(item.substr(equals + 1)), "INTEGER");
  }

  void define(const std::string &name, const std::string &text, const std::string &type) {
    auto number = [&](const std::string &other) -> std::optional<long long> {
      const MpiHeader::Value *value = header.value(other);
      return value ? value->number : std::nullopt;
    };
    header.values.push_back({name, type, text, integerValue(text, number)});
  }

  void commons(const std::string &text) {
    size_t at = text.find('/');
    while (at != std::string::npos) {
      size_t end = text.find('/', at + 1);
      if (end == std::string::npos)
        return;
      size_t next = text.find('/', end + 1);
      MpiHeader::Common common{trimmed(text.substr(at + 1, end - at - 1)), {}};
      for (const std::string &item : split(text.substr(end + 1, next - end - 1))) {
        size_t open = std::min(item.find('('), item.size());
        std::string name = trimmed(item.substr(0, open));
        if (open < item.size())
          header.variables[name].extents = item.substr(open + 1, item.size() - open - 2);
        common.names.push_back(name);
      }
      header.commons.push_back(std::move(common));
      at = next;
    }
  }

  // "INTEGER(KIND=8) A, B(3)", "INTEGER, PARAMETER :: C = 1"; other statements are of no use.
  void declare(const std::string &text) {
    static constexpr const char *types[] = {"INTEGER", "REAL",      "DOUBLE PRECISION",
                                            "LOGICAL", "CHARACTER", "COMPLEX"};
    for (const char *type : types) {
      if (!text.starts_with(type))
        continue;
      size_t at = strlen(type);
      if (at < text.size() && text[at] == '*') {
        at = text.find_first_not_of("0123456789", at + 1);
        if (at != std::string::npos && at < text.size() && text[at] == '(')
          at = behindParenthesis(text, at);
      } else if (size_t open = text.find_first_not_of(' ', at);
                 open != std::string::npos && text[open] == '(') {
        at = behindParenthesis(text, open);
      }
      if (at == std::string::npos || at >= text.size() || isName(text[at]))
        return;
      std::string rest = text.substr(at);
      bool constant =
          rest.find("PARAMETER") < rest.find("::") && rest.find("::") != std::string::npos;
      entities(trimmed(text.substr(0, at)), afterColons(rest), constant);
      return;
    }
  }

  void entities(const std::string &type, const std::string &list, bool constants) {
    for (const std::string &item : split(list)) {
      size_t equals = item.find('=');
      if (constants && equals != std::string::npos) {
        define(trimmed(item.substr(0, equals)), trimmed(item.substr(equals + 1)), type);
        continue;
      }
      size_t open = std::min(item.find('('), item.size());
      MpiHeader::Variable &variable = header.variables[trimmed(item.substr(0, open))];
      variable.type = type;
      if (open < item.size())
        variable.extents = item.substr(open + 1, behindParenthesis(item, open) - open - 2);
    }
  }

  MpiHeader &header;
  const std::vector<std::string> &folders;
  std::string &problem;
  bool inInterface = false;
};

// "4" of a line "#define NAME 4" or "#define NAME \"4\"".
std::string definition(const std::string &text, const std::string &name) {
  size_t at = text.find("#define " + name + " ");
  if (at == std::string::npos)
    return "";
  at += strlen("#define ") + name.size();
  std::string value = trimmed(text.substr(at, text.find('\n', at) - at));
  std::erase(value, '"');
  return value;
}

// Which library it is, and its version, by the macros of its mpi.h.
void nameLibrary(MpiHeader &header) {
  std::string text;
  readFile(directoryOf(header.files.front()) + "/mpi.h", text);
  auto number = [&](const char *name) {
    std::string value = definition(text, name);
    return value.empty() ? std::to_string(header.number(name, 0)) : value;
  };
  if (header.value("OMPI_MAJOR_VERSION") ||
      text.find("#define OMPI_MAJOR_VERSION") != std::string::npos) {
    header.library = "Open MPI";
    header.version = number("OMPI_MAJOR_VERSION") + "." + number("OMPI_MINOR_VERSION") + "." +
                     number("OMPI_RELEASE_VERSION");
    return;
  }
  static constexpr std::pair<const char *, const char *> others[] = {
      {"I_MPI_VERSION", "Intel MPI"},
      {"MVAPICH2_VERSION", "MVAPICH2"},
      {"MVAPICH_VERSION", "MVAPICH"},
      {"MPICH_VERSION", "MPICH"}};
  for (auto [macro, name] : others)
    if (std::string version = definition(text, macro); !version.empty()) {
      header.library = name;
      header.version = version;
      return;
    }
}

} // namespace

const MpiHeader::Value *MpiHeader::value(const std::string &name) const {
  for (const Value &value : values)
    if (value.name == name)
      return &value;
  return nullptr;
}

long long MpiHeader::number(const std::string &name, long long otherwise) const {
  const Value *found = value(name);
  return found ? found->number.value_or(otherwise) : otherwise;
}

std::optional<MpiHeader> readMpiHeader(const std::string &path,
                                       const std::vector<std::string> &folders,
                                       std::string &problem) {
  MpiHeader header;
  Reader reader(header, folders, problem);
  if (!reader.read(path))
    return std::nullopt;
  reader.finish();
  if (!header.value("MPI_COMM_WORLD") || !header.value("MPI_STATUS_SIZE")) {
    problem = path + " does not say what MPI_COMM_WORLD and MPI_STATUS_SIZE are";
    return std::nullopt;
  }
  nameLibrary(header);
  return header;
}

} // namespace cufc
