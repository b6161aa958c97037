// One look-up in a table of all values.
#include "driver/parallel_items.h"
#include <utility>

namespace cufc {
namespace {

struct Row {
  std::string_view option, item;
  ParallelItemState state;
  std::string_view text;
};

using enum ParallelItemState;

constexpr std::string_view
    mpOnGpu = "OpenMP constructs do not run on a GPU yet; -mp runs them on the threads of the CPU, "
              "and CUF kernels are for the GPU",
    accOnGpu = "OpenACC directives do not run on a GPU yet; without -acc they are comments, "
               "-acc=host runs their loops on the CPU, and CUF kernels are for the GPU",
    stdparOnGpu = "DO CONCURRENT does not run on a GPU yet; -stdpar=multicore runs it on the "
                  "threads of the CPU, and a CUF kernel over the loop on the GPU",
    placed = "OMP_PROC_BIND and OMP_PLACES bind threads when the program runs",
    compiled = "loops are parallel where a directive says so",
    noDevice = "there is no OpenACC device";

constexpr Row rows[] = {
    {"-mp", "", Applied, ""},
    {"-mp", "multicore", Applied, ""},
    {"-mp", "gpu", Refused, mpOnGpu},
    {"-mp", "align", Ignored, "iterations are spread as the SCHEDULE clause says"},
    {"-mp", "noalign", Ignored, "iterations are spread as the SCHEDULE clause says"},
    {"-mp", "bind", Ignored, placed},
    {"-mp", "nobind", Ignored, placed},
    {"-mp", "numa", Ignored, placed},
    {"-mp", "nonuma", Ignored, placed},
    {"-mp", "allcores", Ignored, "all cores are used unless OMP_NUM_THREADS says otherwise"},
    {"-mp", "autopar", Ignored, compiled},
    {"-mp", "noautopar", Ignored, compiled},
    {"-mp", "ompt", Ignored, "the library always has the interface for tools"},
    {"-acc", "", Refused, accOnGpu},
    {"-acc", "gpu", Refused, accOnGpu},
    {"-acc", "host", Applied, ""},
    {"-acc", "multicore", Applied, ""},
    {"-acc", "autopar", Ignored, compiled},
    {"-acc", "noautopar", Ignored, compiled},
    {"-acc", "routineseq", Ignored, noDevice},
    {"-acc", "noroutineseq", Ignored, noDevice},
    {"-acc", "legacy", Ignored, noDevice},
    {"-acc", "sync", Ignored, noDevice},
    {"-acc", "wait", Ignored, noDevice},
    {"-acc", "nowait", Ignored, noDevice},
    {"-acc", "strict", Ignored, "directives are not checked"},
    {"-acc", "nostrict", Ignored, "directives are not checked"},
    {"-acc", "verystrict", Ignored, "directives are not checked"},
    {"-stdpar", "", Refused, stdparOnGpu},
    {"-stdpar", "gpu", Refused, stdparOnGpu},
    {"-stdpar", "multicore", Applied, ""},
};

void apply(std::string_view option, Options &options) {
  if (option == "-acc")
    options.openacc = true;
  else if (option == "-stdpar")
    options.concurrentThreads = true;
  else if (!options.openmp)
    options.openmp = defaultOpenmpVersion;
}

std::string_view known(std::string_view option) {
  return option == "-mp"    ? "multicore, and bind, align and others, which change nothing"
         : option == "-acc" ? "host or multicore"
                            : "multicore";
}

} // namespace

ParallelItemResult applyParallelItem(std::string_view option, std::string_view item,
                                     Options &options) {
  for (const Row &row : rows)
    if (row.option == option && row.item == item) {
      if (row.state == Applied)
        apply(option, options);
      return {row.state, row.text};
    }
  return {Unknown, known(option)};
}

int openmpVersion(std::string_view value) {
  constexpr std::pair<std::string_view, int> versions[] = {
      {"31", 31}, {"40", 40}, {"45", 45}, {"50", 50}, {"51", 51}, {"52", 52}, {"60", 60}};
  for (auto [name, number] : versions)
    if (value == name ||
        (value.size() == 3 && value[1] == '.' && value[0] == name[0] && value[2] == name[1]))
      return number;
  return 0;
}

} // namespace cufc
