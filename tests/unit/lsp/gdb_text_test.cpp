// What gdb says, on its machine interface and of Fortran's types and values.
#include "debug/gdb_text.h"
#include "debug/mi_value.h"
#include <gtest/gtest.h>

namespace cufc::debug {
namespace {

TEST(MiLine, GivesRecordsWithTheirValues) {
  auto stop = parseMiLine(R"(*stopped,reason="breakpoint-hit",bkptno="1",frame={func="m::k",)"
                          R"(args=[{name="x",value="'a\\'b'"}],line="12"},thread-id="2")");
  ASSERT_TRUE(stop);
  EXPECT_EQ(stop->type, '*');
  EXPECT_EQ(stop->name, "stopped");
  EXPECT_EQ(stop->results["reason"].text, "breakpoint-hit");
  EXPECT_EQ(stop->results["frame"].number("line"), 12);
  EXPECT_EQ(stop->results["frame"]["args"].items[0].value["value"].text, "'a\\'b'");
  EXPECT_EQ(stop->results.number("thread-id"), 2);
  EXPECT_FALSE(stop->results.has("nothing"));
  EXPECT_EQ(stop->results["nothing"]["at all"].text, "");
}

TEST(MiLine, TakesAnswersTextsAndNothingElse) {
  auto answer = parseMiLine(R"(17^done,stack=[frame={level="0"},frame={level="1"}])");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->token, 17);
  EXPECT_EQ(answer->results["stack"].items.size(), 2u);
  auto text = parseMiLine(R"(~"a\tb \"c\" \303\244\n")");
  ASSERT_TRUE(text);
  EXPECT_EQ(text->text, "a\tb \"c\" \xc3\xa4\n");
  for (const char *line : {"(gdb) ", "", " x = 3", "~", "12"})
    EXPECT_FALSE(parseMiLine(line)) << line;
  for (const char *line : {"^done,a={b=", "*stopped,a=[", "=x,\"", "^error,msg=\"abc\\"})
    EXPECT_TRUE(parseMiLine(line)) << line; // cut off, and read as far as it goes
}

TEST(MiLine, QuotesArguments) {
  EXPECT_EQ(miQuoted("a \"b\" \\c"), R"("a \"b\" \\c")");
  EXPECT_EQ(addressOf("0x1F"), 31u);
  EXPECT_EQ(addressOf("31"), 31u);
  EXPECT_EQ(addressOf("x"), 0u);
}

TEST(GdbType, KnowsBoundsAndKinds) {
  TypeText array = parseType("real(kind=8), allocatable (2,-1:1)");
  EXPECT_EQ(array.element, "real(kind=8)");
  EXPECT_TRUE(array.isArray);
  ASSERT_EQ(array.dimensions.size(), 2u);
  EXPECT_EQ(array.dimensions[0].lower, 1);
  EXPECT_EQ(array.dimensions[1].lower, -1);
  EXPECT_EQ(array.dimensions[1].extent(), 3);
  TypeText unknown = parseType("real (*)");
  EXPECT_TRUE(unknown.isArray);
  EXPECT_TRUE(unknown.dimensions.empty());
  EXPECT_EQ(parseType("integer (0:-1)").dimensions[0].extent(), 0);
  EXPECT_TRUE(parseType("Type point (2)").isDerived);
  EXPECT_EQ(parseType("PTR TO -> ( Type point )").target, "Type point");
  EXPECT_FALSE(parseType("complex(kind=8)").isArray);
  EXPECT_EQ(characterLength("character*12"), 12);
  EXPECT_EQ(characterLength("integer"), 0);
}

TEST(GdbValue, ComesApart) {
  using Parts = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(partsOf("( id = 4, at = (1, 2, 3), tag = 'a, (b', z = (1,-2) )"),
            (Parts{{"id", "4"}, {"at", "(1, 2, 3)"}, {"tag", "'a, (b'"}, {"z", "(1,-2)"}}));
  EXPECT_EQ(partsOf("((1, 2) (3, 4))"), (Parts{{"", "(1, 2)"}, {"", "(3, 4)"}}));
  EXPECT_EQ(partsOf("(( id = 1 ), ( id = 2 ))"), (Parts{{"", "( id = 1 )"}, {"", "( id = 2 )"}}));
  EXPECT_EQ(partsOf(R"(('it\'s = ', '\\'))"), (Parts{{"", R"('it\'s = ')"}, {"", R"('\\')"}}));
  EXPECT_EQ(partsOf("()"), Parts{});
  EXPECT_EQ(partsOf("12"), Parts{});
  EXPECT_EQ(partsOf("('"), Parts{}); // cut off
}

TEST(GdbValue, IsShownAsFortranWritesIt) {
  EXPECT_EQ(shownValue(R"(( tag = 'it\'s ( ', on = .TRUE. ))"), "(tag = 'it''s ( ', on = .TRUE.)");
  EXPECT_EQ(shownValue(R"('a\\b\000')"), R"('a\b\000')");
  EXPECT_EQ(shownValue("((97 'a', 98 'b') (32 ' ', 100 'd'))"), "(('a', 'b') (' ', 'd'))");
  EXPECT_EQ(shownValue("( n = 5, c = 'x' )"), "(n = 5, c = 'x')");
  EXPECT_EQ(shownValue("'"), "'");
}

} // namespace
} // namespace cufc::debug
