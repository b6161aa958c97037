// Modules that files define and use, and the order that follows.
#include "project/module_graph.h"
#include "project/scan_lines.h"
#include <algorithm>
#include <gtest/gtest.h>

namespace cufc {
namespace {

using Names = std::vector<std::string>;

Names namesOf(const std::vector<ModuleStatement> &statements) {
  Names names;
  for (const ModuleStatement &statement : statements)
    names.push_back(statement.name);
  return names;
}

ModuleFacts scan(const std::string &text, bool fixedForm = false) {
  return scanModules("a.cuf", text, fixedForm, 72);
}

Names uses(const std::string &text, bool fixedForm = false) {
  return namesOf(scan(text, fixedForm).uses);
}

Names defines(const std::string &text, bool fixedForm = false) {
  return namesOf(scan(text, fixedForm).defines);
}

// What a scan leaves out must not matter.
TEST(ScanLines, keepWhatMatters) {
  std::string text =
      "module m\n  use a, &\n    only: x\n  real :: y\ncontains\n  subroutine s\n"
      "    y = 1.0\n    if (y > 0 .and. &\n        y < 2) call t(y)\n    do i = 1, 3\n"
      "    end do\n  end subroutine\nend module\n";
  EXPECT_EQ(linesOfInterest(text, false),
            "module m\n  use a, &\n    only: x\n\n\n  subroutine s\n\n"
            "    if (y > 0 .and. &\n        y < 2) call t(y)\n\n\n  end subroutine\nend module\n");
  // The first statement behind END may open a main program.
  EXPECT_EQ(scan("subroutine s\nend\n\n! more\nx = 1\ny = 2\nend\n").programs.size(), 1u);
  EXPECT_EQ(linesOfInterest(
                "      I = 1\n      J = 2\n      CALL\n     & F\nC     CALL\n      END\n", true),
            "      I = 1\n\n      CALL\n     & F\nC     CALL\n      END\n");
}

TEST(ScanModules, deviceData) {
  EXPECT_TRUE(scan("real, device :: x(10)\nend\n").cuda);
  EXPECT_TRUE(scan("type(pair), allocatable , Managed:: x(:)\nend\n").cuda);
  EXPECT_TRUE(scan("      real(8), dimension(n, m), constant :: c\n      end\n", true).cuda);
  EXPECT_FALSE(scan("real :: x, device\ninteger, parameter :: shared = 1\nend\n").cuda);
}

TEST(ScanModules, units) {
  ModuleFacts facts = scan("real function f(x)\nend\npure subroutine s\ncontains\n"
                           "subroutine inner\nend\nend subroutine\n"
                           "block data d\nend block data\nprogram p\ninterface\n"
                           "subroutine far(a)\nend subroutine\nend interface\n"
                           "if (f(1.0) > 0) call near(')', 2)\ncall object%method()\n"
                           "block\nend block\nend program\n");
  EXPECT_EQ(namesOf(facts.procedures), (Names{"f", "s"}));
  EXPECT_EQ(namesOf(facts.programs), (Names{"p"}));
  EXPECT_EQ(facts.calls, (Names{"far", "near"}));
  EXPECT_FALSE(facts.cuda);
  EXPECT_EQ(scan("implicit none\ninteger i\ni = 1\nend\n").programs.size(), 1u);
  EXPECT_EQ(scan("function = 1\nend = 2\nend\n").programs.size(), 1u);
  EXPECT_EQ(scan("include 'x'\nmodule m\nend\n").programs.size(), 0u);
  EXPECT_EQ(scan("submodule (m) s\ncontains\nmodule procedure q\nend\nend\nprogram p\nend\n")
                .programs.size(),
            1u);
}

TEST(ScanModules, signsOfCuda) {
  EXPECT_TRUE(scan("use cudafor\n").cuda);
  EXPECT_TRUE(scan("call k<<<1, 2>>>()\n").cuda);
  EXPECT_TRUE(scan("module m\ncontains\nattributes(global) subroutine k\nend\nend\n").cuda);
  EXPECT_TRUE(scan("program p\n !$CUF kernel do\nend\n").cuda);
}

TEST(ScanModules, conditionalStatements) {
  ModuleFacts facts = scan("use a\n#ifdef X\n#if Y\n#endif\nuse b\n#else\n#include \"i.h\"\n"
                           "#endif\nuse c\n");
  EXPECT_EQ(namesOf(facts.uses), (Names{"a", "b", "c"}));
  EXPECT_FALSE(facts.uses[0].conditional);
  EXPECT_TRUE(facts.uses[1].conditional);
  EXPECT_FALSE(facts.uses[2].conditional);
  ASSERT_EQ(facts.includes.size(), 1u);
  EXPECT_EQ(facts.includes[0].name, "i.h");
}

TEST(ScanModules, placesOfIncludeLines) {
  ModuleFacts facts =
      scan("include 'a'\nmodule m\n#include \"b\"\ncontains\n include \"c\"\nend module\n"
           "#include \"d\"\nprogram p\ninclude 'e'\nend\nINCLUDE 'f'\n");
  std::string between;
  for (const IncludeLine &line : facts.includes)
    between += line.betweenUnits ? line.name : std::string();
  std::sort(between.begin(), between.end());
  EXPECT_EQ(facts.includes.size(), 6u);
  EXPECT_EQ(between, "adf");
}

TEST(ScanModules, formsOfUse) {
  EXPECT_EQ(uses("use a\nUSE  B, only: c\n use::d\nuse, non_intrinsic :: e\n"),
            (Names{"a", "b", "d", "e"}));
  EXPECT_EQ(uses("use, intrinsic :: iso_c_binding\nuse,intrinsic::x\n"), Names{});
  EXPECT_EQ(uses("use a, b => c, operator(+) => operator(.x.)\n"), (Names{"a"}));
}

TEST(ScanModules, placesOfStatements) {
  EXPECT_EQ(uses("implicit none; use a\n"), (Names{"a"}));
  EXPECT_EQ(uses("program p; use a; use b\n"), (Names{"a", "b"}));
  EXPECT_EQ(uses("10 use a\n"), (Names{"a"}));
  EXPECT_EQ(uses("use, &\n  non_intrinsic &\n  :: a\n"), (Names{"a"}));
  EXPECT_EQ(uses("use &\n  & a\n"), (Names{"a"}));
}

TEST(ScanModules, whatIsNoUse) {
  EXPECT_EQ(uses("print *, 'x'; x = 'use a'\n! use b\nuse = 3\nuse(i) = 2\nuse%x = 1\nused a\n"),
            Names{});
  EXPECT_EQ(uses("print *, 'a &\n  & use b'\n"), Names{});
  EXPECT_EQ(uses("print *, 'a &\nuse b'\n"), Names{});
  EXPECT_EQ(uses("use\nuse,\nuse ::\n"), Names{});
  EXPECT_EQ(uses("#define use a\n"), Names{});
}

TEST(ScanModules, conditionalSentinel) {
  EXPECT_EQ(uses("!@cuf use a\n!@cufuse b\n"), (Names{"a", "b"}));
  EXPECT_EQ(uses("!@CUF use a\nc@cuf use b\n", true), (Names{"a", "b"}));
}

TEST(ScanModules, definitions) {
  EXPECT_EQ(defines("module A\nend module A\nMODULE b ! text\nend\n"), (Names{"a", "b"}));
  EXPECT_EQ(defines("module a; use b; end module\n"), (Names{"a"}));
  EXPECT_EQ(defines("module procedure p\nmodule subroutine s\nmodule function f(x)\n"
                    "module pure subroutine s()\nend module a\nmodule = 3\nmodule\n"),
            Names{});
}

TEST(ScanModules, submodules) {
  ModuleFacts facts = scan("submodule (a) b\nend\nsubmodule(a:b) C\nend\n");
  EXPECT_EQ(namesOf(facts.defines), (Names{"a:b", "a:c"}));
  EXPECT_EQ(namesOf(facts.uses), (Names{"a", "a:b"}));
  facts = scan("submodule\nsubmodule (\nsubmodule (a\nsubmodule (a)\n");
  EXPECT_TRUE(facts.defines.empty());
  EXPECT_TRUE(facts.uses.empty());
}

TEST(ScanModules, fixedForm) {
  EXPECT_EQ(
      uses("      use a\nc     use b\n   10 use c\n      use,\n     & non_intrinsic :: d\n", true),
      (Names{"a", "c", "d"}));
  EXPECT_EQ(defines("      module a\n      end\n", true), (Names{"a"}));
}

TEST(ScanModules, positions) {
  ModuleFacts facts = scan("module a\n  use, non_intrinsic :: abc, only: d\nend module\n");
  const SourceRange &range = facts.uses.front().range;
  EXPECT_EQ(range.line, 2);
  EXPECT_EQ(range.column, 25);
  EXPECT_EQ(range.endColumn, 28);
}

TEST(ScanModules, useOfTheModuleItself) {
  auto itself = [](const std::string &text) { return namesOf(scan(text).usesItself); };
  EXPECT_EQ(itself("module a\n  use a\nend module\n"), (Names{"a"}));
  EXPECT_EQ(itself("module a\ncontains\n  subroutine s\n    use a\n  end subroutine\nend module\n"),
            (Names{"a"}));
  EXPECT_EQ(itself("module a\nend module\nprogram p\n  use a\nend\n"), Names{});
  EXPECT_EQ(itself("module a\nendmodule\nprogram p\n  use a\nend\n"), Names{});
  EXPECT_EQ(itself("module a\nend\nprogram p\n  use a\nend\n"), Names{});
  EXPECT_EQ(itself("module a\nend module\nsubmodule (a) b\n  use a\nend\n"), Names{});
}

class Order : public testing::Test {
protected:
  std::vector<std::vector<size_t>> of(const std::vector<std::string> &texts) {
    std::vector<ModuleFacts> files;
    for (size_t i = 0; i < texts.size(); ++i)
      files.push_back(
          scanModules(std::string(1, static_cast<char>('a' + i)) + ".cuf", texts[i], false, 72));
    return compilationOrder(files, diagnostics);
  }
  std::string message() const {
    return diagnostics.list().empty() ? "" : diagnostics.list().front().message;
  }
  Diagnostics diagnostics;
};

using Levels = std::vector<std::vector<size_t>>;

TEST_F(Order, noFiles) { EXPECT_EQ(of({}), Levels{}); }

TEST_F(Order, usersComeLater) {
  EXPECT_EQ(of({"program p\nuse b\nuse c\nend\n", "module b\nuse c\nend\n", "module c\nend\n"}),
            (Levels{{2}, {1}, {0}}));
}

TEST_F(Order, independentFilesShareALevel) {
  EXPECT_EQ(of({"module a\nend\n", "module b\nend\n", "program p\nuse a\nuse b\nend\n"}),
            (Levels{{0, 1}, {2}}));
}

TEST_F(Order, unknownModulesAndOwnModulesDoNotMatter) {
  EXPECT_EQ(of({"module a\nend\nprogram p\nuse a\nuse elsewhere\nend\n"}), (Levels{{0}}));
}

TEST_F(Order, submodulesFollowTheirParents) {
  EXPECT_EQ(of({"submodule (a:b) c\nend\n", "submodule (a) b\nend\n", "module a\nend\n"}),
            (Levels{{2}, {1}, {0}}));
}

TEST_F(Order, cycles) {
  EXPECT_EQ(of({"module a\nuse b\nend module\n", "module b\nuse c\nend module\n",
                "module c\nuse a\nend module\n"}),
            Levels{});
  EXPECT_EQ(message(), "circular use of modules: a.cuf uses 'b', b.cuf uses 'c', c.cuf uses 'a'");
  EXPECT_EQ(diagnostics.list().size(), 1u);
  EXPECT_EQ(diagnostics.list().front().range.file, "c.cuf");
}

TEST_F(Order, cycleThatDoesNotHoldTheFirstFile) {
  EXPECT_EQ(of({"program p\nuse b\nend\n", "module b\nuse c\nend module\n",
                "module c\nuse b\nend module\n"}),
            Levels{});
  EXPECT_EQ(message(), "circular use of modules: b.cuf uses 'c', c.cuf uses 'b'");
}

TEST_F(Order, aModuleOfTwoFiles) {
  EXPECT_EQ(of({"module x\nend\nmodule m\nend\n", "module m\nend\n"}), Levels{});
  EXPECT_EQ(message(), "module 'm' is defined in 'a.cuf' already");
}

TEST_F(Order, aModuleThatUsesItself) {
  EXPECT_EQ(of({"module m\nuse m\nend module\n"}), Levels{});
  EXPECT_EQ(message(), "module 'm' uses itself");
}

} // namespace
} // namespace cufc
