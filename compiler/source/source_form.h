// What a source file is, by its name: form, CUDA, preprocessing.
#ifndef CUFC_SOURCE_SOURCE_FORM_H
#define CUFC_SOURCE_SOURCE_FORM_H

#include <optional>
#include <string_view>

namespace cufc {

enum class FileKind { Fortran, CudaC, C, Linkable };

struct SourceForm {
  FileKind kind;
  bool fixed = false;
  bool cuda = false;
  bool preprocess = false;
};

// Nothing if the suffix is unknown.
std::optional<SourceForm> sourceForm(std::string_view path);

} // namespace cufc
#endif // CUFC_SOURCE_SOURCE_FORM_H
