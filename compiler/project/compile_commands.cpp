// compile_commands.json (the format of clang's JSONCompilationDatabase): the entries for Fortran
// sources, whichever compiler they name, with its options in cufc's words. Options that do not
// matter to an analysis, or that cufc lacks, are left out and noted.
#include "base/diag.h"
#include "base/files.h"
#include "base/gpus.h"
#include "project/json_reader.h"
#include "project/project_parts.h"
#include "source/source_form.h"
#include <algorithm>
#include <set>

namespace cufc {
namespace {

using Arguments = std::vector<std::string>;

// What becomes of an option.
enum class Fate {
  Keep,   // as it is
  Rename, // to the text of the row
  Folder, // -I and the value, which follows or is joined
  Macro,  // likewise -D or -U
  Drop,   // said nowhere: outputs and the like
  Skip    // with the argument that follows
};

struct OptionRow {
  std::string_view name;
  Fate fate;
  std::string_view text = {};
};

constexpr OptionRow options[] = {
    {"-cuda", Fate::Keep},
    {"-Mpreprocess", Fate::Keep},
    {"-cpp", Fate::Keep},
    {"-Mextend", Fate::Keep},
    {"-Mfixed", Fate::Keep},
    {"-Mfree", Fate::Keep},
    {"-Mfreeform", Fate::Keep},
    {"-Mbackslash", Fate::Keep},
    {"-Mnobackslash", Fate::Keep},
    {"-Mlarge_arrays", Fate::Keep},
    {"-r8", Fate::Keep},
    {"-w", Fate::Keep},
    {"-g", Fate::Keep},
    {"-O", Fate::Keep},
    {"-O0", Fate::Keep},
    {"-O1", Fate::Keep},
    {"-O2", Fate::Keep},
    {"-O3", Fate::Keep},
    {"-O4", Fate::Keep},
    {"-fast", Fate::Keep},
    {"-Ofast", Fate::Rename, "-O3"},
    {"-ffixed-form", Fate::Rename, "-Mfixed"},
    {"-ffree-form", Fate::Rename, "-Mfree"},
    {"-fixed", Fate::Rename, "-Mfixed"},
    {"-free", Fate::Rename, "-Mfree"},
    {"-ffixed-line-length-132", Fate::Rename, "-Mextend"},
    {"-ffixed-line-length-none", Fate::Rename, "-Mextend"},
    {"-ffixed-line-length=132", Fate::Rename, "-Mextend"},
    {"-extend-source", Fate::Rename, "-Mextend"},
    {"-fdefault-real-8", Fate::Rename, "-r8"},
    {"-fbackslash", Fate::Rename, "-Mnobackslash"},
    {"-fpp", Fate::Rename, "-cpp"},
    {"-I", Fate::Folder},
    {"-J", Fate::Folder},
    {"-isystem", Fate::Folder},
    {"-iquote", Fate::Folder},
    {"-idirafter", Fate::Folder},
    {"-module", Fate::Folder},
    {"-module-dir", Fate::Folder},
    {"-D", Fate::Macro},
    {"-U", Fate::Macro},
    {"-c", Fate::Drop},
    {"-MD", Fate::Drop},
    {"-MMD", Fate::Drop},
    {"-MP", Fate::Drop},
    {"-o", Fate::Skip},
    {"-MF", Fate::Skip},
    {"-MT", Fate::Skip},
    {"-MQ", Fate::Skip},
    {"-x", Fate::Skip},
    {"-arch", Fate::Skip},
    {"-target", Fate::Skip},
    {"-Xcompiler", Fate::Skip},
    {"-Xclang", Fate::Skip},
    {"-Xflang", Fate::Skip},
};

const OptionRow *findOption(std::string_view argument) {
  const OptionRow *best = nullptr;
  for (const OptionRow &row : options) {
    bool joined = (row.fate == Fate::Folder || row.fate == Fate::Macro) && row.name.size() == 2;
    if (argument == row.name || (joined && argument.starts_with(row.name)))
      if (!best || row.name.size() > best->name.size())
        best = &row;
  }
  return best;
}

// The words of a command as a shell would see them, without expansions.
Arguments splitCommand(std::string_view text) {
  Arguments words;
  std::string word;
  bool inside = false;
  char quote = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (quote == '\'' ? c == quote : quote && c == quote) {
      quote = 0;
    } else if (quote != '\'' && c == '\\' && at + 1 < text.size()) {
      word += text[++at];
      inside = true;
    } else if (quote) {
      word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      inside = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (inside)
        words.push_back(std::move(word));
      word.clear();
      inside = false;
    } else {
      word += c;
      inside = true;
    }
  }
  if (inside)
    words.push_back(std::move(word));
  return words;
}

// Of "-gpu=cc90,cuda12.4" what cufc knows.
std::string gpuOption(std::string_view list, std::set<std::string> &unknown) {
  static constexpr std::string_view known[] = {"managed", "fastmath", "lineinfo", "rdc", "nordc"};
  std::string kept;
  for (size_t begin = 0; begin <= list.size();) {
    size_t end = std::min(list.find(',', begin), list.size());
    std::string item(list.substr(begin, end - begin));
    begin = end + 1;
    bool good = findGpu(item) || item.starts_with("maxregcount:") ||
                std::find(std::begin(known), std::end(known), item) != std::end(known);
    if (good)
      kept += (kept.empty() ? "" : ",") + item;
    else if (!item.empty())
      unknown.insert("-gpu=" + item);
  }
  return kept;
}

class Translation {
public:
  Translation(const Arguments &from, const std::string &directory, const std::string &source,
              std::set<std::string> &unknown)
      : from(from), directory(directory), source(source), unknown(unknown) {}

  Arguments run() {
    for (size_t at = 0; at < from.size(); ++at)
      at += translate(from[at], at + 1 < from.size() ? from[at + 1] : "");
    return std::move(result);
  }

private:
  // How many of the arguments that follow were taken too.
  int translate(const std::string &argument, const std::string &next) {
    if (argument.size() < 2 || argument[0] != '-') {
      if (absolutePath(argument, directory) != source && argument != from.front())
        unknown.insert(argument);
      return 0;
    }
    if (argument.starts_with("-Mcuda") || argument.starts_with("-gpu=")) {
      if (argument.starts_with("-M"))
        result.push_back("-cuda");
      size_t equals = std::min(argument.find('='), argument.size() - 1);
      std::string kept = gpuOption(argument.substr(equals + 1), unknown);
      if (!kept.empty())
        result.push_back("-gpu=" + kept);
      return 0;
    }
    const OptionRow *row = findOption(argument);
    if (!row)
      unknown.insert(argument);
    else if (row->fate == Fate::Keep)
      result.push_back(argument);
    else if (row->fate == Fate::Rename)
      result.emplace_back(row->text);
    else if (row->fate == Fate::Skip)
      return 1;
    else if (row->fate != Fate::Drop)
      return value(*row, argument, next);
    return 0;
  }

  int value(const OptionRow &row, const std::string &argument, const std::string &next) {
    bool apart = argument == row.name;
    std::string text = apart ? next : argument.substr(row.name.size());
    if (row.fate == Fate::Folder)
      result.push_back("-I" + absolutePath(text, directory));
    else
      result.push_back(std::string(row.name) + text);
    return apart ? 1 : 0;
  }

  const Arguments &from;
  const std::string &directory, &source;
  std::set<std::string> &unknown;
  Arguments result;
};

class Database {
public:
  Database(Project &project, Diagnostics &diagnostics)
      : project(project), diagnostics(diagnostics) {}

  void entry(const JsonValue &value) {
    if (!value.is(JsonValue::Kind::Object))
      return wrong(value, "an entry", "an object");
    const JsonValue *file = value.find("file");
    if (!file || !file->is(JsonValue::Kind::String))
      return wrong(file ? *file : value, "file", "a text, and there in every entry");
    std::string directory = absolutePath(value.string("directory", "."), project.root);
    std::string path = absolutePath(file->text, directory);
    std::optional<SourceForm> form = sourceForm(path);
    if (!form || form->kind != FileKind::Fortran)
      return;
    Arguments command = splitCommand(value.string("command"));
    if (const JsonValue *list = value.find("arguments"))
      for (const JsonValue &item : list->items)
        command.push_back(item.text);
    // The compiler itself may stand behind a launcher such as ccache.
    command.erase(command.begin(), std::find_if(command.begin(), command.end(), isOption));
    Arguments arguments = Translation(command, directory, path, unknown).run();
    std::string text;
    if (!readFile(path, text))
      project.notes.push_back(path + ": is not there, as named in " + project.file);
    else if (!project.find(path))
      project.sources.push_back({path, directory, std::move(arguments)});
  }

  void finish() {
    for (const std::string &option : unknown)
      project.notes.push_back(option + ": has no meaning here and is left out");
  }

  void wrong(const JsonValue &value, const char *what, const char *type) {
    diagnostics.report(Diag::ProjectValueType, value.range, what, type);
  }

private:
  static bool isOption(const std::string &text) { return text.starts_with('-'); }

  Project &project;
  Diagnostics &diagnostics;
  std::set<std::string> unknown;
};

} // namespace

void readCompileCommands(Project &project, Diagnostics &diagnostics) {
  std::string text;
  JsonValue root;
  if (!readFile(project.file, text) || !readJson(project.file, text, root, diagnostics))
    return;
  Database database(project, diagnostics);
  if (!root.is(JsonValue::Kind::Array))
    return database.wrong(root, "the compilation database", "an array of entries");
  for (const JsonValue &value : root.items)
    database.entry(value);
  database.finish();
  targetsFromPrograms(project);
}

} // namespace cufc
