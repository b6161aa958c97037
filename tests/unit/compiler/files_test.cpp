// Whole-file reads and writes, parts of paths, temporary folders.
#include "base/files.h"
#include <cerrno>
#include <filesystem>
#include <gtest/gtest.h>

namespace cufc {
namespace {

TEST(Files, readsWhatWasWritten) {
  TemporaryFolder folder;
  ASSERT_TRUE(folder.valid());
  std::string data(200000, 'x'), text = "old";
  data[5] = '\0';
  ASSERT_TRUE(writeFile(folder.path("a"), data));
  ASSERT_TRUE(readFile(folder.path("a"), text));
  EXPECT_EQ(text, data);
  ASSERT_TRUE(writeFile(folder.path("a"), ""));
  ASSERT_TRUE(readFile(folder.path("a"), text));
  EXPECT_EQ(text, "");
}

TEST(Files, failuresSayWhy) {
  TemporaryFolder folder;
  std::string text;
  EXPECT_FALSE(readFile(folder.path("none"), text));
  EXPECT_EQ(errno, ENOENT);
  EXPECT_FALSE(readFile(folder.root(), text));
  EXPECT_EQ(errno, EISDIR);
  EXPECT_FALSE(writeFile(folder.path("no/such"), "x"));
  EXPECT_EQ(errno, ENOENT);
  EXPECT_FALSE(writeFile("/dev/full", "x"));
  EXPECT_EQ(errno, ENOSPC);
  EXPECT_FALSE(writeFile("/dev/full", std::string(1 << 20, 'x')));
  EXPECT_EQ(errno, ENOSPC);
}

TEST(Files, partsOfPaths) {
  EXPECT_EQ(stem("src/matmul.cuf"), "matmul");
  EXPECT_EQ(stem("a.b.cuf"), "a.b");
  EXPECT_EQ(extension("src/matmul.cuf"), ".cuf");
  EXPECT_EQ(extension("src.d/matmul"), "");
  EXPECT_EQ(directoryOf("src/matmul.cuf"), "src");
  EXPECT_EQ(directoryOf("matmul.cuf"), ".");
  EXPECT_EQ(directoryOf("/matmul.cuf"), "/");
}

TEST(Files, temporaryFolderGoesAway) {
  std::string root;
  {
    TemporaryFolder folder;
    root = folder.root();
    EXPECT_TRUE(writeFile(folder.path("a"), "x"));
    EXPECT_TRUE(std::filesystem::exists(root));
  }
  EXPECT_FALSE(std::filesystem::exists(root));
}

} // namespace
} // namespace cufc
