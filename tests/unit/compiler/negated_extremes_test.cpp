// Negations in PTX: those of which ptxas may make a minimum or maximum of three are hidden from it.
#include "codegen/gpu/negated_extremes.h"
#include <gtest/gtest.h>

namespace cufc {
namespace {

TEST(NegatedExtremes, LeavesOtherNegationsAlone) {
  std::string ptx = "{\n\tneg.s32 \t%r2, %r1;\n\tadd.s32 \t%r3, %r2, 1;\n\tneg.f32 \t%f2, %f1;\n"
                    "\tmin.f32 \t%f3, %f2, %f1;\n}\n{\n\tmin.s32 \t%r3, %r2, %r1;\n}";
  EXPECT_EQ(hideNegations(ptx), ptx);
}

TEST(NegatedExtremes, HidesWhatExtremesUse) {
  EXPECT_EQ(hideNegations("\tneg.s32 \t%r2, %r1;\n\tmin.s32 \t%r4, %r3, %r2;\n}\n"),
            "\tnot.b32 \t%r2, %r1;\n\tadd.s32 \t%r2, %r2, 1;\n\tmin.s32 \t%r4, %r3, %r2;\n}\n");
  EXPECT_NE(
      hideNegations("\tneg.s16 \t%rs2, %rs1;\n\t@%p1 bra \t$L1;\n\tmax.s16 \t%rs4, %rs2, 3;\n}\n")
          .find("not.b16 \t%rs2, %rs1;"),
      std::string::npos);
}

TEST(NegatedExtremes, HidesWhatChoicesAndCopiesUse) {
  for (const char *use :
       {"selp.b32 \t%r4, %r2, %r3, %p1;", "setp.lt.s32 \t%p1, %r2, %r3;", "mov.b32 \t%r4, %r2;"})
    EXPECT_NE(hideNegations("\tneg.s32 \t%r2, %r1;\n\t" + std::string(use) + "\n}\n").find("not."),
              std::string::npos)
        << use;
}

} // namespace
} // namespace cufc
