// The suffixes of nvfortran: capitals mean preprocessing, .cuf means CUDA.
#include "source/source_form.h"
#include "base/files.h"

namespace cufc {

std::optional<SourceForm> sourceForm(std::string_view path) {
  struct Row {
    std::string_view suffix;
    SourceForm form;
  };
  static constexpr Row rows[] = {
      {".cuf", {FileKind::Fortran, false, true, false}},
      {".CUF", {FileKind::Fortran, false, true, true}},
      {".f90", {FileKind::Fortran, false, false, false}},
      {".f95", {FileKind::Fortran, false, false, false}},
      {".f03", {FileKind::Fortran, false, false, false}},
      {".f08", {FileKind::Fortran, false, false, false}},
      {".f18", {FileKind::Fortran, false, false, false}},
      {".F90", {FileKind::Fortran, false, false, true}},
      {".F95", {FileKind::Fortran, false, false, true}},
      {".F03", {FileKind::Fortran, false, false, true}},
      {".F08", {FileKind::Fortran, false, false, true}},
      {".F18", {FileKind::Fortran, false, false, true}},
      {".f", {FileKind::Fortran, true, false, false}},
      {".for", {FileKind::Fortran, true, false, false}},
      {".f77", {FileKind::Fortran, true, false, false}},
      {".ftn", {FileKind::Fortran, true, false, false}},
      {".F", {FileKind::Fortran, true, false, true}},
      {".FOR", {FileKind::Fortran, true, false, true}},
      {".F77", {FileKind::Fortran, true, false, true}},
      {".FTN", {FileKind::Fortran, true, false, true}},
      {".fpp", {FileKind::Fortran, true, false, true}},
      {".FPP", {FileKind::Fortran, true, false, true}},
      {".cu", {FileKind::CudaC, false, true, true}},
      {".c", {FileKind::C, false, false, true}},
      {".s", {FileKind::C}}, // the C compiler assembles
      {".S", {FileKind::C}},
      {".o", {FileKind::Linkable}},
      {".a", {FileKind::Linkable}},
      {".so", {FileKind::Linkable}},
  };
  std::string suffix = extension(path);
  for (const Row &row : rows)
    if (row.suffix == suffix)
      return row.form;
  std::string_view name = path.substr(path.rfind('/') + 1); // the whole path if there is no slash
  if (name.find(".so.") != std::string_view::npos)
    return SourceForm{FileKind::Linkable};
  return std::nullopt;
}

} // namespace cufc
