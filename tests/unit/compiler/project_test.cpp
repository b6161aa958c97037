// Projects: cufls.json with its mistakes at their places, compile_commands.json, folders without
// either, patterns, and who needs whom.
#include "base/files.h"
#include "project/glob.h"
#include "project/json_reader.h"
#include "project/project.h"
#include "project/source_graph.h"
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cufc {
namespace {

using Names = std::vector<std::string>;

// A project in a temporary folder.
class ProjectTest : public testing::Test {
protected:
  void write(const std::string &name, const std::string &text) {
    std::filesystem::path path = folder.path(name);
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    ASSERT_TRUE(writeFile(path.string(), text));
  }

  Project load(const std::string &text = {}) {
    if (!text.empty())
      write("cufls.json", text);
    return loadProject(folder.root(), diagnostics);
  }

  // The project's sources, relative to its folder.
  Names sources(const Project &project) const {
    Names names;
    for (const ProjectSource &source : project.sources)
      names.push_back(source.path.substr(folder.root().size() + 1));
    return names;
  }

  // "line:column code" of each diagnostic.
  Names found() const {
    Names list;
    for (const Diagnostic &each : diagnostics.list())
      list.push_back(fmt::format("{}:{} {}", each.range.line, each.range.column, each.code));
    return list;
  }

  Names mistakes(const std::string &text) {
    diagnostics = Diagnostics();
    load(text);
    return found();
  }

  TemporaryFolder folder;
  Diagnostics diagnostics;
};

constexpr const char *mainText = "program p\n use m\nend program\n";
constexpr const char *moduleText = "module m\nend module\n";

TEST(JsonReader, valuesAndPlaces) {
  Diagnostics diagnostics;
  JsonValue value;
  ASSERT_TRUE(readJson("f",
                       "{\"a\": [1, -2.5e3, true, null],\n \"b\": \"x\\u00e9\\n\\ud83d\\ude00\"}",
                       value, diagnostics));
  EXPECT_EQ(value.find("a")->items.size(), 4u);
  EXPECT_EQ(value.find("a")->items[1].text, "-2.5e3");
  EXPECT_EQ(value.string("b"), "x\u00e9\n\U0001F600");
  EXPECT_EQ(value.members[1].nameRange.line, 2);
  EXPECT_EQ(value.members[1].nameRange.column, 2);
  EXPECT_EQ(value.members[1].nameRange.endColumn, 5);
  EXPECT_EQ(value.find("b")->range.column, 7);
}

TEST(JsonReader, mistakes) {
  auto place = [](const std::string &text) {
    Diagnostics diagnostics;
    JsonValue value;
    if (readJson("f", text, value, diagnostics))
      return std::string("none");
    const Diagnostic &first = diagnostics.list().front();
    return fmt::format("{}:{} {}", first.range.line, first.range.column, first.code);
  };
  EXPECT_EQ(place(""), "1:1 CUF0121");
  EXPECT_EQ(place("{\"a\": 1,\n}"), "2:1 CUF0121");
  EXPECT_EQ(place("{\"a\" 1}"), "1:6 CUF0121");
  EXPECT_EQ(place("[1 2]"), "1:4 CUF0121");
  EXPECT_EQ(place("[01]"), "1:4 CUF0121");
  EXPECT_EQ(place("[\"a\n\"]"), "1:2 CUF0121");
  EXPECT_EQ(place("// x\n{}"), "1:1 CUF0121");
  EXPECT_EQ(place("{} {}"), "1:4 CUF0121");
  EXPECT_EQ(place("{'a': 1}"), "1:2 CUF0121");
  EXPECT_EQ(place("[\"\\q\"]"), "1:4 CUF0121");
  EXPECT_EQ(place(std::string(100000, '[')), "1:202 CUF0121");
  EXPECT_EQ(place("\xef\xbb\xbf[1]"), "none");
}

TEST(Glob, names) {
  EXPECT_TRUE(matchesPattern("src/*.cuf", "src/a.cuf"));
  EXPECT_FALSE(matchesPattern("src/*.cuf", "src/b/a.cuf"));
  EXPECT_TRUE(matchesPattern("src/**/*.cuf", "src/a.cuf"));
  EXPECT_TRUE(matchesPattern("src/**/*.cuf", "src/b/c/a.cuf"));
  EXPECT_FALSE(matchesPattern("src/**/*.cuf", "src/.git/a.cuf"));
  EXPECT_TRUE(matchesPattern("**", "a/b"));
  EXPECT_TRUE(matchesPattern("[a-c]?*.f[!o]*", "bx.f90"));
  EXPECT_FALSE(matchesPattern("[a-c]?.f90", "dx.f90"));
  EXPECT_TRUE(matchesPattern("a*b*c", "axxbxbxc"));
  EXPECT_FALSE(matchesPattern("*.cuf", ".a.cuf"));
  EXPECT_FALSE(matchesPattern("*.cuf", "a.cuf~"));
}

TEST_F(ProjectTest, targetsOfTheFile) {
  write("src/main.cuf", mainText);
  write("src/deep/m.cuf", moduleText);
  write("src/build/old.cuf", moduleText);
  write("lib/l.CUF", "module l\nend module\n");
  std::filesystem::create_directory(folder.path("inc"));
  Project project = load(R"({"targets": {
    "app": {"sources": ["src/**/*.cuf"], "flags": ["-O3"], "libraries": ["tools", "z"]},
    "tools": {"sources": ["lib/*"], "defines": {"N": 4, "X": true, "Y": false, "S": "a b"}}},
    "include": ["inc"], "gpu": "cc90", "diagnostics": {"CUF0102": "off"}})");
  EXPECT_EQ(found(), Names{});
  EXPECT_EQ(sources(project), (Names{"src/deep/m.cuf", "src/main.cuf", "lib/l.CUF"}));
  std::string inc = "-I" + folder.path("inc");
  EXPECT_EQ(project.sources[0].arguments, (Names{inc, "-gpu=cc90", "-O3"}));
  EXPECT_EQ(project.sources[2].arguments,
            (Names{inc, "-DN=4", "-DX", "-UY", "-DS=a b", "-gpu=cc90"}));
  EXPECT_EQ(project.arguments, (Names{inc, "-gpu=cc90"}));
  ASSERT_EQ(project.targets.size(), 2u);
  EXPECT_EQ(project.targets[0].kind, TargetKind::Program);
  EXPECT_EQ(project.targets[0].libraries, std::vector<size_t>{1});
  EXPECT_EQ(project.targets[0].linkArguments.back(), "-lz");
  EXPECT_EQ(project.targets[1].kind, TargetKind::Library);
  ASSERT_EQ(project.diagnostics.size(), 1u);
  EXPECT_EQ(project.buildDirectory, folder.path("build/cufls"));
}

TEST_F(ProjectTest, isFoundUpwards) {
  write("cufls.json", R"({"targets": {"a": {"sources": ["a/b/m.cuf", "!*.f90"]}}})");
  write("a/b/m.cuf", moduleText);
  EXPECT_EQ(loadProject(folder.path("a/b"), diagnostics).root, folder.root());
  EXPECT_EQ(loadProject(folder.path("a/b/m.cuf"), diagnostics).root, folder.root());
  std::filesystem::create_directory(folder.path("a/.git"));
  EXPECT_EQ(loadProject(folder.path("a/b"), diagnostics).root, folder.path("a/b"));
  EXPECT_EQ(found(), Names{});
}

TEST_F(ProjectTest, patternsTakeOut) {
  write("a.cuf", moduleText);
  write("b.cuf", moduleText);
  write("notes.txt", "");
  EXPECT_EQ(sources(load(R"({"targets": {"t": {"sources": ["*", "!b.*"]}}})")), Names{"a.cuf"});
  EXPECT_EQ(found(), Names{});
}

TEST_F(ProjectTest, mistakesOfTheFile) {
  write("a.cuf", moduleText);
  write("p.cuf", "program p\nend\n");
  write("q.cuf", "program q\nend\n");
  write("x.txt", "");
  EXPECT_EQ(mistakes("{\n \"targtes\": {}}")[0], "2:2 CUF0122");
  EXPECT_NE(diagnostics.list()[0].message.find("did you mean 'targets'"), std::string::npos);
  EXPECT_EQ(mistakes(R"([])"), Names{"1:1 CUF0123"});
  EXPECT_EQ(mistakes(R"({"targets": {"t": {"sources": "a.cuf"}}})")[0], "1:31 CUF0123");
  EXPECT_EQ(mistakes(R"({"targets": {"t": {"sources": ["a.cuf", 1]}}})"), Names{"1:41 CUF0123"});
  EXPECT_EQ(mistakes(R"({"targets": {"t": {"sources": ["a.cuf"]}, "t": {"sources": ["a.cuf"]}}})"),
            Names{"1:43 CUF0124"});
  EXPECT_EQ(mistakes(R"({"targets": {"t": {"sources": ["a.cuf"]}}, "gpu": "cc91"})"),
            Names{"1:51 CUF0125"});
  EXPECT_EQ(mistakes(R"({"targets": {"t": {"sources": ["none.cuf"]}}})"), Names{"1:32 CUF0126"});
  EXPECT_EQ(mistakes(R"({"targets": {"t": {"sources": ["no/**/*.cuf"]}}})"), Names{"1:32 CUF0127"});
  EXPECT_EQ(mistakes(R"({"targets": {"t": {}}})"), Names{"1:14 CUF0128"});
  EXPECT_EQ(mistakes(R"({"targets": {"t": {"sources": ["a.cuf"]}}, "include": ["none"]})"),
            Names{"1:56 CUF0129"});
  EXPECT_EQ(mistakes(R"({"targets": {"t": {"sources": ["p.cuf", "q.cuf"]}}})"),
            Names{"1:9 CUF0130"}); // in q.cuf
  EXPECT_EQ(mistakes(R"({"targets": {"t": {"sources": ["a.cuf"], "kind": "program"}}})"),
            Names{"1:50 CUF0131"});
  EXPECT_EQ(mistakes(R"({"targets": {"t": {"sources": ["a.cuf"], "libraries": ["t"]}}})"),
            Names{"1:14 CUF0132"});
  EXPECT_EQ(mistakes(R"({"targets": {"t": {"sources": ["x.txt"]}}})"), Names{"1:32 CUF0010"});
  EXPECT_EQ(mistakes(R"({"diagnostics": {"CUF9999": "off"}})"), Names{"1:18 CUF0125"});
  EXPECT_EQ(mistakes(R"({"diagnostics": {"CUF0102": "loud"}})"), Names{"1:29 CUF0125"});
  EXPECT_EQ(mistakes(R"({"defines": {"1x": 1}})"), Names{"1:14 CUF0125"});
  EXPECT_EQ(mistakes(R"({"defines": {"x": []}})"), Names{"1:19 CUF0123"});
}

TEST_F(ProjectTest, compileCommands) {
  write("src/a.f90", moduleText);
  write("src/b.c", "");
  write("build/compile_commands.json",
        R"([
    {"directory": ")" +
            folder.path("build") + R"(", "file": "../src/a.f90",
     "command": "ccache nvfortran -cuda -gpu=cc90,cuda12.4 -I../inc -D'X=\"a b\"' -module mod -Mfoo -fdefault-real-8 -c ../src/a.f90 -o a.o"},
    {"directory": ")" +
            folder.path("build") + R"(", "file": "../src/a.f90", "arguments": ["gfortran", "-O2"]},
    {"directory": "/", "file": "gone.cuf", "arguments": ["cufc"]},
    {"directory": ".", "file": "../src/b.c", "command": "cc -c b.c"}])");
  Project project = load();
  EXPECT_EQ(project.origin, Project::Origin::CompileCommands);
  EXPECT_EQ(project.root, folder.root());
  EXPECT_EQ(found(), Names{});
  ASSERT_EQ(sources(project), Names{"src/a.f90"});
  EXPECT_EQ(project.sources[0].arguments,
            (Names{"-cuda", "-gpu=cc90", "-I" + folder.path("inc"), "-DX=\"a b\"",
                   "-I" + folder.path("build/mod"), "-fdefault-real-8"}));
  EXPECT_EQ(project.notes.size(), 2u); // gone.cuf, -Mfoo
}

TEST_F(ProjectTest, folderWithoutFile) {
  write("main.cuf", "use m\ncall helper(1)\nend\n");
  write("lib/m.f90", moduleText);
  write("lib/helper.f", "      subroutine helper(i)\n      end\n");
  write("unused.f90", "module u\nend module\n");
  write("tool.f90", "program tool\nend program\n");
  write("kernels.f90", "module k\nuse cudafor\nend module\n");
  write("part.cuf", "x = 1\n");
  write("other.cuf", "module o\ncontains\nsubroutine s\ninclude 'part.cuf'\nend\nend module\n");
  write(".git/x.cuf", moduleText);
  write("build/x.cuf", moduleText);
  Project project = load();
  EXPECT_EQ(sources(project), (Names{"kernels.f90", "lib/helper.f", "lib/m.f90", "main.cuf",
                                     "other.cuf", "tool.f90"}));
  EXPECT_EQ(project.sources[0].arguments, Names{"-cuda"});
  ASSERT_EQ(project.targets.size(), 2u);
  EXPECT_EQ(project.targets[0].name, "main");
  EXPECT_EQ(project.targets[0].sources.size(), 3u);
  EXPECT_EQ(project.targets[1].sources.size(), 1u);
}

TEST_F(ProjectTest, graph) {
  write("p.cuf", mainText);
  write("m.cuf", "module m\n use n\nend module\n");
  write("n.cuf", "module n\n#ifdef X\n use m\n use mpi\n#endif\nend module\n");
  write("s.cuf", "submodule (m) sub\nend submodule\n");
  Project project = load(R"({"targets": {"t": {"sources": ["*.cuf"]}}})");
  SourceGraph graph = makeSourceGraph(project, {folder.root()}, diagnostics);
  EXPECT_EQ(found(), Names{});
  EXPECT_EQ(sources(project), (Names{"m.cuf", "n.cuf", "p.cuf", "s.cuf"}));
  EXPECT_EQ(graph.needs, (std::vector<std::vector<size_t>>{{1}, {}, {0}, {0}}));
  EXPECT_EQ(graph.order.front(), 1u);
  EXPECT_EQ(graph.order.size(), 4u);
}

TEST_F(ProjectTest, graphMistakes) {
  write("a.cuf", "module a\n use b\nend module\n");
  write("b.cuf", "module b\n use c\n use lost\nend module\n");
  write("c.cuf", "module c\n use a\nend module\nmodule last\nend module\n");
  write("d.cuf", "module a\nend module\n");
  Project project = load(R"({"targets": {"t": {"sources": ["*.cuf"]}}})");
  SourceGraph graph = makeSourceGraph(project, {folder.root()}, diagnostics);
  // Which of the two modules "a" c.cuf means is open, so there is no circle.
  EXPECT_EQ(found(), (Names{"3:6 CUF0133", "2:6 CUF0134", "1:8 CUF0102"}));
  EXPECT_NE(diagnostics.list()[0].message.find("'last'"), std::string::npos);
  EXPECT_EQ(graph.order.size(), 4u);
}

TEST_F(ProjectTest, circle) {
  write("a.cuf", "module a\n use b\nend module\n");
  write("b.cuf", "module b\n use a\nend module\n");
  Project project = load(R"({"targets": {"t": {"sources": ["*.cuf"]}}})");
  SourceGraph graph = makeSourceGraph(project, {}, diagnostics);
  EXPECT_EQ(found(), Names{"2:6 CUF0101"});
  EXPECT_EQ(diagnostics.list()[0].related.size(), 1u);
  EXPECT_EQ(graph.order.size(), 2u);
}

TEST_F(ProjectTest, nearestModule) {
  write("m.cuf", moduleText);
  write("one/m.f90", moduleText);
  write("one/deep/p.cuf", mainText);
  write("two/p.f90", std::string("!$cuf\n") + mainText);
  write("three/a/m.cuf", moduleText);
  write("three/b/m.cuf", moduleText);
  write("three/p.cuf", mainText);
  Project project = load();
  EXPECT_EQ(sources(project), (Names{"m.cuf", "one/deep/p.cuf", "one/m.f90", "three/a/m.cuf",
                                     "three/b/m.cuf", "three/p.cuf", "two/p.f90"}));
  ModuleIndex index(project);
  EXPECT_EQ(index.definers("m", 1), std::vector<size_t>{2});
  EXPECT_EQ(index.definers("m", 6), std::vector<size_t>{0});
  EXPECT_EQ(index.definers("m", 5), (std::vector<size_t>{0, 3, 4})); // all one step away
  SourceGraph graph = makeSourceGraph(project, {}, diagnostics);
  EXPECT_EQ(found(), Names{"2:6 CUF0134"});
  EXPECT_EQ(graph.needs[5], std::vector<size_t>{0}); // in the project's order
  EXPECT_EQ(graph.ambiguous.size(), 1u);
}

TEST_F(ProjectTest, modulesOfTheCompiler) {
  write("cudafor.f90", "module cudafor\nend module\n");
  write("mpi.f90", "module mpi\nend module\n");
  write("p.cuf", "program p\n use cudafor\n use mpi\nend program\n");
  write("sub/q.cuf", "program q\n use mpi\nend program\n");
  Project project = load();
  EXPECT_EQ(sources(project), (Names{"mpi.f90", "p.cuf", "sub/q.cuf"}));
  EXPECT_TRUE(ModuleIndex(project).definers("mpi", 2).empty());
  project = load(R"({"targets": {"t": {"sources": ["p.cuf", "*.f90"]}}})");
  EXPECT_EQ(ModuleIndex(project).definers("cudafor", 0).size(), 1u);
}

TEST_F(ProjectTest, scansAreKept) {
  write("a.cuf", moduleText);
  write("sub/b.f90", "module b\nend module\n");
  TemporaryFolder kept;
  ScanOptions scan{kept.root()};
  EXPECT_EQ(loadProject(folder.root(), diagnostics, scan).sources.size(), 1u);
  scan.asKept = true;
  write("c.cuf", "module c\n use b\nend module\n");
  EXPECT_EQ(loadProject(folder.root(), diagnostics, scan).sources.size(), 1u);
  scan.asKept = false;
  Project project = loadProject(folder.root(), diagnostics, scan);
  EXPECT_EQ(sources(project), (Names{"a.cuf", "c.cuf", "sub/b.f90"}));
  EXPECT_EQ(project.facts[1].uses[0].range.file, folder.path("c.cuf"));
  scan.none = true;
  EXPECT_TRUE(loadProject(folder.root(), diagnostics, scan).sources.empty());
}

TEST_F(ProjectTest, copiesBesideAProgram) {
  write("p.cuf", std::string(moduleText) + mainText);
  write("p_old.cuf", moduleText);
  write("more.cuf", "subroutine more\nend subroutine\n");
  Project project = load();
  ASSERT_EQ(project.targets.size(), 1u);
  EXPECT_EQ(project.targets[0].sources, (std::vector<size_t>{1, 0}));
}

TEST_F(ProjectTest, sameModuleInTwoPrograms) {
  write("one/m.cuf", moduleText);
  write("one/p.cuf", mainText);
  write("two/m.cuf", moduleText);
  write("two/p.cuf", mainText);
  Project project = load();
  SourceGraph graph = makeSourceGraph(project, {}, diagnostics);
  EXPECT_EQ(found(), Names{});
  EXPECT_EQ(graph.needs, (std::vector<std::vector<size_t>>{{}, {0}, {}, {2}}));
  ASSERT_EQ(project.targets.size(), 2u);
  EXPECT_NE(project.targets[0].name, project.targets[1].name);
}

TEST(ProjectSchema, isJson) {
  Diagnostics diagnostics;
  JsonValue schema;
  ASSERT_TRUE(readJson("schema", projectSchema(), schema, diagnostics));
  const JsonValue *targets = schema.find("properties")->find("targets");
  EXPECT_TRUE(targets->find("additionalProperties")->find("properties")->find("sources"));
  EXPECT_FALSE(schema.find("properties")->find("sources"));
}

} // namespace
} // namespace cufc
