// The text of --help, from the table of options.
#include "base/option_table.h"
#include "driver/options.h"
#include <fmt/format.h>

namespace cufc {

std::string helpText() {
  std::string text = "cufc: compiler for CUDA Fortran\n\nUse: cufc [options] file...\n"
                     "Sources: .cuf .CUF .f90 .F90 .f .F .cu; .o and .a files are linked.\n";
  for (std::string_view group :
       {"Output", "Code", "Language", "CUDA", "Files", "Linking", "Messages"}) {
    text += fmt::format("\n{}:\n", group);
    for (const OptionRow &row : optionRows()) {
      if (row.group != group || !row.listed)
        continue;
      std::string form(row.name);
      if (row.kind == OptionKind::Equals)
        form += "=" + std::string(row.value);
      else if (row.kind == OptionKind::Optional)
        form += "[=" + std::string(row.value) + "]";
      else if (row.kind != OptionKind::Flag)
        form += " " + std::string(row.value);
      text += fmt::format("  {:<20} {}\n", form, row.help);
    }
  }
  return text;
}

} // namespace cufc
