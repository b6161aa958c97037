// See ask_make.h. GNU make remakes the makefiles that it includes, also with -n (manual, "How
// Makefiles Are Remade"): in the user's folder a question could replace an edited file.
#include "project/ask_make.h"
#include "base/files.h"
#include "base/process.h"
#include "project/project.h"
#include "project/project_parts.h"
#include <algorithm>
#include <deque>
#include <filesystem>
#include <set>

namespace cufc {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largestFile = 1 << 20; // larger ones are only there in the copy
constexpr size_t mostFiles = 30000;
constexpr size_t mostCalls = 40; // of make, with those that recipes call by name
constexpr const char *seconds = "60";

bool isFile(const fs::path &path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

void addBelow(const fs::path &folder, int depth, std::vector<std::string> &found) {
  if (std::string own = makefileIn(folder.string()); !own.empty())
    return found.push_back(own);
  std::error_code error;
  std::vector<fs::path> folders;
  for (const auto &entry : fs::directory_iterator(folder, error))
    if (entry.is_directory(error) && !entry.is_symlink(error) &&
        !isSkippedFolder(entry.path().string()))
      folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  if (depth > 0)
    for (const fs::path &below : folders)
      addBelow(below, depth - 1, found);
}

bool isMadeByCompilers(const fs::path &path) {
  static const std::set<std::string> suffixes{".o", ".obj", ".lo", ".mod", ".smod"};
  return suffixes.contains(path.extension().string());
}

// False if there is too much.
bool copyTree(const fs::path &from, const fs::path &to) {
  std::error_code error;
  size_t count = 0;
  auto end = fs::recursive_directory_iterator();
  auto at =
      fs::recursive_directory_iterator(from, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != end; at.increment(error)) {
    const fs::path target = to / at->path().lexically_relative(from);
    std::error_code ignored;
    if (++count > mostFiles)
      return false;
    if (at->is_symlink(ignored)) {
      fs::copy_symlink(at->path(), target, ignored);
    } else if (at->is_directory(ignored)) {
      if (at->path().filename() == ".git")
        at.disable_recursion_pending();
      else
        fs::create_directory(target, ignored);
    } else if (at->is_regular_file(ignored) && !isMadeByCompilers(at->path())) {
      if (at->file_size(ignored) <= largestFile)
        fs::copy_file(at->path(), target, ignored);
      else
        writeFile(target.string(), "");
    }
  }
  return true;
}

fs::path repositoryOf(const fs::path &folder) {
  std::error_code error;
  for (fs::path above = folder; above != above.parent_path(); above = above.parent_path())
    if (fs::exists(above / ".git", error))
      return above;
  return folder;
}

class Asking {
public:
  Asking(std::string root, std::string copy) : root(std::move(root)), copy(std::move(copy)) {}

  void ask(const std::string &makefile, const std::vector<std::string> &arguments) {
    std::string folder = inCopy(directoryOf(makefile));
    std::vector<std::string> words{"-f", makefile.substr(makefile.rfind('/') + 1)};
    words.insert(words.end(), arguments.begin(), arguments.end());
    size_t before = answer.commands.size();
    open.push_back({folder, words});
    run();
    if (answer.commands.size() != before || !arguments.empty())
      return;
    words.emplace_back("all"); // the first target may be a help text
    open.push_back({folder, words});
    run();
  }

  MakeAnswer answer;

private:
  void run() {
    for (; !open.empty() && calls < mostCalls; ++calls) {
      BuildCommand next = std::move(open.front());
      open.pop_front();
      std::vector<std::string> command{"env",  "-u",        "MAKEFLAGS",    "-u",      "MFLAGS",
                                       "-u",   "MAKELEVEL", "LC_ALL=C",     "timeout", seconds,
                                       "make", "-C",        next.directory, "-n",      "-k",
                                       "-w",   "-p"};
      command.insert(command.end(), next.words.begin(), next.words.end());
      take(readMakeOutput(runProcess(command).output, next.directory));
    }
    open.clear();
  }

  void take(MakeOutput output) {
    for (BuildCommand &command : output.commands) {
      command.directory = inRoot(std::move(command.directory));
      for (std::string &word : command.words)
        word = inRoot(std::move(word));
      answer.commands.push_back(std::move(command));
    }
    for (std::string &file : output.makefiles)
      if (file.starts_with(copy + "/"))
        if (std::string own = inRoot(std::move(file)); isFile(own))
          answer.makefiles.push_back(std::move(own));
    if (answer.problem.empty())
      answer.problem = inRoot(output.complaint);
    for (BuildCommand &call : output.makes) {
      call.words.erase(call.words.begin());
      if (seen.insert({call.directory, call.words}).second)
        open.push_back(std::move(call));
    }
  }

  std::string inCopy(const std::string &path) const { return copy + path.substr(root.size()); }
  std::string inRoot(std::string text) const {
    for (size_t at = 0; (at = text.find(copy, at)) != std::string::npos; at += root.size())
      text.replace(at, copy.size(), root);
    return text;
  }

  const std::string root, copy;
  std::deque<BuildCommand> open;
  std::set<std::pair<std::string, std::vector<std::string>>> seen;
  size_t calls = 0;
};

} // namespace

std::string makefileIn(const std::string &folder) {
  for (const char *name : {"/GNUmakefile", "/makefile", "/Makefile"})
    if (isFile(folder + name))
      return folder + name;
  return {};
}

std::vector<std::string> makefilesOf(const std::string &folder) {
  std::vector<std::string> found;
  addBelow(folder, 2, found);
  return found;
}

MakeAnswer askMake(const std::string &root, const std::vector<std::string> &makefiles,
                   const std::vector<std::string> &arguments) {
  if (findProgram("make").empty())
    return {{}, {}, "make is not installed"};
  fs::path all = repositoryOf(root);
  TemporaryFolder copy;
  if (!copy.valid() || !copyTree(all, copy.root()))
    return {{}, {}, all.string() + " has too many files; name the folder of the makefile"};
  std::error_code error; // make prints folders without links
  Asking asking(all.string(), fs::canonical(copy.root(), error).string());
  for (const std::string &makefile : makefiles)
    asking.ask(makefile, arguments);
  std::vector<std::string> &read = asking.answer.makefiles;
  std::sort(read.begin(), read.end());
  read.erase(std::unique(read.begin(), read.end()), read.end());
  return std::move(asking.answer);
}

} // namespace cufc
