// Limits of registers that bring more threads onto a GPU, from what ptxas says.
#include "base/register_limits.h"
#include <gtest/gtest.h>

namespace cufc {
namespace {

std::string reportOf(const std::string &kernel, int stack, int registers) {
  return "ptxas info    : Compiling entry function '" + kernel + "' for 'sm_90'\n" +
         "ptxas info    : Function properties for " + kernel + "\n    " + std::to_string(stack) +
         " bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n" +
         "ptxas info    : Used " + std::to_string(registers) + " registers, used 1 barriers\n";
}

const std::string ptx =
    ".visible .entry step(\n\t.param .u64 step_param_0\n)\n{\n\tret;\n}\n"
    ".visible .entry step_packed(\n\t.param .u64 p\n)\n{\n\tret;\n}\n"
    ".visible .entry bounded(\n\t.param .u64 p\n)\n.maxntid 256\n{\n\tret;\n}\n";

TEST(RegisterLimits, ReadsWhatIsUsed) {
  std::vector<RegisterUse> use = registerUse(
      reportOf("step", 16, 34) +
      "ptxas info    : Function properties for helper\n    40 bytes stack frame, 0 bytes "
      "spill stores, 0 bytes spill loads\n" +
      reportOf("step_packed", 0, 255));
  ASSERT_EQ(use.size(), 2U);
  EXPECT_EQ(use[0].kernel, "step");
  EXPECT_EQ(use[0].registers, 34);
  EXPECT_EQ(use[0].stackBytes, 16);
  EXPECT_EQ(use[1].kernel, "step_packed");
  EXPECT_EQ(use[1].registers, 255);
  EXPECT_EQ(use[1].stackBytes, 0);
}

TEST(RegisterLimits, TriesAFewRegistersLess) {
  auto tried = [](int registers, int stack = 0, const char *kernel = "step") {
    return limitsToTry({{kernel, registers, stack}}, ptx, Step::Few);
  };
  EXPECT_EQ(tried(34), (RegisterLimits{{"step", 32}}));
  EXPECT_EQ(tried(38), (RegisterLimits{{"step", 32}}));
  EXPECT_TRUE(tried(39).empty()); // seven are too many
  EXPECT_TRUE(tried(40).empty()); // nothing to gain
  EXPECT_TRUE(tried(31).empty()); // all threads run
  EXPECT_TRUE(tried(200).empty());
  EXPECT_TRUE(tried(34, 8).empty());
  EXPECT_TRUE(tried(34, 0, "bounded").empty());
  EXPECT_TRUE(tried(34, 0, "other").empty());
}

TEST(RegisterLimits, TriesManyRegistersLessWithoutLoops) {
  auto tried = [](int registers, const char *body, const char *target = "") {
    return limitsToTry({{"step", registers, 0}},
                       target + std::string(".entry step(\n)\n{\n") + body + "}\n", Step::Many);
  };
  const char *forward = "\t@%p1 bra \t$L__BB0_1;\n$L__BB0_1:\n\tret;\n";
  const char *loop = "$L__BB0_1:\n\t@%p1 bra \t$L__BB0_1;\n\tret;\n";
  EXPECT_EQ(tried(114, forward), (RegisterLimits{{"step", 96}}));
  EXPECT_EQ(tried(48, forward), (RegisterLimits{{"step", 40}}));
  EXPECT_EQ(tried(42, forward), (RegisterLimits{{"step", 32}})); // 40 are tried anyhow
  EXPECT_TRUE(tried(32, forward).empty());
  EXPECT_TRUE(tried(40, forward, ".target sm_86\n").empty()); // 48 warps at most
  EXPECT_TRUE(tried(114, loop).empty());
  EXPECT_TRUE(tried(114, "\tcall.uni f;\n").empty());
}

TEST(RegisterLimits, LeavesRoomForWhatIsLoaded) {
  auto tried = [](const std::string &load) {
    std::string body = ".entry step(\n)\n{\n";
    for (int i = 0; i < 6; ++i)
      body += load;
    return limitsToTry({{"step", 48, 0}}, body + "}\n", Step::Many);
  };
  EXPECT_EQ(tried("\tld.global.nc.v2.b32 \t{%r1, %r2}, [%rd1];\n").size(), 1U); // 12 and 24 of 40
  EXPECT_EQ(tried("\tld.global.b64 \t%rd2, [%rd1+32];\n").size(), 1U);
  EXPECT_TRUE(tried("\tld.global.nc.v4.b32 \t{%r1, %r2, %r3, %r4}, [%rd1];\n").empty());
  EXPECT_TRUE(tried("\tld.global.v4.b64 \t{%rd1, %rd2, %rd3, %rd4}, [%rd5];\n").empty());
}

TEST(RegisterLimits, CountsStatementsAndNoLinesOfTheSource) {
  std::string module;
  for (int i = 0; i < 15'000; ++i)
    module += "\t.loc 1 2 3\n\tadd.s32 \t%r1, %r1, 1;\n";
  EXPECT_TRUE(isShort(module));
  EXPECT_FALSE(isShort(module + module));
}

TEST(RegisterLimits, WritesThemBehindTheArguments) {
  std::string limited = withLimits(ptx, {{"step_packed", 40}});
  EXPECT_EQ(limited.find(".entry step(\n\t.param .u64 step_param_0\n)\n{"), 9U);
  EXPECT_NE(limited.find("step_packed(\n\t.param .u64 p\n)\n.maxnreg 40\n{"), std::string::npos);
  EXPECT_EQ(withLimits(ptx, {}), ptx);
}

TEST(RegisterLimits, KeepsWhatCostsNoMemory) {
  const RegisterLimits limits{{"a", 32}, {"b", 32}, {"c", 32}};
  EXPECT_EQ(
      freeLimits(limits, {{"a", 34, 0}, {"b", 34, 0}, {"c", 34, 0}}, {{"a", 32, 0}, {"b", 32, 16}}),
      (RegisterLimits{{"a", 32}}));
}

} // namespace
} // namespace cufc
