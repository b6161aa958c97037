// The names under which GPUs are known.
#include "base/gpus.h"
#include <gtest/gtest.h>

namespace cufc {
namespace {

TEST(Gpus, everySpelling) {
  for (const char *name : {"cc90", "sm_90", "compute_90", "90", "9.0", "cc9.0"}) {
    std::optional<Gpu> gpu = findGpu(name);
    ASSERT_TRUE(gpu) << name;
    EXPECT_EQ(gpu->number, 90) << name;
  }
  EXPECT_EQ(findGpu("cc10.3")->number, 103);
}

TEST(Gpus, unknownNames) {
  for (const char *name : {"", "cc", "cc9x", "cc13", "9..0", "90.", ".90", "cccc90", "cc900", "-90",
                           " 90", "sm90", "CC90"})
    EXPECT_FALSE(findGpu(name)) << name;
}

TEST(Gpus, tableIsSorted) {
  const std::vector<Gpu> &gpus = allGpus();
  ASSERT_FALSE(gpus.empty());
  for (size_t i = 1; i < gpus.size(); ++i)
    EXPECT_LT(gpus[i - 1].number, gpus[i].number);
  for (const Gpu &gpu : gpus)
    EXPECT_NE(gpuNames().find("cc" + std::to_string(gpu.number)), std::string::npos);
}

} // namespace
} // namespace cufc
