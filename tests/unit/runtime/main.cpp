// All tests run on the host device, on more threads than one whatever the machine.
#include <cstdlib>
#include <gtest/gtest.h>

int main(int argc, char **argv) {
  setenv("CUF_DEVICE", "host", 1);
  setenv("CUF_HOST_THREADS", "4", 1);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
