// What names do where they stand, and that no place is wrong.
#include "analysed.h"
#include <gtest/gtest.h>

namespace cufc {
namespace {

using Uses = std::vector<std::string>;

TEST(Occurrences, ReadAndWrite) {
  Analysis analysis = analyse(R"(subroutine s(a, n)
  integer, intent(in) :: n
  real :: a(n)
  integer :: i
  do i = 1, n
    a(i) = a(i) * 2
  end do
  read *, a(n)
end subroutine s
)");
  EXPECT_EQ(uses(analysis, "a"),
            (Uses{"1:14 reference", "3:11 declaration", "6:5 write", "6:12 read", "8:11 write"}));
  EXPECT_EQ(uses(analysis, "i"), (Uses{"4:14 declaration", "5:6 write", "6:7 read", "6:14 read"}));
  EXPECT_EQ(uses(analysis, "s"), (Uses{"1:12 declaration", "9:16 reference"}));
}

TEST(Occurrences, ArgumentsFollowTheIntent) {
  Analysis analysis = analyse(R"(module m
contains
  subroutine callee(a, b, c, d)
    integer, intent(in) :: a
    integer, intent(out) :: b
    integer, intent(inout) :: c
    integer :: d
    b = a + c + d
  end subroutine
  subroutine caller
    integer :: w, x, y, z
    call callee(w, c=y, b=x, d=z)
    call unknown(w)
    print *, size([x]), kind(y), abs(z)
  end subroutine
end module
)");
  EXPECT_EQ(uses(analysis, "w"), (Uses{"11:16 declaration", "12:17 read", "13:18 readwrite"}));
  EXPECT_EQ(uses(analysis, "x"), (Uses{"11:19 declaration", "12:27 write", "14:20 read"}));
  EXPECT_EQ(uses(analysis, "y"), (Uses{"11:22 declaration", "12:22 readwrite", "14:30 reference"}));
  EXPECT_EQ(uses(analysis, "z"), (Uses{"11:25 declaration", "12:32 readwrite", "14:38 read"}));
  EXPECT_EQ(uses(analysis, "c"),
            (Uses{"3:27 reference", "6:31 declaration", "8:13 read", "12:20 reference"}));
  EXPECT_EQ(uses(analysis, "callee"), (Uses{"3:14 declaration", "12:10 call"}));
}

TEST(Occurrences, Components) {
  Analysis analysis = analyse(R"(module m
  type :: t
    real :: x
    real, pointer :: p(:)
  contains
    procedure :: scale
  end type
contains
  subroutine scale(self, factor)
    class(t) :: self
    real, intent(in) :: factor
    self%x = self%x * factor
    nullify(self%p)
  end subroutine
  subroutine user
    type(t) :: one
    real :: f
    allocate(one%p(10))
    call one%scale(f)
    one = t(x=1.0, p=null())
  end subroutine
end module
)");
  EXPECT_EQ(errors(analysis), Uses());
  EXPECT_EQ(uses(analysis, "x"),
            (Uses{"3:13 declaration", "12:10 write", "12:19 read", "20:13 reference"}));
  EXPECT_EQ(uses(analysis, "p"),
            (Uses{"4:22 declaration", "13:18 write", "18:18 write", "20:20 reference"}));
  EXPECT_EQ(uses(analysis, "f"), (Uses{"17:13 declaration", "19:20 read"}));
  EXPECT_EQ(uses(analysis, "one").at(2), "19:10 read");
}

TEST(Occurrences, CallsOfGenericNames) {
  Analysis analysis = analyse(R"(module m
  interface work
    module procedure work_real
  end interface
contains
  subroutine work_real(x)
    real :: x
  end subroutine
  subroutine user
    real :: r
    call work(r)
  end subroutine
end module
)");
  EXPECT_EQ(uses(analysis, "work"), (Uses{"2:13 declaration", "11:10 call"}));
  EXPECT_EQ(uses(analysis, "work_real"),
            (Uses{"3:22 reference", "6:14 declaration", "11:10 call"}));
}

TEST(Occurrences, ResultOfTheFunctionsName) {
  Analysis analysis = analyse("integer function f(k)\n  integer :: k\n  f = k\nend function f\n");
  EXPECT_EQ(uses(analysis, "f"), (Uses{"1:18 declaration", "3:3 write", "4:14 reference"}));
}

TEST(Occurrences, AtomicOperandsAreReadAndWritten) {
  Analysis analysis = analyse(R"(module m
contains
  attributes(global) subroutine k(total, x)
    integer :: total(*), x(*)
    integer :: old
    old = atomicadd(total(1), x(threadIdx%x))
  end subroutine
end module
)");
  EXPECT_EQ(uses(analysis, "total").back(), "6:21 readwrite");
  EXPECT_EQ(symbol(analysis, "atomicadd").kind, SymbolKind::Generic);
  EXPECT_EQ(uses(analysis, "atomicadd"), Uses{"6:11 call"});
}

TEST(Occurrences, KindsAreRead) {
  Analysis analysis = analyse("subroutine s\n  integer, parameter :: dp = 8\n  real(dp) :: x\n"
                              "  x = 1.0_dp\nend subroutine\n");
  EXPECT_EQ(uses(analysis, "dp"), (Uses{"2:25 declaration", "3:8 read", "4:11 read"}));
}

TEST(Occurrences, LabelsAndConstructs) {
  Analysis analysis = analyse(R"(subroutine s(n)
  integer :: n
  if (n > 0) goto 20
  write (*, 30, err=20) n
20 continue
30 format (i5)
  rows: do
    exit rows
  end do rows
end subroutine
)");
  EXPECT_EQ(uses(analysis, "20"), (Uses{"3:19 reference", "4:21 reference", "5:1 declaration"}));
  EXPECT_EQ(uses(analysis, "30"), (Uses{"4:13 reference", "6:1 declaration"}));
  EXPECT_EQ(uses(analysis, "rows"), (Uses{"7:3 declaration", "8:10 reference", "9:10 reference"}));
}

TEST(Occurrences, SelectTypeIsItsSelector) {
  Analysis analysis = analyse(R"(subroutine s(a, b)
  class(*) :: a, b
  select type (a)
  type is (integer)
    a = 1
  type is (real)
    a = 2
  end select
  select type (c => b)
  type is (integer)
    c = 1
  type is (real)
    c = 2
  end select
end subroutine
)");
  EXPECT_EQ(uses(analysis, "a"),
            (Uses{"1:14 reference", "2:15 declaration", "3:16 read", "5:5 write", "7:5 write"}));
  EXPECT_EQ(uses(analysis, "c"), (Uses{"9:16 declaration", "11:5 write", "13:5 write"}));
}

TEST(Occurrences, StandWhereTheirTextIs) {
  Analysis analysis = analyse(R"(#define TWICE(x) ((x) + (x))
subroutine Sub(Arg, &
    Other)
  integer :: Arg, Other, local
  local = TWICE(Arg) + &
    OTHER
!$cuf kernel do(1) <<< (arg+1)/2, 32 >>>
  do i = 1, Arg
    local = i
  end do
end subroutine
)",
                              "test.CUF");
  EXPECT_EQ(uses(analysis, "Other"), (Uses{"3:5 reference", "4:19 declaration", "6:5 read"}));
  EXPECT_EQ(uses(analysis, "Arg"),
            (Uses{"2:16 reference", "4:14 declaration", "5:17 read", "7:25 read", "8:13 read"}));
}

} // namespace
} // namespace cufc
