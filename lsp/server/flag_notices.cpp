// See flag_notices.h. The question is a task like a build: with progress, output and cancelling.
#include "server/flag_notices.h"
#include "project/ask_build.h"
#include "project/kept_flags.h"
#include "server/server.h"

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
  for (const ProjectSource &source : project.project.sources) {
    const SourceFile *file = server.workspace.find(source.path);
    if (!file || !file->analysis)
      continue;
    std::vector<std::string> macros;
    for (const auto &[macro, isDefined] : file->reading.macros)
      if (isDefined)
        macros.push_back(macro);
    Positions texts = server.positions();
    missing.add(*file->analysis, source.path, texts.document(source.path).text(), macros);
  }
  return missing;
}

void FlagNotices::indexed(const LoadedProject &project) {
  const std::string &root = project.project.root;
  if (!project.project.outdated.empty() && server.isTrusted() && !silent.contains(root))
    return ask(root, "make"); // the user has agreed before
  if (offered.contains(root))
    return;
  auto kept = findKeptFlags(server.projects.flagsFolder(), root);
  if (kept && kept->from == "never")
    return;
  for (const Diagnostic &notice : lacking(project).notice(project.project, "{} may know them")) {
    offered.insert(root);
    offer(root, notice.message);
  }
}

void FlagNotices::offer(const std::string &folder, const std::string &message) {
  Json actions = Json::array();
  if (server.isTrusted())
    actions.push_back(Json{{"title", agree}});
  actions.push_back(Json{{"title", refuse}});
  server.ask(
      "window/showMessageRequest",
      {{"type", 3},
       {"message", "cufls: " + message +
                       (server.isTrusted() ? "" : "; it is asked in trusted workspaces only")},
       {"actions", actions}},
      [this, folder](const Json &choice) {
        std::string title = choice.is_object() ? choice.value("title", "") : "";
        if (title == agree && server.isTrusted()) {
          std::vector<std::string> builds = buildsOf(folder);
          std::erase(builds, "compile_commands");
          if (!builds.empty())
            ask(folder, builds.front());
        }
        if (title == refuse)
          keepFlags(server.projects.flagsFolder(), {folder, "never", {}, {}, {}, {}});
      });
}

void FlagNotices::ask(const std::string &folder, const std::string &from) {
  server.tasks.start(nullptr, "cufls.findFlags", {folder, {{"from", from}}});
}

void FlagNotices::answered(const std::string &folder, bool found) {
  if (!found) {
    silent.insert(folder);
    return;
  }
  server.notify(
      "window/showMessage",
      {{"type", 3}, {"message", "cufls: flags of " + folder + " are those of its build now"}});
  server.flagsChanged();
}

} // namespace cufc
