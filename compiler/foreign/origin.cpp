// gfortran compresses its files with gzip since version 4.9. nvfortran, like flang's predecessor
// and PGI's compilers, begins with "V34" or another number; the others are known by a word.
#include "foreign/origin.h"
#include <array>
#include <charconv>
#include <cstdint>
#include <fmt/format.h>
#include <zlib.h>

namespace cufc::foreign {
namespace {

constexpr std::string_view gfortranMark = "GFORTRAN module version '";
constexpr size_t mostText = size_t{1} << 30; // what a damaged file may unpack to

class GzipFile {
public:
  explicit GzipFile(const std::string &path) : file(gzopen(path.c_str(), "rb")) {}
  ~GzipFile() {
    if (file)
      gzclose(file);
  }
  GzipFile(const GzipFile &) = delete;
  GzipFile &operator=(const GzipFile &) = delete;
  explicit operator bool() const { return file != nullptr; }
  // The number of bytes, which is less than asked for at the end; negative for damage.
  int read(char *to, unsigned size) { return gzread(file, to, size); }
  bool compressed() { return gzdirect(file) == 0; }

private:
  gzFile file;
};

struct Mark {
  std::string_view begin;
  const char *compiler;
};

constexpr std::array marks = {
    Mark{"G95 module", "g95"},
    Mark{"LFortran", "LFortran"},
    Mark{"\x7f"
         "ELF",
         "Cray's compiler"},
    Mark{"!<arch>", "an archiver"},
};

bool isBinary(std::string_view text) {
  for (unsigned char c : text)
    if (c < 9 || (c > 13 && c < 32))
      return true;
  return false;
}

} // namespace

// FNV-1a of 64 bits, as flang computes it (ComputeCheckSum in its mod-file.cpp).
std::string flangChecksum(std::string_view text) {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (unsigned char c : text)
    sum = (sum ^ c) * 0x100000001b3;
  return fmt::format("{:016x}", sum);
}

bool hasSoundHeader(std::string_view file) {
  constexpr size_t digits = 16, size = flangHeader.size() + digits + 1;
  return file.starts_with(flangHeader) && file.size() > size && file[size - 1] == '\n' &&
         file.substr(flangHeader.size(), digits) == flangChecksum(file.substr(size));
}

Origin originOfFirstLine(std::string_view line) {
  constexpr std::string_view ours = "\xef\xbb\xbf!mod$";
  if (line.starts_with(ours) || line.starts_with("!mod$"))
    return {Origin::Ours, 0, ""};
  Origin origin{Origin::Other, 0, ""};
  if (line.starts_with(gfortranMark)) {
    std::string_view rest = line.substr(gfortranMark.size());
    std::from_chars(rest.data(), rest.data() + rest.size(), origin.version);
    origin.kind = Origin::Gfortran;
    origin.compiler = "gfortran";
    return origin;
  }
  for (const Mark &mark : marks)
    if (line.starts_with(mark.begin))
      origin.compiler = mark.compiler;
  if (line.size() > 3 && line[0] == 'V' && line[1] >= '0' && line[1] <= '9' &&
      line.substr(0, 8).find(" :") != std::string_view::npos)
    origin.compiler = "nvfortran";
  if (line.find("Intel") != std::string_view::npos)
    origin.compiler = "Intel's compiler";
  if (origin.compiler.empty())
    origin.compiler = isBinary(line) ? "Intel's or another compiler with binary module files"
                                     : "a compiler that is not known here";
  return origin;
}

Origin originOfModuleFile(const std::string &path) {
  GzipFile file(path);
  std::array<char, 1000> begin;
  if (!file)
    return {};
  int size = file.read(begin.data(), begin.size());
  // A gzip file without sound contents: nobody else compresses module files.
  if (size < 0 || (size == 0 && file.compressed()))
    return {Origin::Gfortran, 0, "gfortran"};
  return originOfFirstLine(std::string_view(begin.data(), static_cast<size_t>(size)));
}

std::string textOfGfortranFile(const std::string &path) {
  GzipFile file(path);
  std::string text;
  if (!file)
    return text;
  std::array<char, 1 << 16> part;
  for (;;) {
    int size = file.read(part.data(), part.size());
    if (size < 0 || text.size() > mostText)
      return "";
    if (size == 0)
      return text;
    text.append(part.data(), static_cast<size_t>(size));
  }
}

} // namespace cufc::foreign
