// Machine code beside its lines, from a listing in the form that nvdisasm has, written for this
// test.
#include "occupancy/code_view.h"
#include <gtest/gtest.h>

namespace cufc {
namespace {

constexpr const char *listing =
    R"sass(	.headerflags	@"EF_CUDA_SM90 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM90)"
	.section	.debug_line,"",@progbits
        /*0000*/ 	.byte	0x11, 0x22
	.section	.text.first,"ax",@progbits
	.sectioninfo	@"SHI_REGISTERS=10"
        .global         first
        .type           first,@function
first:
.text.first:
	//## File "/src/code.cuf", line 7
        /*0000*/                   LDC R1, c[0x0][0x28] ;
	//## File "/src/code.cuf", line 8
        /*0010*/                   S2R R0, SR_TID.X ;
        /*0020*/              @!P0 LDG.E R2, desc[UR4][R4.64] ;
	//## File "/src/other.cuf", line 3
        /*0030*/                   DFMA R2, R2, R2, R2 ;
	//## File "/src/code.cuf", line 8 inlined at "/src/code.cuf", line 12
        /*0040*/                   STG.E desc[UR4][R4.64], R2 ;
        /*0050*/                   EXIT ;
.L_x_0:
        /*0060*/                   BRA `(.L_x_0);
        /*0070*/                   NOP;
	.section	.nv.constant0.first,"a",@progbits
        /*0000*/ 	.byte	0x00
	.section	.text.second,"ax",@progbits
.text.second:
        /*0000*/                   DEPBAR.LE SB0, 0x0 ;
        /*0010*/                   REDUX.SUM UR4, R0 ;
        /*0020*/                   FLO.U32 R0, R0 ;
        /*0030*/                   LD.E R0, [R2.64] ;
        /*0040*/                   HFMA2.MMA R1, R1, R1, R1 ;
)sass";

TEST(CodeView, SplitsListingsByFunction) {
  std::vector<CodeView> views = viewSass(listing, "code.cuf");
  ASSERT_EQ(views.size(), 2U);
  EXPECT_EQ(views[0].kernel, "first");
  EXPECT_EQ(views[1].kernel, "second");
  EXPECT_EQ(views[1].lines.size(), 6U) << "a label and its code, no bytes of constants and tables";
}

TEST(CodeView, GivesEachInstructionItsLine) {
  std::vector<int> sources;
  const std::vector<CodeView> views = viewSass(listing, "/elsewhere/code.cuf");
  for (const CodeLine &line : views[0].lines)
    sources.push_back(line.source);
  // The two labels in front have no line, nor has the one behind; other files have none either.
  EXPECT_EQ(sources, (std::vector<int>{0, 0, 7, 8, 8, 0, 12, 12, 0, 12, 12}));
}

TEST(CodeView, CountsInstructionsByKind) {
  std::vector<CodeView> views = viewSass(listing, "code.cuf");
  EXPECT_EQ(views[0].mix, (std::map<std::string, int>{{"branches", 2},
                                                      {"constants", 1},
                                                      {"double precision", 1},
                                                      {"global memory", 2},
                                                      {"moves", 1},
                                                      {"padding", 1}}));
  EXPECT_EQ(views[1].mix, (std::map<std::string, int>{{"barriers", 1},
                                                      {"generic memory", 1},
                                                      {"half precision", 1},
                                                      {"integers", 1},
                                                      {"warp", 1}}));
}

TEST(CodeView, ShowsTheSourceAboveTheCode) {
  CodeText text;
  text.add(viewSass(listing, "code.cuf")[0], "1\n2\n3\n4\n5\n6\n  a = 1\n  b = 2\n");
  EXPECT_NE(text.text.find("// 7: a = 1\n        /*0000*/                   LDC"),
            std::string::npos)
      << text.text;
  EXPECT_NE(text.text.find("// 8: b = 2\n"), std::string::npos) << text.text;
}

TEST(CodeView, TakesAnyText) {
  EXPECT_TRUE(viewSass("", "a.cuf").empty());
  EXPECT_TRUE(viewSass("no listing\n/*0000*/ NOP;\n", "a.cuf").empty());
  EXPECT_EQ(viewSass(".section .text.", "a.cuf").size(), 1U);
  EXPECT_EQ(viewSass(".section .text.k\n//## File\n/* ;\n/*0000*/;\n", "a.cuf").size(), 1U);
}

} // namespace
} // namespace cufc
