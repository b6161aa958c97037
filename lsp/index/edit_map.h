// Where places of an older text are in the text after some edits, and the reverse: so an analysis
// serves until the next one is there.
#ifndef CUFLS_INDEX_EDIT_MAP_H
#define CUFLS_INDEX_EDIT_MAP_H

#include "index/document.h"
#include <optional>

namespace cufc {

class EditMap {
public:
  bool empty() const { return edits.empty(); }
  void clear() { edits.clear(); }
  // The next edit, in places of the text after those before it.
  void add(const TextChange &change);

  // Nothing if an edit has changed what stood there. A range may have grown or shrunk inside.
  std::optional<TextRange> now(const TextRange &before) const;
  // The parts of the older text that no edit has touched, in order: `now` is where one begins in
  // the text now. For walks over many places at once.
  struct Piece {
    TextRange before;
    TextPosition now;
    TextPosition moved(TextPosition position) const; // of `before`
  };
  std::vector<Piece> pieces() const;

  // The nearest place of the older text.
  TextPosition before(TextPosition now) const;

private:
  struct Edit {
    TextRange removed;
    TextPosition insertedEnd;
  };
  std::vector<Edit> edits;
};

} // namespace cufc
#endif // CUFLS_INDEX_EDIT_MAP_H
