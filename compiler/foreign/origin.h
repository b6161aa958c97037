// Which compiler wrote a module file, by how the file begins.
#ifndef CUFC_FOREIGN_ORIGIN_H
#define CUFC_FOREIGN_ORIGIN_H

#include <string>
#include <string_view>

namespace cufc::foreign {

struct Origin {
  enum Kind { Missing, Ours, Gfortran, Other } kind = Missing;
  int version = 0;      // of gfortran's format
  std::string compiler; // "nvfortran", for a message
};

// Reads no more of the file than it needs. `Ours`: written by flang, which parses it itself.
Origin originOfModuleFile(const std::string &path);

// The checksum of the text behind the first line of flang's module files.
std::string flangChecksum(std::string_view text);
// Whether a file that begins as flang's do is of the version that is read here, and whole.
bool hasSoundHeader(std::string_view file);
constexpr std::string_view flangHeader = "\xef\xbb\xbf!mod$ v1 sum:";

// The first line of gfortran's files; version 0 if it is no such line.
Origin originOfFirstLine(std::string_view line);

// The uncompressed text of one of gfortran's files. Empty if it cannot be read or is damaged.
std::string textOfGfortranFile(const std::string &path);

} // namespace cufc::foreign
#endif // CUFC_FOREIGN_ORIGIN_H
