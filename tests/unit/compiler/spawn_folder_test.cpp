// Programs that env starts in a folder, as where glibc is older than 2.29.
#include "base/spawn_folder.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
using namespace cufc;

namespace {

// What the program prints, started by posix_spawn.
std::string output(const SpawnedProgram &program, posix_spawn_file_actions_t &actions) {
  const std::string file = testing::TempDir() + "spawn_folder_output";
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, file.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  std::vector<char *> words;
  for (const std::string &word : program.arguments)
    words.push_back(const_cast<char *>(word.c_str()));
  words.push_back(nullptr);
  int process = 0, status = 1;
  if (posix_spawnp(&process, program.file.c_str(), &actions, nullptr, words.data(), environ) != 0)
    return "not started";
  waitpid(process, &status, 0);
  std::ostringstream text;
  text << std::ifstream(file).rdbuf() << status;
  std::filesystem::remove(file);
  return text.str();
}

class SpawnFolder : public testing::Test {
protected:
  void SetUp() override { posix_spawn_file_actions_init(&actions); }
  void TearDown() override { posix_spawn_file_actions_destroy(&actions); }
  const SpawnedProgram program{"sh", {"its name", "-c", "echo \"$0|$1|$(pwd)\"", "one $x", "two"}};
  posix_spawn_file_actions_t actions;
};

TEST_F(SpawnFolder, ByTheCLibrary) {
  const SpawnedProgram started = inFolder(actions, "/usr", program);
  EXPECT_EQ(started.file, "sh");
  EXPECT_EQ(output(started, actions), "one $x|two|/usr\n0");
}

TEST_F(SpawnFolder, ThroughEnv) {
  EXPECT_EQ(output(throughEnv("/usr", program), actions), "one $x|two|/usr\n0");
}

TEST_F(SpawnFolder, NoSuchFolder) {
  EXPECT_EQ(output(throughEnv("/no such", program), actions).find("one"), std::string::npos);
}

} // namespace
