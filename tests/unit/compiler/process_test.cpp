// Child processes: exit status, output, programs that are not there, quoting.
#include "base/files.h"
#include "base/process.h"
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

namespace cufc {
namespace {

TEST(Process, statusAndOutput) {
  ProcessResult result = runProcess({"sh", "-c", "echo one; echo two >&2; exit 3"});
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.output, "one\ntwo\n");
  EXPECT_EQ(runProcess({"true"}).status, 0);
}

TEST(Process, argumentsArePassedAsTheyAre) {
  EXPECT_EQ(runProcess({"printf", "%s|", "a b", "$HOME", "", "'"}).output, "a b|$HOME||'|");
}

TEST(Process, muchOutput) {
  ProcessResult result = runProcess({"head", "-c", "1000000", "/dev/zero"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output.size(), 1000000u);
}

TEST(Process, missingProgram) {
  EXPECT_EQ(runProcess({"no-such-program-anywhere"}).status, -1);
  EXPECT_EQ(runProcess({"/no/such/program"}).status, -1);
}

TEST(Process, signalIsNoExitStatus) {
  EXPECT_EQ(runProcess({"sh", "-c", "kill -9 $$"}).status, -1);
}

TEST(Process, runsInTheBackground) {
  BackgroundProcess first({"sh", "-c", "echo first"}), second({"sh", "-c", "echo second"});
  EXPECT_EQ(second.finish().output, "second\n");
  EXPECT_EQ(first.finish().output, "first\n");
}

class Path : public testing::Test {
protected:
  void SetUp() override { old = std::getenv("PATH"); }
  void TearDown() override { setenv("PATH", old.c_str(), 1); }
  void makeProgram(const std::string &path) {
    ASSERT_TRUE(writeFile(path, "#!/bin/sh\n"));
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }
  std::string old;
  TemporaryFolder folder;
};

TEST_F(Path, findsTheFirst) {
  std::filesystem::create_directories(folder.path("a"));
  std::filesystem::create_directories(folder.path("b"));
  makeProgram(folder.path("a/tool"));
  makeProgram(folder.path("b/tool"));
  setenv("PATH", ("/none:" + folder.path("b") + ":" + folder.path("a")).c_str(), 1);
  EXPECT_EQ(findProgram("tool"), folder.path("b/tool"));
  EXPECT_EQ(findProgram("other"), "");
}

TEST_F(Path, foldersAndPlainFilesAreNoPrograms) {
  std::filesystem::create_directories(folder.path("a/tool"));
  std::filesystem::create_directories(folder.path("b"));
  ASSERT_TRUE(writeFile(folder.path("b/plain"), ""));
  setenv("PATH", (folder.path("a") + ":" + folder.path("b")).c_str(), 1);
  EXPECT_EQ(findProgram("tool"), "");
  EXPECT_EQ(findProgram("plain"), "");
}

TEST_F(Path, emptyOrUnset) {
  setenv("PATH", "", 1);
  EXPECT_EQ(findProgram("sh"), "");
  unsetenv("PATH");
  EXPECT_EQ(findProgram("sh"), "");
}

TEST(Quoting, onlyWhereNeeded) {
  EXPECT_EQ(quoteCommand({"cc", "-o", "a.out", "-Wl,-u,x"}), "cc -o a.out -Wl,-u,x");
  EXPECT_EQ(quoteCommand({"cc", "a b", "", "it's", "$x"}), "cc 'a b' '' 'it'\\''s' '$x'");
}

} // namespace
} // namespace cufc
