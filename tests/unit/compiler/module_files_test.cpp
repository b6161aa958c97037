// Module files of flang become shorter without a change of what they say.
#include "base/files.h"
#include "frontend/module_files.h"
#include <gtest/gtest.h>

namespace cufc {
namespace {

std::set<std::string> noExports(std::string_view, bool) { return {}; }

std::string file(const std::string &sum, const std::string &rest) {
  return "\xef\xbb\xbf!mod$ v1 sum:" + sum + "\n" + rest;
}

TEST(ModuleFiles, JoinsTheUsesOfAModule) {
  EXPECT_EQ(withJoinedUses("module m\n"
                           "use,intrinsic::cudafor,only:dim3\n"
                           "use a,only:operator(+)\n"
                           "use,intrinsic::cudafor,only:ci=>c_int\n"
                           "use a,only:x\n"
                           "integer(4)::used\n"
                           "end\n",
                           noExports),
            "module m\n"
            "use,intrinsic::cudafor,only:dim3,ci=>c_int\n"
            "use a,only:operator(+),x\n"
            "integer(4)::used\n"
            "end\n");
}

TEST(ModuleFiles, NamesNothingWhereItWouldBeAll) {
  auto exports = [](std::string_view module, bool intrinsic) -> std::set<std::string> {
    if (module == "a" && intrinsic)
      return {"x", "operator(+)"};
    return {};
  };
  EXPECT_EQ(withJoinedUses("use,intrinsic::a,only:x\nuse,intrinsic::a,only:operator(+)\n", exports),
            "use,intrinsic::a\n");
  EXPECT_EQ(withJoinedUses("use a,only:x\nuse a,only:operator(+)\n", exports),
            "use a,only:x,operator(+)\n");
  EXPECT_EQ(withJoinedUses("use,intrinsic::a,only:x\n", exports), "use,intrinsic::a,only:x\n");
  EXPECT_EQ(
      withJoinedUses("use,intrinsic::a,only:y=>x\nuse,intrinsic::a,only:operator(+)\n", exports),
      "use,intrinsic::a,only:y=>x,operator(+)\n");
}

TEST(ModuleFiles, KeepsUsesOfDifferentScopesApart) {
  const std::string text = "use a,only:x\ninterface\nsubroutine s()\nuse a,only:y\nend\nend "
                           "interface\nuse_count=1\nuse a\n";
  EXPECT_EQ(withJoinedUses(text, noExports), text);
}

TEST(ModuleFiles, ChecksumsFitAgain) {
  const std::string b0 = file("400659abd6d95a45", "module b\ninteger(4)::j\nend\n");
  const std::string a0 = file("1111111111111111", "!need$ 400659abd6d95a45 n b\n"
                                                  "!need$ 2222222222222222 i cudafor\nmodule a\n"
                                                  "use b,only:j\nuse b,only:k\nend\n");
  auto files = finalModuleFiles({{"a.mod", a0}, {"b.mod", b0}}, noExports);
  std::string sumOfB = files["b.mod"].substr(16, 16);
  EXPECT_EQ(files["b.mod"], file(sumOfB, "module b\ninteger(4)::j\nend\n"));
  EXPECT_EQ(files["a.mod"].substr(33), "!need$ " + sumOfB +
                                           " n b\n!need$ 2222222222222222 i cudafor\n"
                                           "module a\nuse b,only:j,k\nend\n");
  EXPECT_NE(files["a.mod"].substr(16, 16), "1111111111111111");
  EXPECT_EQ(finalModuleFiles(files, noExports), files);
}

TEST(ModuleFiles, ComputesTheChecksumOfFlang) {
  std::map<std::string, std::string> files{
      {"b0.mod",
       file("cdb81c4bbd417ab8",
            "module b0\ninteger(4),parameter::q=4_4\ninterface operator(.plus.)\nprocedure::pl\n"
            "end interface\ncontains\nfunction pl(a,b)\nlogical(4),intent(in)::a\n"
            "logical(4),intent(in)::b\ninteger(4)::pl\nend\nend\n")}};
  EXPECT_EQ(finalModuleFiles(files, noExports), files);
}

TEST(ModuleFiles, LeavesOtherTextsAlone) {
  std::map<std::string, std::string> files{{"a.mod", "gfortran's"}, {"b.mod", ""}};
  EXPECT_EQ(finalModuleFiles(files, noExports), files);
}

TEST(ModuleFiles, PublishesWhatChanged) {
  TemporaryFolder scratch;
  Diagnostics diagnostics;
  const std::string target = scratch.path("m.mod");
  std::string text;
  {
    ModuleOutbox outbox(scratch.path("new"));
    ASSERT_TRUE(writeFile(outbox.path() + "/m.mod", "text"));
    EXPECT_TRUE(outbox.publish(scratch.root(), noExports, diagnostics));
    EXPECT_FALSE(outbox.publish(scratch.path("missing"), noExports, diagnostics));
  }
  EXPECT_TRUE(diagnostics.hasErrors());
  ASSERT_TRUE(readFile(target, text));
  EXPECT_EQ(text, "text");
  EXPECT_FALSE(readFile(scratch.path("new/m.mod"), text));
}

} // namespace
} // namespace cufc
