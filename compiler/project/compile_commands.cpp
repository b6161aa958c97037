// compile_commands.json (the format of clang's JSONCompilationDatabase): the entries for Fortran
// sources, whichever compiler they name.
#include "base/diag.h"
#include "base/files.h"
#include "project/compile_calls.h"
#include "project/json_reader.h"
#include "project/project_parts.h"

namespace cufc {
namespace {

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
    std::vector<std::string> command = splitCommand(value.string("command"));
    if (const JsonValue *list = value.find("arguments"))
      for (const JsonValue &item : list->items)
        command.push_back(item.text);
    calls.add(directory, std::move(command), path);
  }

  void finish() { calls.finish(); }

  void wrong(const JsonValue &value, const char *what, const char *type) {
    diagnostics.report(Diag::ProjectValueType, value.range, what, type);
  }

private:
  Project &project;
  Diagnostics &diagnostics;
  CompileCalls calls{project};
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
