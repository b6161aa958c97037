// The host without any protocol: what it knows of files as they are edited, and what it says to an
// observer. Its program holds flang, which runs in the host's own processes.
#include "base/diagnostic_formats.h"
#include "codegen/targets.h"
#include "driver/frontend_options.h"
#include "host/host.h"
#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <sys/stat.h>

#ifdef INCLUDE_NLOHMANN_JSON_HPP_
#error "the host's headers know no JSON"
#endif

namespace cufc {
namespace {

const std::string module = "module m\n"
                           "  implicit none\n"
                           "  integer, parameter :: n = 4\n"
                           "end module\n";
const std::string user = "program p\n"
                         "  use m\n"
                         "  implicit none\n"
                         "  print *, n\n"
                         "end program\n";

// What was said to the outside.
class Recorder : public HostObserver {
public:
  void diagnosticsChanged(const std::string &path) override { ++changed[path]; }
  void diagnosticsGone(const std::string &path) override { gone.insert(path); }
  void projectFileRead(const std::string &, const std::vector<Diagnostic> &) override {}
  void projectsReloaded() override {}
  void analysesAdvanced() override {}
  void meaningChanged() override {}
  void costsChanged(const std::string &) override {}
  void timesMeasured() override {}
  void statusChanged() override {}
  void indexProgressed(const IndexProgress &progress) override { stages.push_back(progress.stage); }
  void taskBegan(const TaskInfo &) override { printed += "<"; }
  void taskPrinted(const TaskInfo &, ChildProgram::Stream, std::string_view text) override {
    printed += text;
  }
  void taskEnded(const TaskInfo &, bool) override { printed += ">"; }
  void say(const HostMessage &message) override { said.push_back(message.text); }
  void ask(const HostQuestion &question, HostQuestion::Answered answered) override {
    ++questions;
    answered(question.choices[choice]);
  }
  void log(std::string_view) override {}

  std::map<std::string, int> changed;
  std::set<std::string> gone;
  std::vector<IndexProgress::Stage> stages;
  std::string printed;
  std::vector<std::string> said;
  int questions = 0;
  size_t choice = 0; // of each question
};

class HostTest : public testing::Test {
protected:
  std::string write(const std::string &name, const std::string &text) const {
    EXPECT_TRUE(writeFile(folder.path(name), text));
    return folder.path(name);
  }

  // A program in the place of cufls, which says something and leaves these diagnostics.
  void setProgram(const std::string &words, const std::vector<Diagnostic> &diagnostics) {
    std::string lines;
    for (const Diagnostic &diagnostic : diagnostics)
      lines += jsonLine(diagnostic);
    write("lines", lines);
    options.program = write("cufls.sh", "#!/bin/sh\n"
                                        "for each; do case $each in --diagnostics-to=*)\n"
                                        "  cp " +
                                            folder.path("lines") +
                                            " \"${each#*=}\";;\n"
                                            "esac; done\n"
                                            "echo " +
                                            words + " >&2\nexit 3\n");
    chmod(options.program.c_str(), S_IRWXU);
  }

  Host &start() {
    static const bool initialised = (initialiseTargets(), true);
    EXPECT_TRUE(initialised);
    options.check.installation.modules = CUFC_MODULES;
    options.check.version = "test";
    options.cacheFolder = folder.path("cache/analyses");
    options.defaults = frontendOptions(Options(), options.check.installation, "",
                                       {FileKind::Fortran, false, true, false}, "");
    host = std::make_unique<Host>(loop, options, recorder);
    host->setFolders({folder.root()});
    host->setSettings({});
    return *host;
  }

  template <typename Condition>
  bool until(const Condition &condition) {
    auto end = std::chrono::steady_clock::now() + std::chrono::minutes(5);
    while (!condition() && std::chrono::steady_clock::now() < end)
      loop.run_one_for(std::chrono::milliseconds(100));
    return condition();
  }
  bool untilAnalysed(const std::string &path) {
    return until([&] {
      const SourceFile *file = host->workspace.find(path);
      return file && file->analysis && !host->isAnalysing(path);
    });
  }

  std::vector<std::string> errors(const std::string &path) {
    std::vector<std::string> result;
    for (const Diagnostic &diagnostic : host->diagnosticsOf(*host->workspace.find(path)))
      if (diagnostic.severity == Severity::Error)
        result.push_back(diagnostic.message);
    return result;
  }

  // Replaces the whole text of an open file.
  void edit(const std::string &path, const std::string &text) {
    host->change(path, {host->workspace.find(path)->document.all(), text}, true);
    host->edited(path);
  }

  TemporaryFolder folder;
  asio::io_context loop;
  Recorder recorder;
  HostOptions options;
  std::unique_ptr<Host> host;
};

TEST_F(HostTest, SaysWhatIsWrongInADocumentAsItIsEdited) {
  std::string path = folder.path("p.cuf"); // on disk there is nothing
  start().open(path, "program p\n  implicit none\n  print *, nn\nend program\n");
  EXPECT_TRUE(host->isAnalysing(path));
  ASSERT_TRUE(untilAnalysed(path));
  ASSERT_EQ(errors(path).size(), 1U);
  EXPECT_NE(errors(path)[0].find("nn"), std::string::npos);
  EXPECT_GT(recorder.changed[path], 0);
  EXPECT_EQ(host->status().openFiles, 1U);

  edit(path, "program p\n  implicit none\n  print *, 1\nend program\n");
  EXPECT_TRUE(host->isAnalysing(path));
  ASSERT_TRUE(untilAnalysed(path));
  EXPECT_TRUE(errors(path).empty());

  host->close(path);
  EXPECT_EQ(host->workspace.find(path), nullptr);
  EXPECT_TRUE(recorder.gone.contains(path));
}

TEST_F(HostTest, AppliesChangesInTheirOrder) {
  std::string path = write("p.cuf", "");
  start().open(path, "program p\nend\n");
  host->change(path, {{{1, 10}, {1, 10}}, "q"}, false);
  host->change(path, {{{1, 11}, {1, 11}}, "r"}, false);
  host->edited(path);
  EXPECT_EQ(host->workspace.find(path)->document.text(), "program pqr\nend\n");
}

TEST_F(HostTest, ChangesOfAModuleReachItsUsers) {
  std::string m = write("m.cuf", module), p = write("p.cuf", user);
  start().open(m, module);
  host->open(p, user);
  ASSERT_TRUE(untilAnalysed(m) && untilAnalysed(p));
  EXPECT_TRUE(errors(p).empty());
  edit(m, "module m\nend module\n");
  ASSERT_TRUE(until([&] { return !errors(p).empty(); }));
  edit(m, module);
  EXPECT_TRUE(until([&] { return errors(p).empty(); }));
}

// While the file had another module, nobody needed it.
TEST_F(HostTest, SaysThatAModuleHasErrorsWhenItsFileIsTheNewSource) {
  std::string m = write("m.cuf", module), p = write("p.cuf", user);
  start().open(m, "module other\nend module\n");
  host->open(p, user);
  ASSERT_TRUE(untilAnalysed(m) && untilAnalysed(p));
  ASSERT_EQ(errors(p).size(), 1U);
  edit(m, "module m\n  implicit none\n  integer, parameter :: n = nn\nend module\n");
  EXPECT_TRUE(until([&] {
    return errors(p).size() == 1 && errors(p)[0].find("before the errors") != std::string::npos;
  }));
}

// The modules of a text that was never saved.
TEST_F(HostTest, ModulesGoWithTheirFile) {
  std::string m = folder.path("m.cuf"), p = write("p.cuf", user);
  start().open(m, module);
  host->open(p, user);
  ASSERT_TRUE(untilAnalysed(m) && untilAnalysed(p));
  ASSERT_TRUE(errors(p).empty());
  host->close(m);
  EXPECT_TRUE(until([&] { return !errors(p).empty(); }));
}

// The user's text takes long, has read the module and has not said yet that it uses it.
TEST_F(HostTest, ChangesOfAModuleReachAnalysesThatAreUnderWay) {
  auto text = [](const std::string &use) {
    return "program p\n" + use +
           "  implicit none\n  integer :: i\n"
           "  integer, parameter :: many(300000) = [(mod(i, 7) + i/3, i = 1, 300000)]\n"
           "  print *, many(3)\nend program\n";
  };
  std::string m = write("m.cuf", module), p = write("p.cuf", text("\n"));
  start().open(m, module);
  host->open(p, text("\n"));
  ASSERT_TRUE(untilAnalysed(m) && untilAnalysed(p));
  auto begin = std::chrono::steady_clock::now();
  edit(p, text("  ! again\n"));
  ASSERT_TRUE(untilAnalysed(p));
  auto half = std::chrono::steady_clock::now();
  half += (half - begin) / 2;
  edit(p, text("  use m, only: n\n"));
  until([&] { return std::chrono::steady_clock::now() > half; });
  edit(m, "module m\nend module\n");
  ASSERT_TRUE(untilAnalysed(m) && untilAnalysed(p));
  EXPECT_FALSE(errors(p).empty());
}

TEST_F(HostTest, IndexesFilesThatAreNotOpen) {
  std::string m = write("m.cuf", module), p = write("p.cuf", user);
  start().begin();
  auto known = [&](const std::string &path) {
    const SourceFile *file = host->workspace.find(path);
    return file && file->analysis;
  };
  ASSERT_TRUE(until(
      [&] { return known(m) && known(p) && host->status().state == HostStatus::State::Idle; }));
  EXPECT_TRUE(errors(p).empty());
  EXPECT_EQ(host->status().indexed, 2U);
  ASSERT_FALSE(recorder.stages.empty());
  EXPECT_EQ(recorder.stages.front(), IndexProgress::Stage::Begun);
  EXPECT_EQ(recorder.stages.back(), IndexProgress::Stage::Ended);

  write("m.cuf", "module m\nend module\n");
  host->filesChanged({{m, FileEvent::Kind::Changed}});
  EXPECT_TRUE(until([&] { return !errors(p).empty(); }));

  std::filesystem::remove(p);
  host->filesChanged({{p, FileEvent::Kind::Deleted}});
  EXPECT_TRUE(recorder.gone.contains(p));
}

TEST_F(HostTest, FollowsWhatOpenFilesNeedBeyondTheLimitsOfTheIndex) {
  std::string m = write("m.cuf", module), p = write("p.cuf", user);
  start();
  HostSettings settings;
  settings.index.megabytes = 1;
  host->setSettings(settings);
  host->begin();
  ASSERT_TRUE(until([&] { return host->projects.of(m).limited; }));
  host->open(p, user);
  ASSERT_TRUE(untilAnalysed(p));
  write("m.cuf", "module m\nend module\n");
  host->filesChanged({{m, FileEvent::Kind::Changed}});
  EXPECT_TRUE(until([&] { return !errors(p).empty(); }));
}

TEST_F(HostTest, ReadsDiagnosticsOfTasksAsData) {
  std::string path = write("p.cuf", "program p\nend\n");
  Diagnostic wrong{Severity::Error, "CUF1001", "wrong", {path, 1, 9, 1, 10}};
  wrong.fixes.push_back({"say q", {{{path, 1, 9, 1, 10}, "q"}}});
  Diagnostic nowhere{Severity::Error, "CUF0901", "it has no place", {}};
  setProgram("other.cuf:1:2: error: text alone is none", {wrong, nowhere});
  start().setTrusted(true);
  TaskEnd end{TaskEnd::How::Refused};
  host->tasks.start({TaskKind::Build, path}, [&](const TaskEnd &given) { end = given; });
  ASSERT_TRUE(until([&] { return end.how == TaskEnd::How::Exited; }));
  EXPECT_EQ(end.exitStatus, 3);
  EXPECT_EQ(recorder.printed, "<other.cuf:1:2: error: text alone is none\n>");
  ASSERT_EQ(host->tasks.problemsOf(path).size(), 1U);
  EXPECT_EQ(host->tasks.problemsOf(path)[0].range.endColumn, 10);
  EXPECT_EQ(host->tasks.problemsOf(path)[0].fixes.size(), 1U);
  EXPECT_TRUE(host->tasks.problemsOf(folder.path("other.cuf")).empty());
  EXPECT_EQ(recorder.said, std::vector<std::string>{"it has no place"});
  host->open(path, "program p\nend\n");
  edit(path, "program q\nend\n");
  EXPECT_TRUE(host->tasks.problemsOf(path).empty());
}

TEST_F(HostTest, AsksBeforeItRunsProgramsOfAnUntrustedWorkspace) {
  setProgram("ran", {});
  start();
  TaskEnd end;
  auto run = [&](TaskKind kind) {
    end = {TaskEnd::How::Cancelled};
    host->tasks.start({kind, folder.root()}, [&](const TaskEnd &given) { end = given; });
    EXPECT_TRUE(until([&] { return end.how != TaskEnd::How::Cancelled; }));
    return end.how;
  };
  EXPECT_EQ(run(TaskKind::FindFlags), TaskEnd::How::Refused);
  EXPECT_EQ(recorder.questions, 0);
  recorder.choice = 1;
  EXPECT_EQ(run(TaskKind::Run), TaskEnd::How::Refused);
  EXPECT_EQ(recorder.printed, "");
  recorder.choice = 0;
  EXPECT_EQ(run(TaskKind::Run), TaskEnd::How::Exited);
  EXPECT_EQ(recorder.printed, "<ran\n>");
  EXPECT_EQ(run(TaskKind::Build), TaskEnd::How::Exited);
  EXPECT_EQ(recorder.questions, 2) << "the user has agreed";
}

} // namespace
} // namespace cufc
