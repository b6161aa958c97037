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
    return limitsToTry({{kernel, registers, stack}}, ptx);
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
