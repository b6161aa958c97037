// Places of an analysis in a text that was edited since.
#include "index/edit_map.h"
#include <gtest/gtest.h>

namespace cufc {
namespace {

const TextRange word{{3, 5}, {3, 9}};

TEST(EditMap, MovesWhatStandsBehindAnEdit) {
  EditMap edits;
  edits.add({{{1, 1}, {1, 1}}, "! a\n! b\n"});
  EXPECT_EQ(edits.now(word), (TextRange{{5, 5}, {5, 9}}));
  EXPECT_EQ(edits.before({5, 6}), (TextPosition{3, 6}));
  edits.add({{{5, 1}, {5, 3}}, ""});
  EXPECT_EQ(edits.now(word), (TextRange{{5, 3}, {5, 7}}));
  EXPECT_EQ(edits.before({5, 4}), (TextPosition{3, 6}));
}

TEST(EditMap, KeepsWhatStandsBefore) {
  EditMap edits;
  edits.add({{{3, 9}, {3, 9}}, "x"}); // right behind
  edits.add({{{4, 1}, {9, 1}}, ""});
  EXPECT_EQ(edits.now(word), word);
}

TEST(EditMap, GrowsWithAnEditInside) {
  EditMap edits;
  edits.add({{{3, 6}, {3, 7}}, "abc"});
  EXPECT_EQ(edits.now(word), (TextRange{{3, 5}, {3, 11}}));
  EXPECT_EQ(edits.before({3, 11}), (TextPosition{3, 9}));
}

TEST(EditMap, LosesWhatAnEditCutsInto) {
  EditMap edits;
  edits.add({{{3, 7}, {3, 12}}, ""});
  EXPECT_EQ(edits.now(word), std::nullopt);
}

TEST(EditMap, TypingIsOneEdit) {
  EditMap edits;
  for (int i = 0; i < 10; ++i)
    edits.add({{{2, 1 + i}, {2, 1 + i}}, "x"});
  EXPECT_EQ(edits.now({{2, 4}, {2, 6}}), (TextRange{{2, 14}, {2, 16}}));
  EXPECT_EQ(edits.before({2, 5}), (TextPosition{2, 1}));
}

// What no edit has touched is led to the same place by both ways.
TEST(EditMap, PiecesSayTheSame) {
  EditMap edits;
  edits.add({{{3, 6}, {3, 6}}, "a\nb"});
  edits.add({{{2, 1}, {2, 4}}, ""});
  edits.add({{{5, 1}, {7, 2}}, "x"});
  edits.add({{{1, 1}, {1, 1}}, "\n\n"});
  std::vector<EditMap::Piece> pieces = edits.pieces();
  int inPieces = 0;
  for (int line = 1; line < 12; ++line)
    for (int column = 1; column < 12; ++column) {
      TextRange range{{line, column}, {line, column + 1}};
      for (const EditMap::Piece &piece : pieces)
        if (piece.before.begin <= range.begin && range.end <= piece.before.end) {
          ++inPieces;
          EXPECT_EQ(edits.now(range), (TextRange{piece.moved(range.begin), piece.moved(range.end)}))
              << line << ":" << column;
        }
    }
  EXPECT_GT(inPieces, 80);
}

} // namespace
} // namespace cufc
