// Where program units and procedures begin and end, by their statements alone.
#include "source/program_units.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cufc {
namespace {

// "name first-last" of each unit, with its parent's name in front.
std::vector<std::string> unitsOf(const std::string &text, bool fixedForm = false) {
  std::vector<std::string> result;
  std::vector<ProgramUnit> units = programUnits(text, fixedForm, 72);
  for (const ProgramUnit &unit : units)
    result.push_back(fmt::format(
        "{}{} {}-{}", unit.parent < 0 ? "" : units[static_cast<size_t>(unit.parent)].name + ":",
        unit.name, unit.firstLine, unit.lastLine));
  return result;
}

using Units = std::vector<std::string>;

TEST(ProgramUnits, ModuleWithProcedures) {
  EXPECT_EQ(unitsOf("module m\n"
                    "  implicit none\n"
                    "  type t\n"
                    "   contains\n"
                    "    procedure :: p\n"
                    "  end type\n"
                    "  interface\n"
                    "    subroutine other(x)\n"
                    "    end subroutine\n"
                    "  end interface\n"
                    "contains\n"
                    "  attributes(global) subroutine k(a)\n"
                    "    real :: a(*)\n"
                    "    if (a(1) > 0) then\n"
                    "      a(1) = 0\n"
                    "    end if\n"
                    "  end subroutine\n"
                    "  real(8) function p(self) result(r)\n"
                    "    type(t) :: self\n"
                    "    r = inner()\n"
                    "  contains\n"
                    "    real function inner()\n"
                    "      inner = 1\n"
                    "    end\n"
                    "  end function p\n"
                    "end module m\n"
                    "program q\n"
                    "  use m\n"
                    "end\n"),
            (Units{"m 1-26", "m:k 12-17", "m:p 18-25", "q 27-29"}));
}

TEST(ProgramUnits, FindsImplicitNoneOfTheModuleAlone) {
  std::vector<ProgramUnit> units = programUnits("module a\nimplicit none\ncontains\n"
                                                "subroutine s\nend subroutine\nend module\n"
                                                "module b\ncontains\nsubroutine s\n"
                                                "implicit none\nend subroutine\nend module\n",
                                                false, 72);
  ASSERT_EQ(units.size(), 4u);
  EXPECT_TRUE(units[0].implicitNone);
  EXPECT_FALSE(units[2].implicitNone);
  EXPECT_EQ(units[0].contains, 3);
}

TEST(ProgramUnits, TypesInInterfaces) {
  EXPECT_EQ(unitsOf("module m\n"
                    "  interface\n"
                    "    subroutine other(x)\n"
                    "      type t\n"
                    "        integer :: i\n"
                    "      end type\n"
                    "      type(t) :: x\n"
                    "    end subroutine\n"
                    "  end interface\n"
                    "  type u\n"
                    "  contains\n"
                    "    procedure :: p\n"
                    "  end type\n"
                    "contains\n"
                    "  subroutine s\n"
                    "  end subroutine\n"
                    "end module\n"),
            (Units{"m 1-17", "m:s 15-16"}));
}

TEST(ProgramUnits, FixedForm) {
  EXPECT_EQ(unitsOf("      SUBROUTINE S(A)\n      REAL A(10)\n      END\n"
                    "C     a comment\n      PROGRAM P\n      CALL S(A)\n      END\n",
                    true),
            (Units{"s 1-3", "p 5-7"}));
}

TEST(ProgramUnits, MainProgramWithoutStatement) {
  EXPECT_EQ(unitsOf("print *, 1\nend\n"), (Units{" 1-2"}));
}

TEST(ProgramUnits, NothingIfTheTextCannotBeTrusted) {
  EXPECT_EQ(unitsOf("module m\ncontains\nsubroutine s\nend module\n"), Units{}) << "does not nest";
  EXPECT_EQ(unitsOf("subroutine s\nend function\n"), Units{}) << "another unit's end";
  EXPECT_EQ(unitsOf("subroutine s; x = 1\nend subroutine\n"), Units{}) << "shares its line";
  EXPECT_EQ(unitsOf("#ifdef A\nsubroutine s\n#endif\nend subroutine\n"), Units{}) << "conditions";
  EXPECT_EQ(unitsOf("end\n"), Units{});
  EXPECT_EQ(unitsOf(""), Units{});
}

TEST(ProgramUnits, NamesThatLookLikeStatements) {
  EXPECT_EQ(unitsOf("program p\n"
                    "  integer :: end, function, module, type\n"
                    "  end = 1\n"
                    "  function = 2\n"
                    "  type = 3\n"
                    "  module = end + function\n"
                    "end program\n"),
            (Units{"p 1-7"}));
}

} // namespace
} // namespace cufc
