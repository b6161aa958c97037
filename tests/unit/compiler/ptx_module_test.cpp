// PTX that is cut off or that another toolkit wrote: names without what ends them.
#include "occupancy/ptx_module.h"
#include <gtest/gtest.h>

namespace cufc {
namespace {

TEST(PtxModule, namesKernelsBeforeTheirParametersOrBody) {
  const PtxModule module(".entry one(.param .u64 a) {\n ret;\n}\n.entry two {\n ret;\n}\n");
  EXPECT_EQ(module.kernels(), (std::vector<std::string>{"one", "two"}));
}

TEST(PtxModule, takesAnEntryThatIsCutOffBehindItsName) {
  const PtxModule module(".version 7.0\n.entry one");
  EXPECT_TRUE(module.kernels().empty()); // it has no body
}

} // namespace
} // namespace cufc
