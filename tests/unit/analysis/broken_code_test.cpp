// Analyses of texts that do not parse: the rest of the file is known, what is wrong is said once,
// and what follows from it is not.
#include "analysed.h"
#include <gtest/gtest.h>

namespace cufc {
namespace {

using Texts = std::vector<std::string>;

const char *text = R"(module m
  use cudafor
  implicit none
  integer, parameter :: n = 10
contains
  attributes(global) subroutine scale(a, factor)
    real :: a(n)
    real, value :: factor
    integer :: i
    i = threadIdx%x
    if (i <= n) then
      a(i) = a(i) * factor
    end if
  end subroutine
  subroutine host(b)
    real, device :: b(n)
    integer :: k
    do k = 1, 3
      call scale<<<1, n>>>(b, 2.0)
    end do
  end subroutine
end module
)";

Analysis damaged(const std::string &what, const std::string &by) {
  std::string source = text;
  size_t at = source.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return analyse(source.replace(at, what.size(), by));
}

void expectAll(const Analysis &analysis,
               const Texts &names = {"m", "n", "scale", "a", "factor", "i", "host", "b", "k"}) {
  for (const std::string &name : names)
    EXPECT_NE(rowOf(analysis, name), -1) << name;
}

TEST(BrokenCode, AStatement) {
  Analysis analysis = damaged("a(i) = a(i) * factor", "a(i) = a(i) * ");
  EXPECT_FALSE(analysis.complete);
  ASSERT_EQ(errors(analysis).size(), 1u);
  EXPECT_EQ(errors(analysis)[0].substr(0, 3), "12:");
  expectAll(analysis);
  EXPECT_EQ(uses(analysis, "k"), (Texts{"17:16 declaration", "18:8 write"}));
}

TEST(BrokenCode, ADeclaration) {
  Analysis analysis = damaged("integer :: k", "integer : k");
  EXPECT_EQ(errors(analysis).size(), 1u); // not that k has no type
  expectAll(analysis, {"m", "n", "scale", "a", "factor", "i", "host", "b"});
}

TEST(BrokenCode, AnOpeningStatement) {
  Analysis analysis = damaged("scale(a, factor)", "scale(a, factor");
  EXPECT_EQ(errors(analysis).size(), 1u);
  expectAll(analysis);
  EXPECT_EQ(symbol(analysis, "scale").dummies.size(), 2u);
  EXPECT_EQ(symbol(analysis, "scale").procedureAttributes, procedure_attribute::Global);
  EXPECT_EQ(symbol(analysis, "factor").dummyOf, rowOf(analysis, "scale"));
}

TEST(BrokenCode, MissingEnds) {
  for (const char *missing :
       {"    end if\n", "    end do\n", "  end subroutine\n", "end module\n"}) {
    Analysis analysis = damaged(missing, "");
    EXPECT_FALSE(analysis.complete) << missing;
    EXPECT_EQ(errors(analysis).size(), 1u) << missing;
    expectAll(analysis);
  }
}

TEST(BrokenCode, MissingOpenings) {
  for (const char *missing : {"if (i <= n) then", "do k = 1, 3", "contains"}) {
    Analysis analysis = damaged(missing, "");
    EXPECT_GE(errors(analysis).size(), 1u) << missing;
    expectAll(analysis);
  }
}

TEST(BrokenCode, ALostUse) {
  Analysis analysis = damaged("use cudafor", "use cudafor, only");
  EXPECT_EQ(errors(analysis).size(), 1u); // not that threadIdx is unknown
  expectAll(analysis);
}

TEST(BrokenCode, UnbalancedBrackets) {
  for (const char *by : {"if (i <= n then", "if (i <= n)) then", "if ((i <= n) then"}) {
    Analysis analysis = damaged("if (i <= n) then", by);
    EXPECT_EQ(errors(analysis).size(), 1u) << by;
    expectAll(analysis);
  }
}

TEST(BrokenCode, ErrorsElsewhereAreStillTold) {
  std::string source = text;
  source.replace(source.find("a(i) = a(i) * factor"), 20, "a(i) = a(i) * ");
  source.replace(source.find("call scale"), 10, "call sale");
  Analysis analysis = analyse(source);
  ASSERT_EQ(errors(analysis).size(), 2u);
  EXPECT_EQ(errors(analysis)[1].substr(0, 3), "19:");
}

TEST(BrokenCode, LabelsThatAreMissing) {
  Analysis analysis = damaged("i = threadIdx%x", "goto 10");
  EXPECT_EQ(errors(analysis).size(), 1u);
  expectAll(analysis);
}

TEST(BrokenCode, TruncationAnywhere) {
  std::string source = text;
  for (size_t size = 0; size < source.size(); size += 7) {
    Analysis analysis = analyse(source.substr(0, size));
    if (size > source.find("contains"))
      EXPECT_NE(rowOf(analysis, "n"), -1) << size;
  }
}

TEST(BrokenCode, WhatIsNoText) {
  EXPECT_TRUE(errors(analyse("")).empty());
  EXPECT_TRUE(analyse("").complete);
  EXPECT_FALSE(errors(analyse(std::string("a\0b\n", 4))).empty());
  EXPECT_FALSE(errors(analyse("\x7f\x45LF\x01\xff\xfe(((\n)'\"&&&\n")).empty());
  Analysis analysis = analyse(std::string(text) + std::string("\0\0", 2));
  expectAll(analysis);
  EXPECT_FALSE(analyse("program p\nx = " + std::string(100000, '(') + "\nend\n").complete);
  analyse("program p\n! " + std::string(1000000, 'x') + "\nend\n");
}

} // namespace
} // namespace cufc
