// JSON, SARIF and annotations: valid for any bytes, and columns counted as each form wants.
#include "base/diag.h"
#include "base/diagnostic_formats.h"
#include "base/files.h"
#include "base/source_text.h"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace cufc {
namespace {

using nlohmann::json;

Diagnostic sample() {
  Diagnostic d{Severity::Warning, "CUF0245", "x\"\n", {"a b.cuf", 2, 3, 2, 5}};
  d.related.push_back({Severity::Note, "", "here", {"c.cuf", 7, 1, 0, 0}});
  d.fixes.push_back({"mend", {{{"a b.cuf", 2, 3, 2, 3}, "new"}}});
  d.tag = DiagnosticTag::Unnecessary;
  return d;
}

json parsed(const std::string &text) { return json::parse(text, nullptr, false); }

TEST(JsonForm, fields) {
  json all = parsed(formatDiagnostics({sample()}, DiagnosticFormat::Json, {}));
  const json &d = all["diagnostics"][0];
  EXPECT_EQ(d["file"], "a b.cuf");
  EXPECT_EQ(d["line"], 2);
  EXPECT_EQ(d["endColumn"], 5);
  EXPECT_EQ(d["severity"], "warning");
  EXPECT_EQ(d["code"], "CUF0245");
  EXPECT_EQ(d["related"][0]["message"], "here");
  EXPECT_EQ(d["related"][0]["endColumn"], 2);
  EXPECT_EQ(d["fixes"][0]["edits"][0]["newText"], "new");
  EXPECT_EQ(d["fixes"][0]["edits"][0]["endColumn"], 3);
  EXPECT_EQ(d["tags"][0], "unnecessary");
}

TEST(JsonForm, thereAndBack) {
  std::string line = jsonLine(sample());
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  std::optional<Diagnostic> back = parseJsonLine(line);
  ASSERT_TRUE(back);
  EXPECT_EQ(jsonLine(*back), line);
  EXPECT_FALSE(parseJsonLine("{"));
  EXPECT_FALSE(parseJsonLine("[1]"));
  EXPECT_FALSE(parseJsonLine("{\"severity\": 1}"));
}

TEST(JsonForm, anyBytes) {
  Diagnostic d{
      Severity::Error, "CUF0001", "\xff\xc3\x28 \x01 \xed\xa0\x80", {"\xe9.cuf", 1, 1, 1, 2}};
  for (DiagnosticFormat format : {DiagnosticFormat::Json, DiagnosticFormat::Sarif})
    EXPECT_FALSE(parsed(formatDiagnostics({d}, format, {})).is_discarded());
  EXPECT_FALSE(parsed(jsonLine(d)).is_discarded());
  std::string shown = formatDiagnostics({d}, DiagnosticFormat::Github, {});
  EXPECT_EQ(shown, validText(shown));
}

TEST(GithubForm, escapes) {
  Diagnostic d{Severity::Hint, "CUF0001", "50%,\nx", {"a,b:c.cuf", 4, 2, 5, 1}};
  EXPECT_EQ(githubAnnotation(d),
            "::notice file=a%2Cb%3Ac.cuf,line=4,endLine=5,title=CUF0001::50%25,%0Ax\n");
  EXPECT_EQ(githubAnnotation({Severity::Error, "", "no file", {}}), "::error::no file\n");
}

TEST(SarifForm, columnsAreCharactersAndUrisAreEncoded) {
  TemporaryFolder folder;
  std::string path = folder.path("\xc3\xa4 b.cuf");
  ASSERT_TRUE(writeFile(path, "'\xc3\xa4\xe2\x82\xac' x\n"));
  Diagnostic d{Severity::Error, "CUF0203", "wrong", {path, 1, 9, 1, 10}};
  json log = parsed(sarifLog({d}, {"cufls", "0.1.0", {"check"}, {path}, true}));
  const json &run = log["runs"][0];
  const json &region = run["results"][0]["locations"][0]["physicalLocation"]["region"];
  EXPECT_EQ(run["columnKind"], "unicodeCodePoints");
  EXPECT_EQ(region["startColumn"], 6);
  EXPECT_EQ(region["endColumn"], 7);
  std::string uri = run["artifacts"][0]["location"]["uri"];
  EXPECT_EQ(uri.substr(uri.rfind('/')), "/%C3%A4%20b.cuf");
  EXPECT_EQ(run["tool"]["driver"]["rules"][0]["id"], "CUF0203");
}

TEST(SarifForm, whatHasNoPlaceIsANotification) {
  json log = parsed(sarifLog({{Severity::Error, "CUF0008", "no input", {}}}, {}));
  EXPECT_TRUE(log["runs"][0]["results"].empty());
  const json &notes = log["runs"][0]["invocations"][0]["toolExecutionNotifications"];
  EXPECT_EQ(notes[0]["descriptor"]["id"], "CUF0008");
}

TEST(TextForm, coloursOnDemandAlone) {
  Diagnostic d{Severity::Error, "CUF0008", "no input", {}};
  EXPECT_EQ(render(d), "cufc: error: no input [CUF0008]\n");
  EXPECT_NE(render(d, true).find("\033[1;31merror"), std::string::npos);
}

TEST(SourceText, distanceAndColumns) {
  EXPECT_EQ(editDistance("Print", "prnt"), 1u);
  EXPECT_EQ(editDistance("", "abc"), 3u);
  EXPECT_EQ(editDistance("widht", "width"), 1u);
  EXPECT_EQ(editDistance("ca", "abc"), 3u);
  EXPECT_EQ(characterColumn("\xc3\xa4x", 3), 2);
  EXPECT_EQ(characterColumn("ab", 10), 10);
  EXPECT_EQ(characterColumn("\xff\xff", 3), 3);
}

} // namespace
} // namespace cufc
