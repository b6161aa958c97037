// Where flags come from beside cufls.json and compile_commands.json: what make prints, replies of
// CMake, fpm.toml; and what shows that flags are missing.
#include "base/files.h"
#include "project/compile_calls.h"
#include "project/kept_flags.h"
#include "project/make_output.h"
#include "project/project.h"
#include "project/toml_reader.h"
#include "service/missing_flags.h"
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cufc {
namespace {

using Names = std::vector<std::string>;

class BuildFlagsTest : public testing::Test {
protected:
  void write(const std::string &name, const std::string &text) {
    std::filesystem::path path = folder.path(name);
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    ASSERT_TRUE(writeFile(path.string(), text));
  }

  Names sources(const Project &project) const {
    Names names;
    for (const ProjectSource &source : project.sources)
      names.push_back(source.path.substr(folder.root().size() + 1));
    std::sort(names.begin(), names.end());
    return names;
  }

  TemporaryFolder folder;
  Diagnostics diagnostics;
};

TEST(MakeOutput, commandsWithTheirFolders) {
  MakeOutput output =
      readMakeOutput("make: Entering directory '/p'\n"
                     "mkdir -p obj; nvfortran -DA='x y' \\\n  -c a.F90 -o obj/a.o 2>&1\n"
                     "make[1]: Entering directory '/p/sub'\n"
                     "(cd deep && gfortran -c d.f90) && gfortran -c b.f90 >log\n"
                     "make[1]: Leaving directory '/p/sub'\n"
                     "cd timer; make all\n"
                     "make: *** No rule to make target 'x.o'.\n"
                     "# Make data base, printed on some day\n"
                     "MAKEFILE_LIST :=  Makefile ../config.mk\n"
                     "\tgfortran -c never.f90\n"
                     "# Finished Make data base on some day\n"
                     "ftn -c c.f90\n",
                     "/p");
  Names found;
  for (const BuildCommand &command : output.commands)
    found.push_back(command.directory + ": " + command.words.back());
  EXPECT_EQ(found, (Names{"/p: obj/a.o", "/p/sub/deep: d.f90", "/p/sub: b.f90", "/p: c.f90"}));
  EXPECT_EQ(output.commands[0].words,
            (Names{"nvfortran", "-DA=x y", "-c", "a.F90", "-o", "obj/a.o"}));
  ASSERT_EQ(output.makes.size(), 1u);
  EXPECT_EQ(output.makes[0].directory, "/p/timer");
  EXPECT_EQ(output.makefiles, (Names{"/p/Makefile", "/config.mk"}));
  EXPECT_EQ(output.complaint, "make: *** No rule to make target 'x.o'.");
}

TEST_F(BuildFlagsTest, compilersAndTheirOptions) {
  for (const char *name : {"a.F90", "b.f", "c.cuf"})
    write(name, "end\n");
  Project project;
  CompileCalls calls(project);
  calls.addCommand(folder.root(), {"ccache", "/opt/bin/pgf90", "-r8", "-Mpreprocess", "-module",
                                   "mods", "-Mfoo", "-c", "a.F90"});
  calls.addCommand(folder.root(), {"OMP=1", "mpifort", "-J", "mods", "-fopenmp", "-DN=3", "b.f",
                                   "c.cuf", "-o", "run"});
  calls.addCommand(folder.root(), {"gcc", "-c", "x.c"});
  calls.addCommand(folder.root(), {"cp", "a.F90", "b.F90"});
  calls.finish();
  ASSERT_EQ(sources(project), (Names{"a.F90", "b.f", "c.cuf"}));
  const std::string mods = "-I" + folder.path("mods");
  EXPECT_EQ(project.sources[0].arguments, (Names{"-r8", "-Mpreprocess", mods}));
  EXPECT_EQ(project.sources[1].arguments, (Names{mods, "-fopenmp", "-DN=3"}));
  EXPECT_EQ(project.notes, Names{"-Mfoo: has no meaning here and is left out"});
}

TEST_F(BuildFlagsTest, keptUntilAFileChanges) {
  write("src/Makefile", "all:\n");
  write("src/a.F90", "end\n");
  const std::string cache = folder.path("cache"), root = folder.root();
  KeptFlags flags{root,
                  "make",
                  root + "/src/Makefile",
                  {"GPU=1"},
                  {buildFileNow(root + "/src/Makefile")},
                  {{root + "/src", {"nvfortran", "-DA=\"b\"", "-c", "a.F90"}}}};
  ASSERT_TRUE(keepFlags(cache, flags));
  std::optional<KeptFlags> known = findKeptFlags(cache, root + "/src");
  ASSERT_TRUE(known);
  EXPECT_EQ(known->arguments, Names{"GPU=1"});
  EXPECT_FALSE(known->outdated());
  ScanOptions scan;
  scan.flags = cache;
  Project project = loadProject(root + "/src", diagnostics, scan);
  EXPECT_EQ(project.origin, Project::Origin::Make);
  ASSERT_EQ(sources(project), Names{"src/a.F90"});
  EXPECT_EQ(project.sources[0].arguments, Names{"-DA=\"b\""});
  // What make does not name is compiled as its neighbours.
  EXPECT_EQ(project.argumentsFor(root + "/src/b.F90"), Names{"-DA=\"b\""});
  write("src/Makefile", "all: x\n");
  EXPECT_TRUE(known->outdated());
  EXPECT_EQ(loadProject(root, diagnostics, scan).outdated, root + "/src/Makefile");
  forgetFlags(cache, root);
  EXPECT_FALSE(findKeptFlags(cache, root));
}

TEST_F(BuildFlagsTest, replyOfCMake) {
  const std::string root = folder.root();
  write("CMakeLists.txt", "project(x)\n");
  write("src/a.F90", "end\n");
  write("src/b.cpp", "\n");
  write("build/CMakeCache.txt", "#\nCMAKE_HOME_DIRECTORY:INTERNAL=" + root + "\n");
  EXPECT_EQ(loadProject(root, diagnostics).origin, Project::Origin::Folder);
  const std::string reply = "build/.cmake/api/v1/reply/";
  write(reply + "index-2020.json", "{}");
  write(
      reply + "index-2021.json",
      R"({"objects": [{"kind": "cache"}, {"kind": "codemodel", "jsonFile": "codemodel-v2-x.json"}]})");
  write(reply + "codemodel-v2-x.json",
        R"({"paths": {"source": ")" + root + R"(", "build": ")" + root +
            R"(/build"}, "configurations": [{"targets": [{"jsonFile": "target-x.json"}]}]})");
  write(
      reply + "target-x.json",
      R"({"sources": [{"path": "src/a.F90", "compileGroupIndex": 1}, {"path": "src/b.cpp", "compileGroupIndex": 0},
            {"path": "src/a.h"}],
          "compileGroups": [{"language": "CXX"}, {"language": "Fortran", "defines": [{"define": "N=4"}],
            "includes": [{"path": "/opt/x"}], "compileCommandFragments": [{"fragment": "-O3 -cuda -gpu=cc90"}]}]})");
  Project project = loadProject(root + "/src", diagnostics);
  EXPECT_EQ(project.origin, Project::Origin::CMake);
  ASSERT_EQ(sources(project), Names{"src/a.F90"});
  EXPECT_EQ(project.sources[0].arguments,
            (Names{"-O3", "-cuda", "-gpu=cc90", "-DN=4", "-I/opt/x"}));
}

TEST_F(BuildFlagsTest, manifestOfFpm) {
  write("fpm.toml", R"(name = "demo"
version = "1.2.0"
[library]
source-dir = "lib"
include-dir = ["inc"]
[preprocess.cpp]
macros = ["KIND=8", "V={version}"]
[dependencies]
near = { path = "near" }
far.git = "https://example.org/far"
gone.git = "https://example.org/gone"
[[executable]]
name = "run"
source-dir = "prog"   # beside app
)");
  write("inc/a.h", "");
  write("lib/m.f90", "module m\nend module\n");
  write("app/p.f90", "program p\nuse m\nend program\n");
  write("prog/q.f90", "program q\nend program\n");
  write("near/fpm.toml", "name = 'near'\n");
  write("near/src/n.f90", "module n\nend module\n");
  write("near/test/t.f90", "program t\nend program\n");
  write("build/dependencies/far/fpm.toml", "name = \"far\"\n");
  write("build/dependencies/far/src/f.f90", "module f\nend module\n");
  write("other/z.f90", "module z\nend module\n");
  Project project = loadProject(folder.root(), diagnostics);
  EXPECT_EQ(project.origin, Project::Origin::Fpm);
  EXPECT_TRUE(diagnostics.list().empty());
  EXPECT_EQ(sources(project), (Names{"app/p.f90", "build/dependencies/far/src/f.f90", "lib/m.f90",
                                     "near/src/n.f90", "prog/q.f90"}));
  EXPECT_EQ(project.find(folder.path("lib/m.f90"))->arguments,
            (Names{"-I" + folder.path("inc"), "-Mpreprocess", "-DKIND=8", "-DV=1.2.0"}));
  ASSERT_EQ(project.notes.size(), 1u); // gone
}

TEST(Toml, mistakesHaveTheirPlaces) {
  auto mistake = [](const char *text) {
    JsonValue value;
    Diagnostics found;
    readToml("fpm.toml", text, value, found);
    const Diagnostic first = found.list().empty() ? Diagnostic{} : found.list().front();
    return fmt::format("{} {}:{}", first.code, first.range.line, first.range.column);
  };
  EXPECT_EQ(mistake("a = \n"), "CUF0180 1:5");
  EXPECT_EQ(mistake("a = 1\n[b\n"), "CUF0180 2:3");
  EXPECT_EQ(mistake("a = [1,\n2\n"), "CUF0180 3:1");
  EXPECT_EQ(mistake("a = \"x\n"), "CUF0180 1:8");
  EXPECT_EQ(mistake("a = 1 2\n"), "CUF0180 1:7");
}

Diagnostic error(const char *code, int line, int column, int length) {
  return {Severity::Error, code, "", {"f.F90", line, column, line, column + length}};
}

TEST_F(BuildFlagsTest, whatLacksFlags) {
  const std::string text =
      "#ifdef USE_X\ninteger :: x\n#endif\n#ifdef KNOWN\ninteger :: y\n#endif\nx = y + z\n";
  write("Makefile", "all:\n");
  Project project = loadProject(folder.root(), diagnostics);
  auto notice = [&](const Diagnostic &diagnostic) {
    Analysis analysis;
    analysis.diagnostics = {diagnostic};
    MissingFlags missing;
    missing.add(analysis, "f.F90", text, {"KNOWN=1"});
    std::vector<Diagnostic> list = missing.notice(project, "ask {}");
    return list.empty() ? std::string()
                        : list.front().code +
                              list.front().message.substr(list.front().message.find(" lack"));
  };
  EXPECT_EQ(notice(error("CUF1101", 7, 1, 1)),
            "CUF0184 lacks include files, macros or modules (USE_X); ask make");
  EXPECT_EQ(notice(error("CUF1101", 7, 5, 1)), ""); // y stands under a macro that is defined
  EXPECT_EQ(notice(error("CUF1101", 7, 9, 1)), ""); // z nowhere
  EXPECT_EQ(notice(error("CUF1008", 1, 1, 1)),
            "CUF0184 lacks include files, macros or modules; ask make");
  EXPECT_EQ(notice(error("CUF1203", 7, 1, 1)), "");
}

TEST(MissingIncludes, costWhatMayComeOfThem) {
  Analysis analysis;
  analysis.diagnostics = {error("CUF1008", 3, 1, 1), error("CUF1101", 2, 1, 1),
                          error("CUF1203", 9, 1, 1)};
  dropConsequencesOfIncludes(analysis);
  ASSERT_EQ(analysis.diagnostics.size(), 2u);
  EXPECT_EQ(analysis.diagnostics[0].code, "CUF1008");
  EXPECT_EQ(analysis.diagnostics[1].code, "CUF1203");
}

} // namespace
} // namespace cufc
