// What the client says of its files, folders and settings beside the documents that are open.
#include "server/server.h"

namespace cufc {

void Server::didChangeWatchedFiles(const Json &params) {
  bool reload = false, stale = false;
  constexpr int created = 1, deleted = 3;
  for (const Json &change : params.at("changes")) {
    std::string path = pathOfUri(change.at("uri"));
    int type = change.at("type");
    std::string name = path.substr(path.rfind('/') + 1);
    if (FlagNotices::isBuildFile(path))
      flagNotices.buildChanged();
    if (name == projectFileName || name == "compile_commands.json" ||
        FlagNotices::isBuildFile(path) || type == created || type == deleted)
      reload = true;
    if (type == deleted && !uris.contains(path)) {
      workspace.remove(path);
      withdraw(path);
    }
    stale |= !uris.contains(path);
    if (!reload && type != created && type != deleted)
      reload = !projects.rescan(projects.of(path), path);
  }
  if (reload) {
    projects.filesChanged();
    return reloadProjects();
  }
  if (!stale)
    return;
  for (const auto &[folder, project] : projects.loaded())
    project->stale = true;
  scheduleIndex(300);
}

void Server::didChangeWorkspaceFolders(const Json &params) {
  std::vector<std::string> folders = projects.workspaceFolders();
  for (const Json &removed : params.at("event").at("removed"))
    std::erase(folders, pathOfUri(removed.at("uri")));
  for (const Json &added : params.at("event").at("added"))
    folders.push_back(pathOfUri(added.at("uri")));
  hideProgress();
  projects.setFolders(std::move(folders));
  reloadProjects();
}

void Server::didChangeConfiguration(const Json &params) {
  Json given = params.value("settings", Json());
  bool isGiven = given.is_object() && !given.empty();
  if (isGiven)
    readSettings(given.value("cufls", given));
  if (!isGiven && clientHas("workspace/configuration"))
    ask("workspace/configuration", {{"items", {{{"section", "cufls"}}}}}, [this](const Json &list) {
      if (list.is_array() && !list.empty()) {
        readSettings(list.front());
        reloadProjects();
      }
    });
  else
    reloadProjects();
}

// cufls.flags: arguments of cufc for all files; cufls.diagnostics: severities by code or group.
void Server::readSettings(const Json &given) {
  settings = given.is_object() ? given : Json::object();
  std::vector<std::pair<std::string, std::string>> severities;
  if (Json list = setting("diagnostics"); list.is_object())
    for (const auto &[key, value] : list.items())
      if (value.is_string())
        severities.emplace_back(key, value.get<std::string>());
  std::vector<std::string> flags;
  if (Json list = setting("flags"); list.is_array())
    for (const Json &flag : list)
      if (flag.is_string())
        flags.push_back(flag);
  hideProgress();
  projects.setSettings(std::move(severities), std::move(flags));
  constexpr std::uint64_t megabyte = std::uint64_t(1) << 20;
  Json limit = setting("memoryLimit");
  analyses->setMemoryLimit(limit.is_number_unsigned() ? limit.get<std::uint64_t>() * megabyte
                                                      : defaultMemoryLimit);
  costs.readSettings();
}

void Server::initialized(const Json &) {
  registerCapabilities();
  if (clientHas("workspace/configuration"))
    didChangeConfiguration(Json::object());
  for (const std::string &folder : projects.workspaceFolders())
    projects.of(folder);
  scheduleIndex(100);
}

void Server::registerCapabilities() {
  Json list = Json::array();
  if (clientHas("workspace/didChangeWatchedFiles/dynamicRegistration"))
    list.push_back(
        {{"id", "cufls-files"},
         {"method", "workspace/didChangeWatchedFiles"},
         {"registerOptions",
          {{"watchers",
            {{{"globPattern",
               "**/*.{cuf,CUF,f90,F90,f95,F95,f03,F03,f08,F08,f,F,for,FOR,inc,h,fh}"}},
             {{"globPattern", "**/{cufls.json,compile_commands.json,fpm.toml,CMakeLists.txt,"
                              "Makefile,makefile,GNUmakefile,*.mk,make.inc*}"}}}}}}});
  if (clientHas("workspace/didChangeConfiguration/dynamicRegistration"))
    list.push_back({{"id", "cufls-settings"},
                    {"method", "workspace/didChangeConfiguration"},
                    {"registerOptions", {{"section", "cufls"}}}});
  if (!list.empty())
    ask("client/registerCapability", {{"registrations", list}}, [](const Json &) {});
}

} // namespace cufc
