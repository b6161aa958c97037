// Texts that do not parse, without what is wrong with them.
#include "source/block_balance.h"
#include "source/recovery.h"
#include <gtest/gtest.h>

namespace cufc {
namespace {

// The text with what is missing inserted.
std::string whole(const Recovery &recovery) {
  return rewriteDialect(recovery.text(), false, recovery.insertions()).text;
}

std::string balanced(const std::string &text) {
  Recovery recovery(text, false, 72);
  recovery.balance();
  return whole(recovery);
}

std::string without(const std::string &text, int line, int column = 1) {
  Recovery recovery(text, false, 72);
  recovery.leaveOut({{line, column}});
  return whole(recovery);
}

TEST(Recovery, LeavesBalancedTextsAlone) {
  const std::string text = R"(module m
  interface
    subroutine external(x)
    end subroutine
  end interface
  type, extends(base) :: point
  contains
    procedure :: length
  end type point
  type(point) :: end, do
contains
  module procedure work
    if (x) y = 1
    if (x) then
      where (a > 0) a = 1
      where (a > 0)
        a = 2
      elsewhere
        a = 3
      end where
    else if (y) then
      do = 1
      end = do
    end if
    do 10 i = 1, 3
10  continue
    name: do while (x)
      select case (n)
      case (1)
      end select
      associate (z => y)
        block
        end block
      end associate
    end do name
  contains
    attributes(device) real(8) function f(a)
    end
  end procedure
end module
program p
end
x = 1
end program
)";
  EXPECT_EQ(balanced(text), text);
}

TEST(Recovery, ClosesBlocks) {
  EXPECT_EQ(balanced("subroutine s\ndo i = 1, 2\nend subroutine\n"),
            "subroutine s\ndo i = 1, 2;end do\nend subroutine\n");
  EXPECT_EQ(balanced("program p\nif (x) then ! why\n"),
            "program p\nif (x) then ;end if;end program! why\n");
  EXPECT_EQ(balanced("module m\nsubroutine a\nx = 1\nsubroutine b\nend subroutine\nend module\n"),
            "module m;contains\nsubroutine a\nx = 1;end subroutine\nsubroutine b\nend subroutine\n"
            "end module\n");
  EXPECT_EQ(balanced("module m\ntype t\ninteger :: i\ncontains\nsubroutine s\nend subroutine\n"
                     "end module\n"),
            "module m\ntype t\ninteger :: i\ncontains;end type;contains\nsubroutine s\n"
            "end subroutine\nend module\n");
}

TEST(Recovery, DropsStrayEnds) {
  EXPECT_EQ(balanced("program p\nend do\nend program\n"), "program p\n      \nend program\n");
  EXPECT_EQ(balanced("subroutine s\nend function\n"), "subroutine s\nend         \n");
  EXPECT_EQ(balanced("program p\ncontains\ncontains\nend\n"),
            "program p\ncontains\n        \nend\n");
}

TEST(Recovery, LeavesOutStatements) {
  EXPECT_EQ(without("program p\nx = (\ny = 1; z = 2\nend\n", 2, 5),
            "program p\n     \ny = 1; z = 2\nend\n");
  EXPECT_EQ(without("program p\ny = 1; z = 2\nend\n", 2, 9), "program p\ny = 1;      \nend\n");
  EXPECT_EQ(without("program p\ncall s(a, & ! one\n  b\nend\n", 2, 3),
            "program p\n                 \n   \nend\n");
  EXPECT_EQ(without("program p\n10 x = (\nend\n", 2, 8), "program p\n        \nend\n");
  EXPECT_EQ(without("program p\n!$cuf kernel do <<<\nx = 1\nend\n", 2, 4),
            "program p\n                   \nx = 1\nend\n");
}

TEST(Recovery, ReducesOpeningStatements) {
  EXPECT_EQ(without("subroutine s(a, b\nend subroutine\n", 1, 18),
            "subroutine s(a, b)\nend subroutine\n");
  EXPECT_EQ(without("attributes(global) subroutine s(a; b)\nend subroutine\n", 1, 33),
            "attributes(global) subroutine s(a); b)\nend subroutine\n");
  EXPECT_EQ(without("function f(a,) result(\nend function\n", 1, 14),
            "function f(a)         \nend function\n");
  EXPECT_EQ(without("program p\nif (a( > 2) then\nend if\nend\n", 2, 7),
            "program p\nif(.true.)then  \nend if\nend\n");
  EXPECT_EQ(without("program p\ndo i = 1,\nend do\nend\n", 2, 9),
            "program p\ndo       \nend do\nend\n");
  EXPECT_EQ(without("module m\ntype, bind(C :: t\nend type\nend\n", 2, 5),
            "module m\ntype            t\nend type\nend\n");
}

TEST(Recovery, RemembersWhatIsMissing) {
  Recovery recovery("subroutine s\ninteger : Count\nend\n", false, 72);
  recovery.leaveOut({{2, 9}});
  EXPECT_EQ(recovery.names(), (std::set<std::string>{"integer", "count"}));
  EXPECT_FALSE(recovery.lostUse());
  EXPECT_TRUE(recovery.touched(2));
  EXPECT_FALSE(recovery.touched(1));
  Recovery use("subroutine s\nuse m, only\nend\n", false, 72);
  use.leaveOut({{2, 12}});
  EXPECT_TRUE(use.lostUse());
}

TEST(Recovery, BlanksCarriageReturnsThatEndNoLine) {
  EXPECT_EQ(without("program p\r\n  c\rall f\r\nend\r\n", 2, 4),
            "program p\r\n         \r\nend\r\n");
}

TEST(Recovery, EndsWithNothing) {
  Recovery recovery("program p\nx = 1\nend\n", false, 72);
  for (int round = 0; round < 40; ++round)
    recovery.leaveOut({{2, 1}});
  EXPECT_EQ(recovery.text().find_first_not_of(" \n"), std::string::npos);
}

} // namespace
} // namespace cufc
