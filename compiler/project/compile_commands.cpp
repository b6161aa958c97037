// compile_commands.json (the format of clang's JSONCompilationDatabase): the entries for Fortran
// sources, whichever compiler they name, with the options that cufc knows too. Those that do not
// matter to an analysis are left out, and noted if cufc lacks them.
#include "base/diag.h"
#include "base/files.h"
#include "base/gpus.h"
#include "base/option_table.h"
#include "project/json_reader.h"
#include "project/project_parts.h"
#include "source/source_form.h"
#include <algorithm>
#include <set>

namespace cufc {
namespace {

using Arguments = std::vector<std::string>;

using Id = OptionId;

// Options of other compilers that take the argument behind them.
constexpr std::string_view withArgument[] = {"-arch", "-target", "-Xcompiler", "-Xclang",
                                             "-Xflang"};

// What an analysis does not need: outputs, rules of make, libraries, what is printed.
bool isOfNoConcern(Id id) {
  static constexpr Id ids[] = {Id::Output,
                               Id::CompileOnly,
                               Id::Assembly,
                               Id::PreprocessOnly,
                               Id::SyntaxOnly,
                               Id::Emit,
                               Id::Dependencies,
                               Id::DependencyFile,
                               Id::DependencyTarget,
                               Id::PhonyTargets,
                               Id::DependenciesOnly,
                               Id::LinkerOption,
                               Id::CudaLibrary,
                               Id::Verbose,
                               Id::DryRun,
                               Id::Version,
                               Id::BareVersion,
                               Id::TargetTriple,
                               Id::Help,
                               Id::Keep,
                               Id::Listing,
                               Id::Info,
                               Id::MissedInfo,
                               Id::Shared,
                               Id::DiagnosticsFormat,
                               Id::DiagnosticsColour,
                               Id::WarningsAreErrors};
  return std::find(std::begin(ids), std::end(ids), id) != std::end(ids);
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

// Of "-gpu=cc90,cuda12.4" what changes code.
std::string gpuOption(const std::string &list, std::set<std::string> &unknown) {
  std::string kept;
  for (const std::string &item : splitAtCommas(list)) {
    bool toolkit = item.starts_with("cuda") || item.find('.') != std::string::npos;
    if (findGpu(item) || isGpuItem(item))
      kept += (kept.empty() ? "" : ",") + item;
    else if (!toolkit)
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
    for (size_t at = 0; at < from.size();)
      at += translate(at);
    return std::move(result);
  }

private:
  // How many arguments were taken.
  size_t translate(size_t at) {
    const std::string &argument = from[at];
    if (argument.size() < 2 || argument[0] != '-') {
      if (absolutePath(argument, directory) != source && argument != from.front())
        unknown.insert(argument);
      return 1;
    }
    auto withOne = std::find(std::begin(withArgument), std::end(withArgument), argument);
    if (withOne != std::end(withArgument))
      return 2;
    OptionMatch found = matchOption(from, at);
    if (!found.row || found.missingValue || !wrongItem(*found.row, found.value).empty())
      unknown.insert(argument);
    else if (found.row->fate == OptionFate::Refused)
      unknown.insert(std::string(found.row->name));
    else if (found.row->fate == OptionFate::Applied && !isOfNoConcern(found.row->id))
      take(found, at);
    return static_cast<size_t>(found.taken);
  }

  void take(const OptionMatch &found, size_t at) {
    const Id id = found.row->id;
    if (id == Id::Mcuda)
      result.emplace_back("-cuda");
    if (id == Id::Mcuda || id == Id::Gpu) {
      if (std::string kept = gpuOption(found.value, unknown); !kept.empty())
        result.push_back("-gpu=" + kept);
    } else if (id == Id::Include || id == Id::ModuleDirectory) {
      result.push_back("-I" + absolutePath(found.value, directory));
    } else if (found.row->kind == OptionKind::Joined) {
      result.push_back(std::string(found.row->name) + found.value);
    } else {
      for (int i = 0; i < found.taken; ++i)
        result.push_back(from[at + static_cast<size_t>(i)]);
    }
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
