// Stores of 8 and 16 bits in PTX: those from wider registers get a conversion.
#include "codegen/gpu/narrow_stores.h"
#include <gtest/gtest.h>

namespace cufc {
namespace {

TEST(NarrowStores, LeavesOtherLinesAlone) {
  std::string ptx = "\tst.global.b32 \t[%rd1], %r1;\n\tst.param.b8 \t[param0], %r1;\n"
                    "\tst.global.b8 \t[%rd1], %rs1;\n\n\tst.b8 \t[%rd1], 5;\n\tret;\n";
  EXPECT_EQ(repairNarrowStores(ptx), ptx);
}

TEST(NarrowStores, ConvertsWideRegisters) {
  EXPECT_EQ(repairNarrowStores("\tst.global.b8 \t[%rd2+3], %r3;\n"),
            "\t{\n\t.reg .b16 \t%narrow0;\n\tcvt.u16.u32 \t%narrow0, %r3;\n"
            "\tst.global.b8 \t[%rd2+3], %narrow0;\n\t}\n");
  EXPECT_NE(repairNarrowStores("\tst.b16 \t[%rd2], %rd3;\n").find("cvt.u16.u64"),
            std::string::npos);
}

TEST(NarrowStores, ConvertsEachOfAVector) {
  EXPECT_EQ(repairNarrowStores("\tst.local.v2.b8 \t[%rd2], {%r3, %rs4};\n"),
            "\t{\n\t.reg .b16 \t%narrow0;\n\tcvt.u16.u32 \t%narrow0, %r3;\n"
            "\tst.local.v2.b8 \t[%rd2], {%narrow0, %rs4};\n\t}\n");
}

} // namespace
} // namespace cufc
