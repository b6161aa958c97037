// See read_sources.h. flang has no hook between reading a file and prescanning it, and the lines
// are comments afterwards, which are gone. The linker puts the function below in the place of
// AllSources::Open (--wrap in compiler/CMakeLists.txt), which reads a file into memory of its own.
//
// The same is done for the names in #line, which flang takes as they stand, and preprocessors write
// as literals of C.
#include "frontend/read_sources.h"
#include "base/ordinary_files.h"
#include "flang/Parser/provenance.h"
#include "source/conditional_lines.h"
#include "source/line_markers.h"
#include "source/sentinels.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <string_view>
#include <utility>

using Fortran::parser::AllSources;
using Fortran::parser::SourceFile;

namespace {
thread_local const cufc::OpenedSentinels::Form *current = nullptr;
thread_local bool differed = false;
} // namespace

// The names that the linker's --wrap gives the two functions.
const SourceFile *flangsOpen(
    AllSources *, std::string path, llvm::raw_ostream &error,
    std::optional<std::string> &&
        folder) __asm__("__real__ZN7Fortran6parser10AllSources4OpenENSt7__cxx1112basic_"
                        "stringIcSt11char_traitsIcESaIcEEERN4llvm11raw_ostreamEOSt8optionalIS7_E");
const SourceFile *ourOpen(
    AllSources *, std::string path, llvm::raw_ostream &error,
    std::optional<std::string> &&
        folder) __asm__("__wrap__ZN7Fortran6parser10AllSources4OpenENSt7__cxx1112basic_"
                        "stringIcSt11char_traitsIcESaIcEEERN4llvm11raw_ostreamEOSt8optionalIS7_E");

const std::string &flangsSavePath(SourceFile *, std::string &&path) __asm__(
    "__real__ZN7Fortran6parser10SourceFile8SavePathEONSt7__cxx1112basic_string"
    "IcSt11char_traitsIcESaIcEEE");
const std::string &ourSavePath(SourceFile *, std::string &&path) __asm__(
    "__wrap__ZN7Fortran6parser10SourceFile8SavePathEONSt7__cxx1112basic_string"
    "IcSt11char_traitsIcESaIcEEE");

// A name in #line.
const std::string &ourSavePath(SourceFile *file, std::string &&path) {
  return flangsSavePath(file, cufc::nameInMarker(cufc::withSingleBackslashes(path)));
}

namespace {

// flang's prescanner doubles the backslashes of literals, the names in #include among them.
const SourceFile *openNamed(AllSources &sources, const std::string &path, llvm::raw_ostream &error,
                            const std::optional<std::string> &folder) {
  std::string message, written = cufc::withSingleBackslashes(path);
  llvm::raw_string_ostream stream(message);
  const SourceFile *file = flangsOpen(&sources, path, stream, std::optional(folder));
  if (!file && written != path)
    file = flangsOpen(&sources, written, llvm::nulls(), std::optional(folder));
  if (!file)
    error << message;
  return file;
}

// flang drops a byte order mark and carriage returns, and adds a line end that is missing.
bool isTextOf(const SourceFile &file, std::string_view text) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  if (text.substr(0, mark.size()) == mark)
    text.remove_prefix(mark.size());
  const std::string_view content(file.content().data(), file.content().size());
  auto same = [&](std::string_view given) {
    const size_t size = given.size();
    return content.substr(0, size) == given &&
           (content.size() == size || content.substr(size) == "\n");
  };
  if (same(text))
    return true;
  std::string lines;
  for (size_t at = 0; at < text.size(); ++at)
    if (text.substr(at, 2) != "\r\n")
      lines += text[at];
  return same(lines);
}

} // namespace

const SourceFile *ourOpen(AllSources *sources, std::string path, llvm::raw_ostream &error,
                          std::optional<std::string> &&folder) {
  const SourceFile *file = openNamed(*sources, path, error, folder);
  if (file && file->content().size() > cufc::mostFileBytes) {
    error << "the file is too large";
    return nullptr;
  }
  if (!file && current && path == current->path)
    differed = true; // it vanished
  if (!file || !current)
    return file;
  if (path == current->path)
    differed = !isTextOf(*file, current->text);
  // A llvm::WritableMemoryBuffer, which is a copy of the file or a private mapping.
  auto *text = const_cast<char *>(file->content().data());
  const size_t size = file->content().size();
  if (current->cuda)
    cufc::openSentinels(text, size, current->fixed);
  if (std::string lines(text, current->openacc ? size : 0);
      cufc::openConditionalLines(lines, current->fixed, {true, false}))
    lines.copy(text, size);
  return file;
}

namespace cufc {

OpenedSentinels::OpenedSentinels(Form form) {
  current = new Form(std::move(form));
  differed = false;
}

bool OpenedSentinels::sourceDiffered() const { return differed; }

OpenedSentinels::~OpenedSentinels() {
  delete current;
  current = nullptr;
}

} // namespace cufc
