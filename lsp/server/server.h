// One client's conversation: lifecycle, what the client has opened and set, and when each request
// is answered. What it is about is the host's (host/host.h).
//
// Runs in one thread. Handlers are in answers/, the list of methods in dispatch.cpp. A request gets
// exactly one answer: at once, when the analysis that it needs is there, or when it is cancelled.
#ifndef CUFLS_SERVER_SERVER_H
#define CUFLS_SERVER_SERVER_H

#include "host/host.h"
#include "ide/api_table.h"
#include "ide/conditions.h"
#include "ide/query.h"
#include "server/client.h"
#include "server/commands.h"
#include "server/index_display.h"
#include "server/log.h"
#include "server/protocol.h"
#include "server/publisher.h"
#include "server/serve.h"
#include "server/token_results.h"
#include <asio/steady_timer.hpp>
#include <deque>
#include <future>

namespace cufc {

// What a request waits for.
enum class Needs {
  Nothing,  // it is about no document, or about its text alone
  Analysis, // some analysis of the document, which edits since have shifted
  Current,  // the analysis of the document's newest text
};

class Server;

// Thrown by a handler that has seen to its answer.
struct AnsweredLater {};

// What a handler works with.
struct RequestContext {
  Server &server;
  Client &client;
  Host &host;
  const Json &id;
  const Json &params;
  const Workspace &workspace;
  Positions positions;

  // The file of params.textDocument, which must be open.
  const SourceFile &file() const;
  // The place of params.textDocument and params.position.
  Query query() const;
};

// A request or notification: the rows of dispatch.cpp. Capabilities follow from them.
struct Method {
  const char *name;
  Needs needs;
  Json (*answer)(RequestContext &); // throws ResponseError
  const char *capability;           // "hoverProvider", or null; "a/b" for a member of another
  const char *value;                // its JSON
};
struct Notification {
  const char *name;
  void (Server::*handle)(const Json &params);
};

const Method *findMethod(const std::string &name);
const Notification *findNotification(const std::string &name);
Json capabilities(PositionEncoding encoding);

class Server : private HostObserver {
public:
  Server(asio::io_context &loop, const ServerOptions &options, Client::Send send,
         std::function<void(int exitStatus)> exit);

  void receive(const std::string &message);
  // The stream has ended.
  void disconnected();

  // Notifications.
  void initialized(const Json &params);
  void exitNotified(const Json &params);
  void setTrace(const Json &params);
  void cancelRequest(const Json &params);
  void cancelProgress(const Json &params);
  void didOpen(const Json &params);
  void didChange(const Json &params);
  void didSave(const Json &params);
  void didClose(const Json &params);
  void didChangeConfiguration(const Json &params);
  void didChangeWatchedFiles(const Json &params);
  void didChangeWorkspaceFolders(const Json &params);

  // Requests of the lifecycle.
  Json initialize(const Json &params);
  Json shutdown();

  Positions positions() const { return {host.workspace, encoding, uris}; }
  // A setting "a.b" of the client's section cufls, or null.
  Json setting(const std::string &name) const;
  // Of an open document, as the client counts; null for others.
  Json versionOf(const std::string &path) const;
  // What is documented of the modules and words that no source declares.
  const ApiTable &api();
  // Have it read, now or when the first file is likely to be analysed, before it is asked for.
  void readApi();
  void readApiSoon();
  // Has the client ask again for what an analysis changes although the text has not changed.
  void scheduleRefresh();

  Log logFile;
  Client client;
  Host host;
  TokenResults tokenResults;
  Commands commands;
  Publisher publisher;
  // Documents of the scheme cufls that the client shows; it is told when they may have changed.
  std::set<std::string> contentsShown;

private:
  struct Waiting {
    Json id;
    const Method *method;
    Json params;
    std::string path;
  };

  // What the host says.
  void diagnosticsChanged(const std::string &path) override { publisher.publish(path); }
  void diagnosticsGone(const std::string &path) override { publisher.withdraw(path); }
  void projectFileRead(const std::string &file, const std::vector<Diagnostic> &mistakes) override {
    publisher.publishMistakes(file, mistakes);
  }
  void projectsReloaded() override { publisher.withdrawUnknown(); }
  void analysesAdvanced() override { answerWaiting(); }
  void meaningChanged() override { scheduleRefresh(); }
  void costsChanged(const std::string &path) override;
  void timesMeasured() override { scheduleRefresh(); }
  void statusChanged() override;
  void indexProgressed(const IndexProgress &progress) override { indexDisplay.show(progress); }
  void taskBegan(const TaskInfo &task) override { commands.began(task); }
  void taskPrinted(const TaskInfo &task, ChildProgram::Stream stream,
                   std::string_view text) override {
    commands.printed(task, stream, text);
  }
  void taskEnded(const TaskInfo &task, bool good) override { commands.ended(task, good); }
  void say(const HostMessage &message) override;
  void ask(const HostQuestion &question, HostQuestion::Answered answered) override;
  void log(std::string_view text) override { logFile.write(text); }

  void handleRequest(const Json &id, const std::string &name, const Json &params);
  bool mustWait(const Method &method, const std::string &path) const;
  void perform(const Json &id, const Method &method, const Json &params);
  void answerWaiting();
  void takeResponse(const Json &message);

  const SourceFile &openFile(const Json &params) const;
  void sendInactiveRegions(const SourceFile &file);
  void readSettings(const Json &settings);
  HostSettings hostSettings() const;
  void registerCapabilities();
  void watchParent();

  std::function<void(int)> exit;
  enum class State { New, Initialized, ShutDown } state = State::New;
  PositionEncoding encoding = PositionEncoding::Utf16;
  std::map<std::string, std::string> uris;                // of open files, by path
  std::map<std::string, Json> versions;                   // of open files
  std::map<std::string, std::vector<LineRange>> inactive; // of open files, as the client knows it
  std::deque<Waiting> waiting;
  Json settings = Json::object();
  std::optional<HostStatus::State> lastState; // that the client was told
  IndexDisplay indexDisplay;
  bool refreshScheduled = false;
  std::shared_future<ApiTable> apiTable;
  asio::steady_timer parentTimer, refreshTimer, apiTimer;
  long parent = 0;
};

} // namespace cufc
#endif // CUFLS_SERVER_SERVER_H
