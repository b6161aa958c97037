// Module files of flang become shorter without a change of what they say.
#include "base/files.h"
#include "frontend/modules/fewer_statements.h"
#include "frontend/modules/module_files.h"
#include "frontend/modules/partial_mark.h"
#include "frontend/workarounds/component_attributes.h"
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

TEST(ModuleFiles, JoinsDeclarations) {
  EXPECT_EQ(withFewerStatements("integer(4),parameter::a=1_4\n"
                                "integer(4),parameter::b=2_4\n"
                                "integer(4)::c\n"
                                "type(t)::d(1_8:3_8)\n"
                                "type(t)::e\n"
                                "character(3_8,1),parameter::f=\"a::\"\n"
                                "character(3_8,1),parameter::g='b::'\n"
                                "type::t\n"
                                "real(8),pointer::p=>NULL()\n"
                                "real(8),pointer::q\n"
                                "end type\n"),
            "integer(4),parameter::a=1_4,b=2_4\n"
            "integer(4)::c\n"
            "type(t)::d(1_8:3_8),e\n"
            "character(3_8,1),parameter::f=\"a::\",g='b::'\n"
            "type::t\n"
            "real(8),pointer::p=>NULL()\n"
            "real(8),pointer::q\n"
            "end type\n");
  const std::string bound = "integer(4),bind(c, name=\"x\")::a\ninteger(4),bind(c, name=\"x\")::b\n"
                            "integer(4),bind(c)::c\ninteger(4),bind(c)::d\n";
  EXPECT_EQ(withFewerStatements(bound), bound);
}

TEST(ModuleFiles, PutsAttributesOfComponentsIntoTheirDeclarations) {
  EXPECT_EQ(withComponentAttributes("type::t\n"
                                    "integer(4)::n\n"
                                    "real(8),allocatable::a(:,:)\n"
                                    "attributes(device) a\n"
                                    "type(u),pointer::p=>NULL()\n"
                                    "attributes(managed) p\n"
                                    "procedure(),nopass,pointer::q\n"
                                    "end type\n"
                                    "real(4)::x(1_8:8_8)\n"
                                    "attributes(device) x\n"
                                    "type,extends(t)::v\n"
                                    "real(8)::b(1_8:4_8)\n"
                                    "attributes(device) b\n"
                                    "end type\n"
                                    "type(t)::y\n"
                                    "attributes(constant) y\n"),
            "type::t\n"
            "integer(4)::n\n"
            "real(8),allocatable,device::a(:,:)\n"
            "type(u),pointer,managed::p=>NULL()\n"
            "procedure(),nopass,pointer::q\n"
            "end type\n"
            "real(4)::x(1_8:8_8)\n"
            "attributes(device) x\n"
            "type,extends(t)::v\n"
            "real(8),device::b(1_8:4_8)\n"
            "end type\n"
            "type(t)::y\n"
            "attributes(constant) y\n");
}

TEST(ModuleFiles, GathersDirectivesOfDummies) {
  EXPECT_EQ(withFewerStatements("subroutine s(a,b,n)\n"
                                "real(8),value::a\n"
                                "!dir$ ignore_tkr(d) a\n"
                                "real(8),value::b\n"
                                "!dir$ ignore_tkr(dr) b\n"
                                "integer(4)::n\n"
                                "end\n"),
            "subroutine s(a,b,n)\n"
            "real(8),value::a,b\n"
            "integer(4)::n\n"
            "!dir$ ignore_tkr(d) a,(dr) b\n"
            "end\n");
}

TEST(ModuleFiles, JoinsDeclarationsOfProcedures) {
  EXPECT_EQ(withFewerStatements("integer(4)::x\n"
                                "real(4)::y\n"
                                "integer(4)::z\n"
                                "attributes(device) z\n"
                                "function f(a,n,b,c,d,e)\n"
                                "real(8)::a(1_8:*)\n"
                                "attributes(device) a\n"
                                "integer(4)::n\n"
                                "real(8)::b(1_8:*)\n"
                                "!dir$ ignore_tkr(r) b\n"
                                "attributes(device) b\n"
                                "real(8)::c(1_8:int(n,kind=8))\n"
                                "attributes(managed) c\n"
                                "integer(4)::d\n"
                                "real(8)::e\n"
                                "integer(4)::f\n"
                                "end\n"
                                "type::t\n"
                                "integer(4)::x\n"
                                "real(4)::y\n"
                                "integer(4)::z\n"
                                "end type\n"),
            "integer(4)::x\n"
            "real(4)::y\n"
            "integer(4)::z\n"
            "attributes(device) z\n"
            "integer(4) function f(a,n,b,c,d,e)\n"
            "real(8)::a(1_8:*),b(1_8:*)\n"
            "integer(4)::n,d\n"
            "real(8)::c(1_8:int(n,kind=8)),e\n"
            "attributes(device) a,b\n"
            "attributes(managed) c\n"
            "!dir$ ignore_tkr(r) b\n"
            "end\n"
            "type::t\n"
            "integer(4)::x\n"
            "real(4)::y\n"
            "integer(4)::z\n"
            "end type\n");
}

TEST(ModuleFiles, MovesTypesIntoFunctionStatements) {
  EXPECT_EQ(withFewerStatements("attributes(device) function f(a) bind(c,name=\"f\")\n"
                                "integer(4),value::a\n"
                                "real(8)::f\n"
                                "end\n"
                                "pure function g() result(r)\n"
                                "logical(4)::r\n"
                                "end\n"
                                "function h(x)\n"
                                "real(4)::x\n"
                                "real(4)::h(1_8:2_8)\n"
                                "end\n"
                                "function k()\n"
                                "type(t)::k\n"
                                "end\n"),
            "attributes(device) real(8) function f(a) bind(c,name=\"f\")\n"
            "integer(4),value::a\n"
            "end\n"
            "pure logical(4) function g() result(r)\n"
            "end\n"
            "function h(x)\n"
            "real(4)::x,h(1_8:2_8)\n"
            "end\n"
            "function k()\n"
            "type(t)::k\n"
            "end\n");
}

TEST(ModuleFiles, JoinsInterfaceBlocksWithoutNames) {
  EXPECT_EQ(withFewerStatements("module m\n"
                                "private::a\n"
                                "interface\n"
                                "subroutine a(f)\n"
                                "interface\n"
                                "subroutine f()\n"
                                "end\n"
                                "end interface\n"
                                "end\n"
                                "end interface\n"
                                "private::b\n"
                                "interface\n"
                                "subroutine b()\n"
                                "end\n"
                                "end interface\n"
                                "abstract interface\n"
                                "subroutine c(f)\n"
                                "interface\n"
                                "subroutine f()\n"
                                "end\n"
                                "end interface\n"
                                "end\n"
                                "end interface\n"
                                "interface\n"
                                "subroutine d()\n"
                                "end\n"
                                "end interface\n"
                                "interface g\n"
                                "procedure::a\n"
                                "procedure::b\n"
                                "end interface\n"
                                "end\n"),
            "module m\n"
            "private::a,b\n"
            "interface\n"
            "subroutine a(f)\n"
            "interface\n"
            "subroutine f()\n"
            "end\n"
            "end interface\n"
            "end\n"
            "subroutine b()\n"
            "end\n"
            "end interface\n"
            "abstract interface\n"
            "subroutine c(f)\n"
            "interface\n"
            "subroutine f()\n"
            "end\n"
            "end interface\n"
            "end\n"
            "end interface\n"
            "interface\n"
            "subroutine d()\n"
            "end\n"
            "end interface\n"
            "interface g\n"
            "procedure::a,b\n"
            "end interface\n"
            "end\n");
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
       file("3927d78cb7159b73",
            "module b0\ninteger(4),parameter::q=4_4\ninterface operator(.plus.)\nprocedure::pl\n"
            "end interface\ncontains\nsubroutine pl2(a,b)\nlogical(4),intent(in)::a\n"
            "integer(4),intent(in)::b\nend\nfunction pl(a,b)\nlogical(4),intent(in)::a\n"
            "integer(4),intent(in)::b\ncharacter(2_4,1)::pl\nend\nend\n")}};
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
    EXPECT_TRUE(outbox.publish(scratch.root(), noExports, false, diagnostics));
    EXPECT_FALSE(outbox.publish(scratch.path("missing"), noExports, false, diagnostics));
  }
  EXPECT_TRUE(diagnostics.hasErrors());
  ASSERT_TRUE(readFile(target, text));
  EXPECT_EQ(text, "text");
  EXPECT_FALSE(readFile(scratch.path("new/m.mod"), text));
}

TEST(ModuleFiles, partialOnesSaySo) {
  EXPECT_EQ(markedPartial("module m\nuse a,only:x\nuse b\ninteger(4)::n\nend\n"),
            "module m\nuse a,only:x\nuse b\ninteger(4),parameter,private::cufc_partial=1_4\n"
            "integer(4)::n\nend\n");
  EXPECT_EQ(markedPartial("submodule(m) s\ninteger(4)::n\nend\n"),
            "submodule(m) s\ninteger(4)::n\nend\n");
}

} // namespace
} // namespace cufc
