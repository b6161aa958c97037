// The text of a gfortran module file as atoms: parentheses, names, numbers and strings.
//
// gfortran writes a module as one line that names the file's version and then nested lists, all of
// it compressed (gcc/fortran/module.cc, "mio_"). Lists know their ends, so that a part that is not
// wanted is passed over at once. Nothing here recurses or trusts the text.
#ifndef CUFC_FOREIGN_ATOMS_H
#define CUFC_FOREIGN_ATOMS_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cufc::foreign {

struct Atom {
  enum Kind : std::uint8_t { Open, Close, Name, Integer, String } kind;
  std::uint32_t begin; // in the text; of a string, behind its quote
  std::uint32_t size;  // of an opening parenthesis: the number of the atom that closes it
};

class Atoms {
public:
  // False if parentheses or quotes do not match, or lists are nested deeper than any compiler
  // writes.
  bool parse(std::string text);
  std::string_view text(const Atom &atom) const {
    return std::string_view(source).substr(atom.begin, atom.size);
  }
  const std::vector<Atom> &list() const { return atoms; }

private:
  bool add(size_t &at, std::vector<std::uint32_t> &open);
  bool addString(size_t &at);
  std::string source;
  std::vector<Atom> atoms;
};

// Reads a list from its first element to its last. What is not there or of another kind gives an
// empty value and sets `damaged`, which all readers of a file share.
class ListReader {
public:
  ListReader(const Atoms &atoms, bool &damaged)
      : atoms(&atoms), damaged(&damaged), at(0), end(atoms.list().size()) {}

  bool atEnd() const { return at >= end; }
  bool isList() const { return isKind(Atom::Open); }
  bool isName() const { return isKind(Atom::Name); }
  bool isInteger() const { return isKind(Atom::Integer); }
  ListReader list(); // of the next element, which is then behind
  std::string_view name();
  long long integer();
  std::string string(); // two quotes are one; escapes as they stand
  void skip();
  bool failed() const { return *damaged; }
  void fail() { *damaged = true; }

  // The next element, to be read later by a reader that `from` makes.
  std::uint32_t place() const { return at; }
  ListReader from(std::uint32_t place) const;

private:
  bool isKind(Atom::Kind kind) const { return at < end && atoms->list()[at].kind == kind; }
  const Atom *take(Atom::Kind kind);

  const Atoms *atoms;
  bool *damaged;
  std::uint32_t at, end;
};

} // namespace cufc::foreign
#endif // CUFC_FOREIGN_ATOMS_H
