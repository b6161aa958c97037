// What the client says of its files, folders and settings beside the documents that are open.
#include "server/server.h"

namespace cufc {

void Server::didChangeWatchedFiles(const Json &params) {
  std::vector<FileEvent> events;
  constexpr int created = 1, deleted = 3;
  for (const Json &change : params.at("changes")) {
    int type = change.at("type");
    events.push_back({pathOfUri(change.at("uri")), type == created   ? FileEvent::Kind::Created
                                                   : type == deleted ? FileEvent::Kind::Deleted
                                                                     : FileEvent::Kind::Changed});
  }
  host.filesChanged(events);
}

void Server::didChangeWorkspaceFolders(const Json &params) {
  std::vector<std::string> folders = host.projects.workspaceFolders();
  for (const Json &removed : params.at("event").at("removed"))
    std::erase(folders, pathOfUri(removed.at("uri")));
  for (const Json &added : params.at("event").at("added"))
    folders.push_back(pathOfUri(added.at("uri")));
  host.setFolders(std::move(folders));
  host.reload();
}

void Server::didChangeConfiguration(const Json &params) {
  Json given = params.value("settings", Json());
  bool isGiven = given.is_object() && !given.empty();
  if (isGiven)
    readSettings(given.value("cufls", given));
  if (!isGiven && client.has("workspace/configuration"))
    client.ask("workspace/configuration", {{"items", {{{"section", "cufls"}}}}},
               [this](const Json &list) {
                 if (list.is_array() && !list.empty()) {
                   readSettings(list.front());
                   host.reload();
                 }
               });
  else
    host.reload();
}

void Server::readSettings(const Json &given) {
  settings = given.is_object() ? given : Json::object();
  host.setSettings(hostSettings());
}

// cufls.flags: arguments of cufc for all files; cufls.diagnostics: severities by code or group.
HostSettings Server::hostSettings() const {
  HostSettings result;
  if (Json list = setting("diagnostics"); list.is_object())
    for (const auto &[key, value] : list.items())
      if (value.is_string())
        result.severities.emplace_back(key, value.get<std::string>());
  if (Json list = setting("flags"); list.is_array())
    for (const Json &flag : list)
      if (flag.is_string())
        result.flags.push_back(flag);
  auto take = [](std::uint64_t &number, const Json &value, std::uint64_t unit) {
    if (value.is_number_unsigned())
      number = value.get<std::uint64_t>() * unit;
  };
  constexpr std::uint64_t megabyte = std::uint64_t(1) << 20;
  take(result.memoryLimit, setting("memoryLimit"), megabyte);
  take(result.index.megabytes, setting("index.memory"), 1);
  take(result.index.seconds, setting("index.time"), 1);
  result.costs.enabled = setting("occupancy.enabled") != Json(false);
  if (Json name = setting("gpu"); name.is_string())
    result.costs.gpu = name;
  return result;
}

void Server::initialized(const Json &) {
  registerCapabilities();
  if (client.has("workspace/configuration"))
    didChangeConfiguration(Json::object());
  host.begin();
  readApiSoon();
}

void Server::registerCapabilities() {
  Json list = Json::array();
  if (client.has("workspace/didChangeWatchedFiles/dynamicRegistration"))
    list.push_back(
        {{"id", "cufls-files"},
         {"method", "workspace/didChangeWatchedFiles"},
         {"registerOptions",
          {{"watchers",
            {{{"globPattern",
               "**/*.{cuf,CUF,f90,F90,f95,F95,f03,F03,f08,F08,f,F,for,FOR,inc,h,fh}"}},
             {{"globPattern", "**/{cufls.json,compile_commands.json,fpm.toml,CMakeLists.txt,"
                              "Makefile,makefile,GNUmakefile,*.mk,make.inc*}"}}}}}}});
  if (client.has("workspace/didChangeConfiguration/dynamicRegistration"))
    list.push_back({{"id", "cufls-settings"},
                    {"method", "workspace/didChangeConfiguration"},
                    {"registerOptions", {{"section", "cufls"}}}});
  if (!list.empty())
    client.ask("client/registerCapability", {{"registrations", list}}, [](const Json &) {});
}

} // namespace cufc
