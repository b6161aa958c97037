// Line by line. lld says
//
//   ld.lld: error: undefined symbol: x
//   >>> referenced by file.c:3
//   >>>               a.o:(f)
//
// and GNU ld says "a.o: in function `f': file.c:(.text+0x5): undefined reference to `x'", so the
// object stands on a later line of ">>>" or on the same or an earlier line.
#include "driver/linker_messages.h"
#include "base/diag.h"
#include <algorithm>
#include <regex>
#include <string_view>
#include <utility>
#include <vector>

namespace cufc {
namespace {

// "solver::step" for _QMsolverPstep, "step" for step_; good enough for a message.
std::string readable(std::string symbol) {
  if (size_t split = symbol.find("_MOD_"); symbol.starts_with("__") && split != std::string::npos)
    return symbol.substr(2, split - 2) + "::" + symbol.substr(split + 5);
  if (symbol.starts_with("_QM")) {
    size_t split = symbol.find_last_of("PE");
    if (split != std::string::npos && split > 3)
      return symbol.substr(3, split - 3) + "::" + symbol.substr(split + 1);
  }
  if (symbol.size() > 1 && symbol.back() == '_')
    symbol.pop_back();
  return symbol;
}

// What the command line lacks for a procedure of a library that many programs use.
std::string libraryOf(const std::string &symbol) {
  struct Row {
    const char *names, *option, *package;
  };
  static constexpr Row rows[] = {
#define CUF_LINK_LIBRARY(names, option, package) {names, option, package},
#include "tables/link_libraries.def"
#undef CUF_LINK_LIBRARY
  };
  for (const Row &row : rows)
    if (std::regex_match(symbol, std::regex(row.names))) {
      std::string package = *row.package ? " (Debian: " + std::string(row.package) + ")" : "";
      return "; " + std::string(row.option) + " links a library that has this name" + package;
    }
  return {};
}

bool isMain(std::string_view symbol) { return symbol == "main" || symbol == "_QQmain"; }

class Reader {
public:
  Reader(const std::string &output, const std::map<std::string, std::string> &sources,
         Diagnostics &diagnostics)
      : sources(sources), diagnostics(diagnostics) {
    for (size_t begin = 0; begin < output.size();) {
      size_t end = std::min(output.find('\n', begin), output.size());
      lines.push_back(std::string_view(output).substr(begin, end - begin));
      begin = end + 1;
    }
  }

  void run() {
    for (size_t at = 0; at < lines.size(); ++at) {
      collect(at, {"undefined symbol: ", "undefined reference to `"}, undefined);
      collect(at, {"duplicate symbol: ", "multiple definition of `"}, duplicate);
      if (std::string name = after(lines[at], {"unable to find library -l", "cannot find -l"});
          !name.empty())
        libraries.push_back(name.substr(0, name.find(':')));
    }
    report();
    if (!diagnostics.hasErrors())
      diagnostics.report(Diag::LinkFailed, {}, everything());
  }

private:
  struct Symbol {
    std::string name;
    std::vector<std::string> objects; // that use or define it
  };

  // The rest of a line after one of `words`, up to a closing quote; empty if none is there.
  static std::string after(std::string_view line, std::initializer_list<std::string_view> words) {
    for (std::string_view word : words)
      if (size_t at = line.find(word); at != std::string_view::npos) {
        std::string_view rest = line.substr(at + word.size());
        return std::string(rest.substr(0, rest.find('\'')));
      }
    return {};
  }

  void collect(size_t at, std::initializer_list<std::string_view> words,
               std::vector<Symbol> &symbols) {
    std::string name = after(lines[at], words);
    if (name.empty())
      return;
    auto known = std::find_if(symbols.begin(), symbols.end(),
                              [&](const Symbol &symbol) { return symbol.name == name; });
    Symbol &symbol = known == symbols.end() ? symbols.emplace_back() : *known;
    symbol.name = name;
    addObjects(lines[at], symbol);
    for (size_t i = at + 1; i < lines.size() && lines[i].starts_with(">>>"); ++i)
      addObjects(lines[i], symbol);
    if (symbol.objects.empty() || &symbols == &duplicate)
      addFunctionObject(at, symbol);
  }

  // GNU ld names the object once for all messages about a function.
  void addFunctionObject(size_t at, Symbol &symbol) const {
    for (size_t i = at; i-- > 0;)
      if (lines[i].find(": in function") != std::string_view::npos) {
        addObjects(lines[i], symbol);
        return;
      }
  }

  // Every "path.o" of a line, and "path.a" of "path.a(member.o)".
  void addObjects(std::string_view line, Symbol &symbol) const {
    for (std::string_view suffix : {".o:", ".a(", ".so:"})
      for (size_t at = 0; (at = line.find(suffix, at)) != std::string_view::npos; ++at) {
        size_t end = at + suffix.size() - 1;
        size_t begin = line.find_last_of(" (`;", at);
        begin = begin == std::string_view::npos ? 0 : begin + 1;
        std::string name = shown(std::string(line.substr(begin, end - begin)));
        if (std::find(symbol.objects.begin(), symbol.objects.end(), name) == symbol.objects.end())
          symbol.objects.push_back(name);
      }
  }

  std::string shown(const std::string &object) const {
    auto source = sources.find(object);
    return source == sources.end() ? object : source->second;
  }

  void report() {
    bool gfortran = false;
    for (const Symbol &symbol : undefined)
      if (symbol.name.starts_with("_gfortran_")) {
        if (!std::exchange(gfortran, true))
          libraries.emplace_back("gfortran (Debian: libgfortran-12-dev)");
      } else if (isMain(symbol.name))
        diagnostics.report(Diag::NoMainProgram, {});
      else
        diagnostics.report(Diag::UndefinedSymbol, {}, readable(symbol.name),
                           users(symbol) + libraryOf(symbol.name));
    bool mainSeen = false;
    for (const Symbol &symbol : duplicate) {
      if (isMain(symbol.name) && std::exchange(mainSeen, true))
        continue;
      std::string what = isMain(symbol.name) ? "a main program" : "'" + readable(symbol.name) + "'";
      auto object = [&](size_t i) {
        return i < symbol.objects.size() ? "'" + symbol.objects[i] + "'" : "another file";
      };
      diagnostics.report(Diag::DefinedTwice, {}, what, object(0), object(1));
    }
    for (const std::string &library : libraries)
      diagnostics.report(Diag::LibraryMissing, {}, library);
  }

  static std::string users(const Symbol &symbol) {
    std::string text;
    for (size_t i = 0; i < std::min<size_t>(symbol.objects.size(), 3); ++i)
      text += (i ? ", '" : ", used in '") + symbol.objects[i] + "'";
    return text;
  }

  // The first lines as they are, but for the names of temporary objects.
  std::string everything() const {
    std::string text;
    for (size_t i = 0; i < std::min<size_t>(lines.size(), 8); ++i)
      if (!lines[i].starts_with("collect2: "))
        text += (text.empty() ? "" : "\n") + std::string(lines[i].substr(0, 300));
    for (const auto &[object, source] : sources)
      for (size_t at; (at = text.find(object)) != std::string::npos;)
        text.replace(at, object.size(), source);
    return text.empty() ? "the linker says no more" : text;
  }

  const std::map<std::string, std::string> &sources;
  Diagnostics &diagnostics;
  std::vector<std::string_view> lines;
  std::vector<Symbol> undefined, duplicate;
  std::vector<std::string> libraries;
};

} // namespace

void reportLinkerOutput(const std::string &output, const std::string &executable,
                        const std::map<std::string, std::string> &sources,
                        Diagnostics &diagnostics) {
  if (output.find("No space left on device") != std::string::npos)
    diagnostics.report(Diag::CannotWrite, {}, executable, std::string("No space left on device"));
  else
    Reader(output, sources, diagnostics).run();
}

} // namespace cufc
