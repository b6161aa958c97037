// See flag_notices.h. The question is a task like a build: with progress, output and cancelling.
#include "host/flag_notices.h"
#include "host/host.h"
#include "host/texts.h"
#include "project/ask_build.h"
#include "project/kept_flags.h"

namespace cufc {
namespace {

constexpr const char *agree = "Ask the Build", *refuse = "Never for This Folder";

} // namespace

bool FlagNotices::isBuildFile(const std::string &path) {
  std::string name = path.substr(path.rfind('/') + 1);
  return name == "Makefile" || name == "makefile" || name == "GNUmakefile" || name == "fpm.toml" ||
         name == "CMakeLists.txt" || name.ends_with(".mk") || name.starts_with("make.inc");
}

MissingFlags FlagNotices::lacking(const LoadedProject &project) const {
  MissingFlags missing;
  const ReadText read = textReader(host.workspace);
  for (const ProjectSource &source : project.project.sources) {
    const SourceFile *file = host.workspace.find(source.path);
    if (!file || !file->analysis)
      continue;
    std::vector<std::string> macros;
    for (const auto &[macro, isDefined] : file->reading.macros)
      if (isDefined)
        macros.push_back(macro);
    missing.add(*file->analysis, source.path, read(source.path).value_or(""), macros);
  }
  return missing;
}

void FlagNotices::indexed(const LoadedProject &project) {
  const std::string &root = project.project.root;
  if (!project.project.outdated.empty() && host.isTrusted() && !silent.contains(root))
    return ask(root, "make"); // the user has agreed before
  if (offered.contains(root))
    return;
  auto kept = findKeptFlags(host.projects.flagsFolder(), root);
  if (kept && kept->from == "never")
    return;
  for (const Diagnostic &notice : lacking(project).notice(project.project, "{} may know them")) {
    offered.insert(root);
    offer(root, notice.message);
  }
}

void FlagNotices::offer(const std::string &folder, const std::string &message) {
  HostQuestion question{Severity::Information, message, {}};
  if (host.isTrusted())
    question.choices.push_back(agree);
  else
    question.text += "; it is asked in trusted workspaces only";
  question.choices.push_back(refuse);
  host.parts.observer.ask(question, [this, folder](const std::string &choice) {
    if (choice == agree && host.isTrusted()) {
      std::vector<std::string> builds = buildsOf(folder);
      std::erase(builds, "compile_commands");
      if (!builds.empty())
        ask(folder, builds.front());
    }
    if (choice == refuse)
      keepFlags(host.projects.flagsFolder(), {folder, "never", {}, {}, {}, {}});
  });
}

void FlagNotices::ask(const std::string &folder, const std::string &from) {
  TaskRequest request{TaskKind::FindFlags, folder};
  request.from = from;
  host.tasks.start(request, [](const TaskEnd &) {});
}

void FlagNotices::answered(const std::string &folder, bool found) {
  if (!found) {
    silent.insert(folder);
    return;
  }
  host.parts.observer.say(
      {Severity::Information, "flags of " + folder + " are those of its build now"});
  host.reload();
}

} // namespace cufc
