// See ask_build.h. Of CMake a build folder's reply is read; where there is none the query is
// written and CMake runs again in that folder, or in one of ours if nobody has configured the
// project yet.
#include "project/ask_build.h"
#include "base/files.h"
#include "base/flags_diag.h"
#include "base/process.h"
#include "project/ask_make.h"
#include "project/compile_calls.h"
#include "project/content_hash.h"
#include "project/kept_flags.h"
#include "project/project_parts.h"
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <sys/stat.h>

namespace cufc {
namespace {

namespace fs = std::filesystem;

bool isFile(const std::string &path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

std::string databaseOf(const std::string &folder) {
  for (const char *name : {"/compile_commands.json", "/build/compile_commands.json"})
    if (isFile(folder + name))
      return folder + name;
  return {};
}

bool hasBuild(const std::string &folder, const std::string &kind) {
  if (kind == "compile_commands")
    return !databaseOf(folder).empty();
  if (kind == "make")
    return !makefilesOf(folder).empty();
  return isFile(folder + (kind == "cmake" ? "/CMakeLists.txt" : "/fpm.toml"));
}

constexpr std::string_view kinds[] = {"compile_commands", "cmake", "fpm", "make"};

// Whether a folder above one that was given may be asked: a makefile runs commands, so it has to be
// of the same owner, where nobody else can write, and not in the folder of all his projects.
bool mayBeAsked(const std::string &above, const std::string &folder) {
  struct stat there{}, here{};
  const char *home = getenv("HOME");
  return stat(above.c_str(), &there) == 0 && stat(folder.c_str(), &here) == 0 &&
         there.st_uid == here.st_uid && (there.st_mode & S_IWOTH) == 0 && (!home || above != home);
}

// The folder, or the nearest above it in its repository, or of its owner, that has such a build of
// its own.
std::string folderWith(const std::string &kind, const std::string &folder) {
  std::error_code error;
  if (hasBuild(folder, kind))
    return folder;
  for (fs::path above = folder; above != above.parent_path(); above = above.parent_path()) {
    if (!mayBeAsked(above.string(), folder))
      break;
    if (kind == "make" ? !makefileIn(above.string()).empty() : hasBuild(above.string(), kind))
      return above.string();
    if (fs::exists(above / ".git", error))
      break;
  }
  return folder;
}

// What a name on the command line means: a build, or a file of one.
KeptFlags meant(const BuildQuestion &question) {
  KeptFlags flags;
  flags.root = question.folder;
  flags.from = question.from;
  flags.arguments = question.arguments;
  if (std::find(std::begin(kinds), std::end(kinds), flags.from) != std::end(kinds)) {
    flags.root = folderWith(flags.from, question.folder);
    return flags;
  }
  std::string path = absolutePath(question.from);
  std::error_code error;
  if (!isFile(path) && !fs::is_directory(path, error))
    return flags;
  if (std::string name = fs::path(path).filename(); name.ends_with(".json"))
    flags.from = "compile_commands";
  else if (name == "fpm.toml")
    flags.from = "fpm";
  else if (isFile(path + "/CMakeCache.txt"))
    flags.from = "cmake";
  else if (isFile(path))
    flags.from = "make";
  else
    return flags;
  flags.file = path;
  return flags;
}

class Question {
public:
  Question(const BuildQuestion &asked, Diagnostics &diagnostics)
      : cache(asked.cache), flags(meant(asked)), diagnostics(diagnostics) {}

  bool ask(bool again) {
    std::optional<KeptFlags> known = findKeptFlags(cache, flags.root);
    if (known && known->root == flags.root && known->from == flags.from && !again &&
        (flags.file.empty() || flags.file == known->file) &&
        (flags.arguments.empty() || flags.arguments == known->arguments) && !known->outdated())
      return true;
    bool found = flags.from == "make"               ? make()
                 : flags.from == "cmake"            ? cmake()
                 : flags.from == "fpm"              ? manifest("/fpm.toml", "fpm.toml")
                 : flags.from == "compile_commands" ? database()
                                                    : lacks(flags.from);
    if (!found || keepFlags(cache, flags))
      return found;
    return noAnswer("the folder " + cache, std::strerror(errno));
  }

private:
  bool lacks(const std::string &what) {
    diagnostics.report(FlagsDiag::BuildUnknown, {}, flags.root, what);
    return false;
  }

  bool noAnswer(const std::string &who, const std::string &why) {
    diagnostics.report(FlagsDiag::BuildWithoutAnswer, {}, who, flags.root, why);
    return false;
  }

  bool manifest(const char *name, const char *what) {
    if (flags.file.empty())
      flags.file = flags.root + name;
    return isFile(flags.file) || lacks(what);
  }

  bool database() {
    if (flags.file.empty())
      flags.file = databaseOf(flags.root);
    return !flags.file.empty() || lacks("compile_commands.json");
  }

  bool make() {
    std::vector<std::string> makefiles =
        flags.file.empty() ? makefilesOf(flags.root) : std::vector<std::string>{flags.file};
    if (makefiles.empty())
      return lacks("makefile");
    MakeAnswer answer = askMake(flags.root, makefiles, flags.arguments);
    flags.file = makefiles.front();
    flags.commands = std::move(answer.commands);
    for (const std::string &file : answer.makefiles)
      flags.files.push_back(buildFileNow(file));
    Project project;
    CompileCalls calls(project);
    for (const BuildCommand &command : flags.commands)
      calls.addCommand(command.directory, command.words);
    if (!project.sources.empty())
      return true;
    return noAnswer("make", answer.problem.empty() ? "it compiles none of them" : answer.problem);
  }

  bool cmake() {
    std::vector<std::string> folders = cmakeBuildFolders(flags.root);
    if (flags.file.empty() && !folders.empty())
      flags.file = folders.front();
    if (!flags.file.empty() && hasCMakeReply(flags.file))
      return true;
    if (flags.file.empty() && !isFile(flags.root + "/CMakeLists.txt"))
      return lacks("CMakeLists.txt");
    std::vector<std::string> command{"cmake", flags.file};
    if (flags.file.empty()) {
      flags.file = cache + "/" + contentHash(flags.root).text() + "-cmake";
      command = {"cmake", "-S", flags.root, "-B", flags.file};
    }
    std::error_code ignored; // an error shows when there is no reply
    std::string query = flags.file + "/.cmake/api/v1/query";
    fs::create_directories(query, ignored);
    writeFile(query + "/codemodel-v2", "");
    ProcessResult result = runProcess(command);
    return hasCMakeReply(flags.file) || noAnswer("cmake", complaintOf(result.output));
  }

  // The first error of CMake with the line that says what it is.
  static std::string complaintOf(const std::string &output) {
    size_t begin = output.find("CMake Error");
    if (begin == std::string::npos)
      return output.empty() ? "cmake cannot be started" : "it has written no reply";
    std::string text = output.substr(begin, output.find("\n\n", begin) - begin);
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
  }

  const std::string cache;
  KeptFlags flags;
  Diagnostics &diagnostics;
};

} // namespace

std::vector<std::string> buildsOf(const std::string &folder) {
  std::vector<std::string> result;
  for (std::string_view kind : kinds)
    if (hasBuild(folder, std::string(kind)))
      result.emplace_back(kind);
  return result;
}

bool askBuild(const BuildQuestion &question, bool again, Diagnostics &diagnostics) {
  return Question(question, diagnostics).ask(again);
}

} // namespace cufc
