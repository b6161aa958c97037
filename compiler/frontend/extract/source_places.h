// Places of flang's text in the user's files. Private to frontend/.
//
// flang reads a prepared text: comments are gone, lines joined, macros expanded. Each token's way
// back leads through flang's provenance map, and through the edits that this project made in the
// source (source/dialect_rewrite.h).
#ifndef CUFC_FRONTEND_SOURCE_PLACES_H
#define CUFC_FRONTEND_SOURCE_PLACES_H

#include "analysis/analysis.h"
#include "frontend/flang_program.h"
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace cufc {

class SourcePlaces {
public:
  // `files` gets the names of the files that places refer to; the source itself is the first.
  SourcePlaces(const FlangProgram &program, const std::string &path,
               std::vector<std::string> &files);

  // From the first byte of one text to the last of another; nowhere if that is not the text of this
  // source, but of a module file.
  Place of(Fortran::parser::CharBlock first, Fortran::parser::CharBlock last) const;
  Place of(Fortran::parser::CharBlock text) const { return of(text, text); }

  // The place of a name, which may be that of a macro's argument; nowhere if its letters do not
  // stand there, since a macro or an edit of ours wrote them, or since it is spread over lines.
  Place ofName(Fortran::parser::CharBlock name) const;

  bool isOurs(Fortran::parser::CharBlock text) const;

  // What stands at a place on one line of the source.
  std::string_view text(const Place &place) const;
  // What stands at a place, with blanks and line ends as one blank.
  std::string joinedText(const Place &place) const;
  std::string_view line(int number) const; // without its end; empty if there is none

private:
  Place inMacroCall(Fortran::parser::Provenance name, Fortran::parser::CharBlock text) const;
  struct Point {
    int file = -1, line = 0, column = 0;
  };
  Point point(Fortran::parser::Provenance provenance) const;
  int fileIndex(const std::string &path) const;

  const FlangProgram &program;
  Fortran::parser::CharBlock cooked;
  std::vector<size_t> lines; // where each begins in the source
  std::unordered_set<int> editedLines;
  std::vector<std::string> &files;
  mutable std::unordered_map<const std::string *, int> fileIndices;
};

} // namespace cufc
#endif // CUFC_FRONTEND_SOURCE_PLACES_H
