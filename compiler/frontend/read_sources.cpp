// See read_sources.h. flang has no hook between reading a file and prescanning it, and the lines
// are comments afterwards, which are gone. The linker puts the function below in the place of
// AllSources::Open (--wrap in compiler/CMakeLists.txt), which reads a file into memory of its own.
#include "frontend/read_sources.h"
#include "base/ordinary_files.h"
#include "flang/Parser/provenance.h"
#include "source/conditional_lines.h"
#include "source/sentinels.h"
#include <optional>
#include <string>

using Fortran::parser::AllSources;
using Fortran::parser::SourceFile;

namespace {
thread_local const cufc::OpenedSentinels::Form *current = nullptr;
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

const SourceFile *ourOpen(AllSources *sources, std::string path, llvm::raw_ostream &error,
                          std::optional<std::string> &&folder) {
  const SourceFile *file = flangsOpen(sources, std::move(path), error, std::move(folder));
  if (file && file->content().size() > cufc::mostFileBytes) {
    error << "the file is too large";
    return nullptr;
  }
  if (!file || !current)
    return file;
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

OpenedSentinels::OpenedSentinels(Form form) { current = new Form(form); }

OpenedSentinels::~OpenedSentinels() {
  delete current;
  current = nullptr;
}

} // namespace cufc
