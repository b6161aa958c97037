// Comments of a source text: what documents a declaration, and blocks of them.
#ifndef CUFC_SOURCE_COMMENTS_H
#define CUFC_SOURCE_COMMENTS_H

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cufc {

class Comments {
public:
  Comments(std::string_view text, bool fixedForm);

  // Of a statement that begins in a line: the lines of comment directly above it, without marks.
  std::string above(int line) const;

  // Of a statement that ends at a column (1-based, exclusive): the comment behind it on its line,
  // and what continues it in lines that hold nothing else and begin in the same column or later.
  std::string behind(int line, int column) const;

  // First and last line of each block of two lines of comment or more.
  std::vector<std::pair<int, int>> blocks() const;

private:
  struct Line {
    std::string_view text;
    bool comment = false; // and nothing else; directives are none
  };
  const Line *line(int number) const;

  std::vector<Line> lines;
};

// Whether a line of free form, or the columns of one of fixed form, has a comment behind its code.
bool hasComment(std::string_view line);

} // namespace cufc
#endif // CUFC_SOURCE_COMMENTS_H
