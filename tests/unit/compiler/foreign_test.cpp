// gfortran's module files: atoms, literals, the model, and the text for flang. Damaged texts must
// give nothing or something, and never a crash.
#include "foreign/expression_text.h"
#include "foreign/foreign_modules.h"
#include "foreign/layout.h"
#include "foreign/literals.h"
#include "foreign/module_text.h"
#include "foreign/origin.h"
#include <gtest/gtest.h>

namespace cufc::foreign {
namespace {

constexpr const char *small = R"(GFORTRAN module version '15' created from small.f90
(() () () () () () () () () () () () () () () () () () () () () () () ()
() () () ())

()

(('put' 'small' 2))

()

()

()

(2 'put_one' 'small' '' 1 ((PROCEDURE UNKNOWN-INTENT MODULE-PROC DECL
UNKNOWN 0 0 SUBROUTINE ALWAYS_EXPLICIT) () (UNKNOWN 0 0 0 0 UNKNOWN ()) 3
0 (4 5) () 0 () () () 0 0)
6 'Point' 'small' '' 1 ((DERIVED UNKNOWN-INTENT UNKNOWN-PROC UNKNOWN
UNKNOWN 0 0 ALLOC_COMP) ((7 'x' (REAL 4 0 0 0 REAL ()) () () () (
UNKNOWN-FL UNKNOWN-INTENT UNKNOWN-PROC UNKNOWN UNKNOWN 0 0)
UNKNOWN-ACCESS (CONSTANT (REAL 4 0 0 0 REAL ()) 0 '0.1800000@1' ())) (8
'list' (INTEGER 4 0 0 0 INTEGER ()) (1 0 DEFERRED () ()) () () (
UNKNOWN-FL UNKNOWN-INTENT UNKNOWN-PROC UNKNOWN UNKNOWN 0 0 ALLOCATABLE
DIMENSION) UNKNOWN-ACCESS ())) PUBLIC (UNKNOWN 0 0 0 0 UNKNOWN ()) 0 0 ()
() 0 () () () 0 0 1)
9 'n' 'small' '' 1 ((PARAMETER UNKNOWN-INTENT UNKNOWN-PROC UNKNOWN
IMPLICIT-SAVE 0 0) () (INTEGER 4 0 0 0 INTEGER ()) 0 0 () (CONSTANT (
INTEGER 4 0 0 0 INTEGER ()) 0 '-3' ()) () 0 () () () 0 0)
4 'a' '' '' 3 ((VARIABLE IN UNKNOWN-PROC UNKNOWN UNKNOWN 0 0 DIMENSION
DUMMY) () (REAL 8 0 0 0 REAL ()) 0 0 () (1 0 ASSUMED_SHAPE (CONSTANT (
INTEGER 4 0 0 0 INTEGER ()) 0 '1' ()) ()) 0 () () () 0 0)
5 's' '' '' 3 ((VARIABLE OUT UNKNOWN-PROC UNKNOWN UNKNOWN 0 0 ALLOCATABLE
DUMMY) () (CHARACTER 1 0 0 0 CHARACTER (()) DEFERRED_CL) 0 0 () () 0 () ()
() 0 0)
)

('Point' 0 6 'n' 0 9 'put' 0 10 'put_one' 0 2)
)";

const FindModule nowhere = [](const std::string &) { return nullptr; };

TEST(Foreign, originByFirstLine) {
  EXPECT_EQ(originOfFirstLine("GFORTRAN module version '15' created from a.f90").version, 15);
  EXPECT_EQ(originOfFirstLine("\xef\xbb\xbf!mod$ v1 sum:0").kind, Origin::Ours);
  EXPECT_EQ(originOfFirstLine("V34 :0x24 a").compiler, "nvfortran");
  EXPECT_EQ(originOfFirstLine("LFortran Modfile").compiler, "LFortran");
  EXPECT_EQ(originOfModuleFile("/nonexistent/a.mod").kind, Origin::Missing);
}

TEST(Foreign, literals) {
  EXPECT_EQ(integerLiteral("12", 8), "12_8");
  EXPECT_EQ(integerLiteral("-2147483648", 4), "(-2147483647_4-1_4)");
  EXPECT_EQ(integerLiteral("x", 4), std::nullopt);
  EXPECT_EQ(realLiteral("0.8@1", 4), "8.0_4");
  EXPECT_EQ(realLiteral("-0.1@1", 8), "(-1.0_8)");
  EXPECT_EQ(realLiteral("@Inf@", 4), "real(z\"7f800000\",kind=4)");
  EXPECT_EQ(realLiteral("0.1@1", 16), std::nullopt);
  EXPECT_EQ(characterLiteral("a\"b", 1), "\"a\"\"b\"");
  EXPECT_EQ(characterLiteral("\\U0000000a", 1), "\"\"//achar(10)//\"\"");
  EXPECT_EQ(characterLiteral("a", 4), std::nullopt);
}

TEST(Foreign, textForFlang) {
  std::unique_ptr<Module> module = readModuleText("small", small);
  ASSERT_TRUE(module);
  Calls calls;
  Restrictions restrictions;
  std::string text = moduleText(*module, nowhere, calls, restrictions);
  for (const char *part :
       {"module small\n", "integer(4),parameter::n=(-3_4)\n", "real(4)::x=1.5_4\n",
        "integer(8)::list(1_8:8_8)=0_8\n", "interface put\nprocedure::put_one\n",
        "subroutine put_one(a,s)\n", "real(8),intent(in)::a(1_4:)\n",
        "character(len=:),intent(out),allocatable::s\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_EQ(restrictions.names.count("small::point%list"), 1U);
  EXPECT_EQ(restrictions.assignments.count("small::point"), 1U);
  const Call &call = calls.procedures.at("_QMsmallPput_one");
  EXPECT_EQ(call.target, "__small_MOD_put_one");
  ASSERT_EQ(call.dummies.size(), 2U);
  EXPECT_EQ(call.dummies[0].passing, Passing::Descriptor);
  EXPECT_TRUE(call.dummies[1].deferredLength && call.dummies[1].intentOut);
}

TEST(Foreign, layoutOfTypes) {
  std::unique_ptr<Module> module = readModuleText("small", small);
  ASSERT_TRUE(module);
  std::optional<Extent> extent = Layout(*module).ofType(6);
  ASSERT_TRUE(extent);
  EXPECT_EQ(extent->bytes, 8 + descriptorBytes(1));
  EXPECT_TRUE(Layout(*module).ownsMemory(6));
}

// An old module: procedures with descriptors cannot be called.
TEST(Foreign, versionWithOtherDescriptors) {
  std::string text = small;
  text.replace(text.find("'15'"), 4, "'14'");
  std::unique_ptr<Module> module = readModuleText("small", text);
  ASSERT_TRUE(module);
  Calls calls;
  Restrictions restrictions;
  moduleText(*module, nowhere, calls, restrictions);
  EXPECT_NE(calls.procedures.at("_QMsmallPput_one").refused.find("'a'"), std::string::npos);
}

void readAnything(const std::string &text) {
  std::unique_ptr<Module> module = readModuleText("small", text);
  if (!module)
    return;
  Calls calls;
  Restrictions restrictions;
  moduleText(*module, nowhere, calls, restrictions);
}

TEST(Foreign, damagedTexts) {
  std::string text = small;
  for (size_t size = 0; size < text.size(); ++size)
    readAnything(text.substr(0, size));
  for (size_t at = text.find('\n'); at < text.size(); ++at)
    for (const char *other : {"(", ")", "'", "0", "9", "-1 ", "() ", "ARRAY ", "(6 "}) {
      readAnything(std::string(text).replace(at, 1, other));
      readAnything(std::string(text).insert(at, other));
    }
  readAnything("GFORTRAN module version '15' created from a\n" + std::string(1 << 20, '('));
}

} // namespace
} // namespace cufc::foreign
