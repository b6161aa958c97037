// The text of --help, from the table of options, and that of -mno-workaround=help.
#include "base/option_table.h"
#include "base/workarounds.h"
#include "driver/options.h"
#include <algorithm>
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

bool asksForWorkarounds(const Options &options) {
  std::vector<std::string> names = splitAtCommas(options.language.leftOut);
  return std::find(names.begin(), names.end(), "help") != names.end();
}

std::string workaroundsText() {
  std::string text = "Mends of flang's defects, which -mno-workaround=NAME leaves out:\n";
  for (const WorkaroundRow &row : workaroundRows())
    text += fmt::format("  {:<24} {}\n", row.name, row.symptom);
  return text;
}

} // namespace cufc
