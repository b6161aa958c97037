// Settings of diagnostics and comments that allow them.
#include "base/diag.h"
#include "base/files.h"
#include "source/allow_comments.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cufc {
namespace {

// The codes that are shown of warnings with these codes in these lines, and what is said of the
// comments.
std::string shown(const std::string &text, std::vector<std::pair<int, const char *>> found,
                  bool fixedForm = false, const DiagnosticSettings &settings = {}) {
  std::vector<Diagnostic> list;
  for (const auto &[line, code] : found)
    list.push_back({findDiagnostic(code)->severity, code, "", {"a.cuf", line, 1, line, 2}});
  std::string result;
  for (const Diagnostic &d : shownDiagnostics(list, "a.cuf", text, fixedForm, 72, settings))
    result += fmt::format("{}{}:{}", result.empty() ? "" : " ", d.range.line, d.code);
  return result;
}

TEST(AllowComments, onTheSameLine) {
  EXPECT_EQ(shown("x = 1 ! cufls: allow CUF0245 because it is so\n", {{1, "CUF0245"}}), "");
  EXPECT_EQ(shown("x = 1 ! CUFLS: Allow cuf0245\ny = 2\n", {{1, "CUF0245"}, {2, "CUF0245"}}),
            "2:CUF0245");
}

TEST(AllowComments, beforeAStatement) {
  const char *text = "y = 1\n! cufls: allow launch\n\n!$cuf kernel do\ncall s(a, &\n b)\nz = 1\n";
  EXPECT_EQ(shown(text, {{4, "CUF0245"}, {6, "CUF0263"}, {7, "CUF0245"}, {1, "CUF0245"}}),
            "7:CUF0245 1:CUF0245");
}

TEST(AllowComments, severalNamesAndTheWholeFile) {
  EXPECT_EQ(shown("x = 1 ! cufls: allow CUF0245, LaunchSize\n", {{1, "CUF0245"}, {1, "CUF0263"}}),
            "");
  EXPECT_EQ(shown("! cufls: allow-file CUF0245\nx = 1\ny = 1\n", {{3, "CUF0245"}}), "");
}

TEST(AllowComments, fixedForm) {
  const char *text =
      "C cufls: allow CUF0245 because\n      x = 1\n* cufls: allow all\n      y = 1\n";
  EXPECT_EQ(shown(text, {{2, "CUF0245"}, {4, "CUF0263"}}, true), "");
}

TEST(AllowComments, notInCharacterConstants) {
  EXPECT_EQ(shown("x = '! cufls: allow CUF0245'\n", {{1, "CUF0245"}}), "1:CUF0245");
}

TEST(AllowComments, mistakes) {
  EXPECT_EQ(shown("x = 1 ! cufls: allow CUF0245\n", {}), "1:CUF0112");
  EXPECT_EQ(shown("x = 1 ! cufls: allow CUF9999\n", {}), "1:CUF0113");
  EXPECT_EQ(shown("x = 1 ! cufls: allows CUF0245\n", {}), "1:CUF0114");
  EXPECT_EQ(shown("x = 1 ! cufls: allow\n", {}), "1:CUF0114");
  EXPECT_EQ(shown("x = 1 ! cufls: allow CUF0245 since\n", {}), "1:CUF0114");
  EXPECT_EQ(shown("x = 1 ! cufls: allow CUF0303\n", {}), ""); // found by other programs
}

TEST(AllowComments, nothingIsSaidOfTheirEffectBesideErrors) {
  EXPECT_EQ(shown("x = 1 ! cufls: allow CUF0245\ny = 1\n", {{2, "CUF0203"}}), "2:CUF0203");
}

TEST(AllowComments, fixRemovesOneNameOrTheComment) {
  auto edit = [](const std::string &text) {
    std::vector<Diagnostic> list = shownDiagnostics({}, "a.cuf", text, false, 72, {});
    const SourceRange &range = list.front().fixes.front().edits.front().range;
    return std::pair(range.column, range.endColumn);
  };
  EXPECT_EQ(edit("x = 1 ! cufls: allow CUF0245\n"), (std::pair(7, 29)));
  EXPECT_EQ(edit("! cufls: allow CUF9999, launch\n"), (std::pair(16, 25)));
}

TEST(DiagnosticSettings, codeBeforeGroupBeforeAll) {
  DiagnosticSettings settings;
  Diagnostics problems;
  EXPECT_TRUE(settings.set("all", "hint", problems));
  EXPECT_TRUE(settings.set("Launch", "error", problems));
  EXPECT_TRUE(settings.set("cuf0263", "off", problems));
  Diagnostic d{Severity::Warning, "CUF0245", "", {}};
  EXPECT_EQ(settings.severityOf(d), Severity::Error);
  d.code = "CUF0263";
  EXPECT_EQ(settings.severityOf(d), std::nullopt);
  d.code = "CUF1301";
  EXPECT_EQ(settings.severityOf(d), Severity::Hint);
  EXPECT_TRUE(problems.list().empty());
}

TEST(DiagnosticSettings, unknownWordsAreErrors) {
  DiagnosticSettings settings;
  Diagnostics problems;
  EXPECT_FALSE(settings.set("CUF9999", "off", problems));
  EXPECT_FALSE(settings.set("launch", "loud", problems));
  ASSERT_EQ(problems.list().size(), 2u);
  EXPECT_EQ(problems.list()[0].code, "CUF0110");
  EXPECT_EQ(problems.list()[1].code, "CUF0111");
  EXPECT_EQ(nearestDiagnosticKey("lanch"), "; did you mean 'launch'?");
}

TEST(DiagnosticSettings, warningsAsErrors) {
  DiagnosticSettings settings;
  settings.makeWarningsErrors();
  EXPECT_EQ(settings.severityOf({Severity::Warning, "CUF0245", "", {}}), Severity::Error);
  EXPECT_EQ(settings.severityOf({Severity::Hint, "CUF0112", "", {}}), Severity::Hint);
}

TEST(AllowComments, ofTheCompilerSpareErrors) {
  TemporaryFolder folder;
  std::string path = folder.path("a.cuf");
  ASSERT_TRUE(writeFile(path, "x = 1 ! cufls: allow all\n"));
  std::vector<Diagnostic> list = {{Severity::Error, "CUF0203", "", {path, 1, 1, 1, 2}},
                                  {Severity::Warning, "CUF0245", "", {path, 1, 1, 1, 2}}};
  list = withoutAllowedWarnings(list, false, 72);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].code, "CUF0203");
}

} // namespace
} // namespace cufc
