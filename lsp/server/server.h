// One client's conversation: lifecycle, documents, and when each request is answered.
//
// Runs in one thread. Handlers are in answers/, the list of methods in dispatch.cpp. A request gets
// exactly one answer: at once, when the analysis that it needs is there, or when it is cancelled.
#ifndef CUFLS_SERVER_SERVER_H
#define CUFLS_SERVER_SERVER_H

#include "ide/api_table.h"
#include "ide/conditions.h"
#include "ide/query.h"
#include "server/analyses.h"
#include "server/flag_notices.h"
#include "server/folder_scan.h"
#include "server/kernel_costs.h"
#include "server/log.h"
#include "server/module_views.h"
#include "server/outside_watch.h"
#include "server/projects.h"
#include "server/protocol.h"
#include "server/serve.h"
#include "server/tasks.h"
#include "server/token_results.h"
#include "server/typing.h"
#include <asio/steady_timer.hpp>
#include <deque>

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

class Server {
public:
  using Send = std::function<void(const Json &message)>;
  Server(asio::io_context &loop, const ServerOptions &options, Send send,
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

  void notify(const char *method, Json params);
  // Asks the client.
  using Answered = std::function<void(const Json &result)>; // null after an error
  void ask(const char *method, Json params, Answered answered);

  Positions positions() const { return {workspace, encoding, uris}; }
  // A setting "a.b" of the client's section cufls, or null.
  Json setting(const std::string &name) const;
  // Whether the client says that it can do something: "textDocument/hover/contentFormat".
  bool clientHas(const std::string &path) const;
  Json clientCapability(const std::string &path) const;

  // Of an open document, as the client counts; null for others.
  Json versionOf(const std::string &path) const {
    auto found = versions.find(path);
    return found == versions.end() ? Json() : found->second;
  }

  // What is to be shown of a file's diagnostics.
  std::vector<Diagnostic> shownDiagnosticsOf(const SourceFile &file);
  Json status();
  // What is documented of the modules and words that no source declares; read when first asked for.
  const ApiTable &api();
  // The folder with a page for each code.
  std::string explanationPages() const {
    return projects.checkOptions().installation.libraries + "/diagnostics";
  }

  // Answers to requests that a handler has left open by throwing AnsweredLater.
  void answer(const Json &id, Json result);
  void fail(const Json &id, const ResponseError &error);
  // Sends the diagnostics of a file to the client, unless it asks for those of open files itself.
  void publish(const std::string &path);
  // All that is to be said of a file, also by builds.
  Json diagnosticsJson(const SourceFile &file);
  // Whether the client asks for diagnostics, and can be told that they have changed: without that
  // it would not know what a build or the costs of kernels add.
  bool clientPulls() const {
    return clientHas("textDocument/diagnostic") &&
           clientHas("workspace/diagnostics/refreshSupport");
  }
  // Whether programs of the workspace may be run without asking.
  bool isTrusted() const { return trusted; }
  // This program under the name cufls.
  std::string executable() const;

  Workspace workspace;
  Projects projects;
  TokenResults tokenResults;
  Log log;
  Tasks tasks;
  KernelCosts costs;
  ModuleViews views;
  FlagNotices flagNotices;
  // Documents of the scheme cufls that the client shows; it is told when they may have changed.
  std::set<std::string> contentsShown;
  // A build has said how it compiles.
  void flagsChanged() { reloadProjects(); }

private:
  friend class ActionCheck;
  friend class KernelCosts;
  friend class ModuleViews;
  struct Waiting {
    Json id;
    const Method *method;
    Json params;
    std::string path;
  };

  void handleRequest(const Json &id, const std::string &name, const Json &params);
  bool mustWait(const Method &method, const std::string &path) const;
  void perform(const Json &id, const Method &method, const Json &params);
  void answerWaiting();
  void takeResponse(const Json &message);

  SourceFile &openFile(const Json &params);
  void analyse(const std::string &path);
  void takeKnownAnalysis(LoadedProject &project, const std::string &path);
  void analysed(const std::string &path, const Analysis &analysis, FileSession::Quality quality);
  void sayMissingModules(const std::string &path, Analysis &analysis);
  void removeLeftModules(const std::string &path, const Analysis &analysis);
  void tellUsers(const std::set<std::string> &modules);
  bool modulesFollow(const std::string &path, const Analysis &analysis);
  bool mayUse(const std::string &path, const std::set<std::string> &modules);
  void sendInactiveRegions(const SourceFile &file);
  void publishMistakes(const LoadedProject &project);
  void withdraw(const std::string &path);
  void sayLater(const std::string &path);
  void withdrawStrangers();
  void workerDied();

  void startIndex(LoadedProject &project);
  void scheduleIndex(int milliseconds);
  void indexWhatIsStale();
  std::vector<size_t> nearestFirst(const LoadedProject &project) const;
  void keepIndexToLimits(LoadedProject &project);
  void scanFolders();
  void folderScanned(const std::string &folder, bool changed);
  void becomeCuda(const std::string &path);
  void pauseIndex();
  void indexFound(LoadedProject &project, Indexer::Found found);
  void indexEnded(LoadedProject &project, bool complete);
  void reloadProjects();
  void rescanOpenFiles();
  void outsideChanged(const std::set<std::string> &sources);
  bool noteOutside(const std::string &path, std::chrono::system_clock::time_point begin);
  void noteOutsideSoon(const std::string &path);
  void reportProgress(LoadedProject &project, const char *kind);
  void hideProgress();

  void readSettings(const Json &settings);
  void registerCapabilities();
  void sendStatus();
  void watchParent();
  void scheduleRefresh();

  Send send;
  std::function<void(int)> exit;
  enum class State { New, Initialized, ShutDown } state = State::New;
  PositionEncoding encoding = PositionEncoding::Utf16;
  std::map<std::string, std::string> uris; // of open files, by path
  std::map<std::string, Json> versions;    // of open files
  std::map<std::string, size_t> crashes;   // of the newest text of a file
  std::set<std::string> known;             // open files as an earlier run has analysed them
  std::set<std::string> waitingForModules; // open files whose modules the indexer makes
  // Open files whose files from outside have to be noted, since when they are analysed.
  std::map<std::string, std::chrono::system_clock::time_point> analysedSince, outsideDue;
  std::set<std::string> viewsDue;  // open files whose modules from outside may have changed
  std::set<std::string> published; // files with diagnostics at the client
  std::map<std::string, std::vector<LineRange>> inactive; // of open files, as the client knows it
  std::deque<Waiting> waiting;
  std::map<int, Answered> asked;
  int lastAsked = 0;
  Json client = Json::object(), settings = Json::object();
  std::string lastStatus;
  int progressShown = 0; // progress of indexes; each has a token of its own
  bool refreshScheduled = false;
  std::optional<ApiTable> apiTable;
  Typing typing;
  asio::steady_timer indexTimer, parentTimer, refreshTimer, outsideTimer, typingTimer;
  long parent = 0;
  bool trusted = false;
  asio::io_context &loop;
  OutsideWatch outside;
  std::unique_ptr<Analyses> analyses;
  FolderScan folderScan;
};

} // namespace cufc
#endif // CUFLS_SERVER_SERVER_H
