// Statements, folds, hashes of interfaces, and the form that is sent between processes.
#include "analysed.h"
#include "analysis/serialise.h"
#include <algorithm>
#include <gtest/gtest.h>

namespace cufc {
namespace {

const char *text = R"(module m
  use iso_c_binding
  implicit none
  private
  public :: work
  type :: hidden
    integer :: field
  end type
  type(hidden) :: state
contains
  ! Does the work.
  ! All of it.
  subroutine work(x)
    real, intent(inout) :: x(:)
    if (size(x) > 3) then
      x = 0
    else
      x = 1
    end if
  end subroutine
  subroutine helper
  end subroutine
end module
)";

std::string replaced(std::string original, const std::string &what, const std::string &by) {
  size_t at = original.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return original.replace(at, what.size(), by);
}

std::uint64_t hash(const std::string &source) {
  Analysis analysis = analyse(source);
  return analysis.interfaces.empty() ? 0 : analysis.interfaces[0].hash;
}

TEST(Interfaces, StayTheSameWithTheirBodies) {
  std::uint64_t before = hash(text);
  ASSERT_NE(before, 0u);
  EXPECT_EQ(hash(text), before);
  EXPECT_EQ(hash(replaced(text, "x = 0", "x = 7; x(1) = 2")), before);
  EXPECT_EQ(hash(replaced(text, "All of it", "Some of it")), before);
  EXPECT_EQ(hash(replaced(text, "  implicit none\n", "\n\n  implicit none\n")), before);
  EXPECT_EQ(hash(replaced(text, "x = 0", "x = unknown")), before); // an error in a body
  EXPECT_EQ(hash(replaced(text, "x = 0", "x = = 0")), before);     // even of syntax
}

TEST(Interfaces, ChangeWithWhatUsersSee) {
  std::uint64_t before = hash(text);
  EXPECT_NE(hash(replaced(text, "x(:)", "x(:, :)")), before);
  EXPECT_NE(hash(replaced(text, "real, intent", "real(8), intent")), before);
  EXPECT_NE(hash(replaced(text, "public :: work", "public :: work, helper")), before);
  EXPECT_NE(hash(replaced(text, "integer :: field", "integer :: field, more")), before);
  EXPECT_NE(hash(replaced(text, "subroutine work", "attributes(device) subroutine work")), before);
  std::uint64_t broken = hash(replaced(text, "real, intent", "type(missing), intent"));
  EXPECT_NE(broken, before);
  EXPECT_EQ(broken % 2, 1u); // what has errors is left out of it
}

bool hasFold(const Analysis &analysis, int line, int endLine) {
  return std::any_of(analysis.folds.begin(), analysis.folds.end(), [&](const FoldingRange &fold) {
    return fold.line == line && fold.endLine == endLine;
  });
}

TEST(Structure, Folds) {
  Analysis analysis = analyse(text);
  EXPECT_TRUE(hasFold(analysis, 1, 23));  // the module
  EXPECT_TRUE(hasFold(analysis, 6, 8));   // the type
  EXPECT_TRUE(hasFold(analysis, 11, 12)); // the comment
  EXPECT_TRUE(hasFold(analysis, 13, 20));
  EXPECT_TRUE(hasFold(analysis, 15, 16)); // branches of IF
  EXPECT_TRUE(hasFold(analysis, 17, 18));
}

TEST(Structure, StatementsNest) {
  Analysis analysis = analyse(text);
  Place statement{0, 16, 7, 16, 12};
  std::vector<Place> around;
  for (const Place &place : analysis.statements)
    if (place.line <= 16 && place.endLine >= 16)
      around.push_back(place);
  ASSERT_EQ(around.size(), 4u); // module, subroutine, IF construct, assignment
  EXPECT_EQ(around[0].line, 1);
  EXPECT_EQ(around[1].line, 13);
  EXPECT_EQ(around[2].line, 15);
  EXPECT_EQ(around[3], statement);
}

TEST(Serialise, GivesTheSameValueBack) {
  Analysis analysis = analyse(replaced(text, "x = 0", "x = unknown"));
  ASSERT_FALSE(analysis.diagnostics.empty());
  analysis.diagnostics[0].fixes.push_back({"mend it", {{analysis.diagnostics[0].range, "text"}}});
  std::string bytes = toBytes(analysis);
  std::optional<Analysis> back = fromBytes(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(toBytes(*back), bytes);
  EXPECT_EQ(back->symbols.size(), analysis.symbols.size());
  EXPECT_EQ(symbol(*back, "work").definition, symbol(analysis, "work").definition);
  EXPECT_EQ(uses(*back, "x"), uses(analysis, "x"));
  EXPECT_EQ(back->diagnostics[0].fixes[0].edits[0].text, "text");
}

TEST(Serialise, RefusesDamagedBytes) {
  std::string bytes = toBytes(analyse(text));
  for (size_t size = 0; size < bytes.size(); ++size)
    ASSERT_FALSE(fromBytes(bytes.substr(0, size))) << size;
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
    ASSERT_FALSE(fromBytes(damaged)) << i;
  }
  EXPECT_FALSE(fromBytes(bytes + "x"));
}

} // namespace
} // namespace cufc
