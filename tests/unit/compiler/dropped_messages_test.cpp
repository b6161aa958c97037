// Filters of messages leave a record of what they drop and of what they change.
#include "base/dropped_messages.h"
#include <gtest/gtest.h>

namespace cufc {
namespace {

Diagnostic at(int line, const std::string &text) {
  return {Severity::Error, "", text, {"a.cuf", line, 1, line, 2}, {}};
}

TEST(DroppedMessages, filtersAreNamed) {
  std::vector<Diagnostic> list{at(1, "a"), at(2, "b"), at(3, "c")};
  DroppedMessages dropped;
  applyFilters({{MessageFilter::SamePlace, [](auto &all) { all.erase(all.begin()); }},
                {MessageFilter::OwnEdit, [](auto &all) { all.back().message = "d"; }}},
               list, dropped);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list.back().message, "d");
  EXPECT_EQ(textOf(dropped), "cufc: repeated dropped a.cuf:1:1: error: a\n"
                             "cufc: about-an-edit dropped a.cuf:3:1: error: c\n");
}

TEST(DroppedMessages, nothingIsSaidTwice) {
  DroppedMessages dropped{{"x", at(1, "a")}, {"x", at(1, "a")}};
  EXPECT_EQ(textOf(dropped), "cufc: x dropped a.cuf:1:1: error: a\n");
}

} // namespace
} // namespace cufc
