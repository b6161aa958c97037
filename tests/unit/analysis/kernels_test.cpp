// Kernels, launches and their extents.
#include "analysed.h"
#include <gtest/gtest.h>

namespace cufc {
namespace {

using Texts = std::vector<std::string>;

TEST(Kernels, HaveTheirLimitsAndSharedMemory) {
  Analysis analysis = analyse(R"(module m
contains
  attributes(global) launch_bounds(256, 2) subroutine fixed(a)
    real :: a(*)
    real, shared :: tile(32), more(8, 8)
    a(1) = tile(1) + more(1, 1)
  end subroutine
  attributes(global) subroutine dynamic(n)
    integer, value :: n
    real, shared :: buffer(*)
    buffer(1) = n
  end subroutine
  attributes(device) subroutine helper
  end subroutine
end module
)");
  EXPECT_EQ(errors(analysis), Texts());
  ASSERT_EQ(analysis.kernels.size(), 2u);
  const KernelInfo &fixed = analysis.kernels[0], &dynamic = analysis.kernels[1];
  EXPECT_EQ(analysis.symbols[fixed.symbol].name, "fixed");
  EXPECT_EQ(fixed.maxThreads, 256);
  EXPECT_EQ(fixed.minBlocks, 2);
  EXPECT_EQ(fixed.sharedBytes, 32 * 4 + 64 * 4);
  EXPECT_FALSE(fixed.dynamicShared);
  EXPECT_EQ(fixed.place.line, 3);
  EXPECT_EQ(fixed.place.endLine, 7);
  EXPECT_TRUE(dynamic.dynamicShared);
  EXPECT_EQ(dynamic.sharedBytes, 0);
}

TEST(Launches, HaveConstantExtents) {
  Analysis analysis = analyse(R"(module m
contains
  attributes(global) subroutine k(n)
    integer, value :: n
  end subroutine
end module
program p
  use cudafor
  use m
  integer, parameter :: threads = 2 * 64
  integer :: n, size
  integer(cuda_stream_kind) :: stream
  type(dim3) :: grid, block, changed, parts
  block = dim3(16, 8, 1)
  grid = dim3(threads, 1, 1)
  changed = dim3(1, 1, 1)
  parts%x = 4
  parts%y = 2
  parts%z = 1
  size = 32
  read *, n
  if (n > 1) changed%x = 2
  call k<<<1, threads>>>(n)
  call k<<<grid, block>>>(n)
  call k<<<dim3(n, 2, 1), dim3(32, 1, 1), 4 * threads, stream>>>(n)
  call k<<<(n + 31) / 32, size>>>(n)
  call k<<<changed, parts, n>>>(n)
end program
)");
  EXPECT_EQ(errors(analysis), Texts());
  EXPECT_EQ(launches(analysis),
            (Texts{"k grid=1 block=128 shared=0", "k grid=128,1,1 block=16,8,1 shared=0",
                   "k grid=?,2,1 block=32,1,1 shared=512", "k grid=? block=32 shared=0",
                   "k grid=?,?,? block=4,2,1 shared=?"}));
  EXPECT_EQ(analysis.launches[3].grid.text, "(n + 31) / 32");
  EXPECT_EQ(analysis.launches[2].stream, "stream");
  EXPECT_EQ(uses(analysis, "k").at(3), "25:8 launch");
}

TEST(Launches, OfDirectives) {
  Analysis analysis = analyse(R"(subroutine s(a, n)
  real, device :: a(n, n)
  integer :: i, j, n
!$cuf kernel do(2) <<< (*, *), (32, 4) >>>
  do j = 1, n
    do i = 1, n
      a(i, j) = 0
    end do
  end do
!$cuf kernel do <<< (n + 1) / 2, 128 >>>
  do i = 1, n
    a(i, 1) = 1
  end do
end subroutine
)");
  EXPECT_EQ(launches(analysis),
            (Texts{"do(2) grid=?,? block=32,4 shared=?", "do(1) grid=? block=128 shared=?"}));
  EXPECT_EQ(analysis.launches[1].grid.text, "(n + 1) / 2");
  EXPECT_EQ(analysis.launches[0].place.line, 4);
}

} // namespace
} // namespace cufc
