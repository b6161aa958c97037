// One look-up in a table of all values.
#include "driver/parallel_items.h"
#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace cufc {
namespace {

struct Row {
  std::string_view option, item;
  ParallelItemState state;
  std::string_view text;
};

using enum ParallelItemState;

// The versions of OpenMP and the dates that _OPENMP has in them.
constexpr std::pair<int, int> versions[] = {{31, 201107}, {40, 201307}, {45, 201511}, {50, 201811},
                                            {51, 202011}, {52, 202111}, {60, 202411}};

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
    {"-ta", "", Refused, accOnGpu},
    {"-ta", "host", Applied, ""},
    {"-ta", "multicore", Applied, ""},
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

constexpr std::string_view openmpDate = "_OPENMP=", openmpNumber = "__cufc_openmp__=",
                           openaccDate = "_OPENACC=201711", // as nvfortran has it
    openaccMark = "__cufc_openacc__=1", threadsMark = "__cufc_stdpar__=1";

void remove(Options &options, std::initializer_list<std::string_view> beginnings) {
  std::erase_if(options.macros, [&](const auto &macro) {
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [&](std::string_view begin) { return macro.first.starts_with(begin); });
  });
}

void add(Options &options, std::string macro) {
  std::pair<std::string, bool> defined(std::move(macro), true);
  if (std::find(options.macros.begin(), options.macros.end(), defined) == options.macros.end())
    options.macros.push_back(std::move(defined));
}

bool has(const Options &options, std::string_view macro) {
  return std::any_of(options.macros.begin(), options.macros.end(),
                     [&](const auto &each) { return each.second && each.first == macro; });
}

void turnOn(std::string_view option, Options &options) {
  if (option == "-acc" || option == "-ta") {
    add(options, std::string(openaccDate));
    add(options, std::string(openaccMark));
  } else if (option == "-stdpar") {
    add(options, std::string(threadsMark));
  } else if (!openmpOf(options)) {
    setOpenmp(options, defaultOpenmpVersion);
  }
}

std::string_view known(std::string_view option) {
  return option == "-mp" ? "multicore, and bind, align and others, which change nothing"
         : option == "-acc" || option == "-ta" ? "host or multicore"
                                               : "multicore";
}

ParallelItem applyItem(const std::string &option, const std::string &item, Options &options) {
  std::string spelled = item.empty() ? option : option + "=" + item;
  for (const Row &row : rows)
    if (row.option == option && row.item == item) {
      if (row.state == Applied)
        turnOn(option, options);
      return {item, spelled, row.state, std::string(row.text)};
    }
  if (option == "-ta")
    return {item, spelled, Refused, std::string(accOnGpu)};
  return {item, spelled, Unknown, std::string(known(option))};
}

// "cc70,lineinfo" of -ta=tesla:cc70,lineinfo and of -ta=nvidia,cc70,lineinfo.
std::optional<std::string> itemsOfGpu(const std::vector<std::string> &items) {
  static constexpr std::string_view names[] = {"tesla", "nvidia", "gpu"};
  static constexpr std::string_view places[] = {"host", "multicore"};
  std::string first = items.empty() ? "tesla" : items.front().substr(0, items.front().find(':'));
  auto isIn = [](const auto &list, std::string_view word) {
    return std::find(std::begin(list), std::end(list), word) != std::end(list);
  };
  if (!isIn(names, first) ||
      std::any_of(items.begin(), items.end(), [&](const auto &item) { return isIn(places, item); }))
    return std::nullopt;
  std::string list;
  for (const std::string &item : items) {
    std::string rest = &item != &items.front()       ? item
                       : item.find(':') == item.npos ? ""
                                                     : item.substr(item.find(':') + 1);
    list += (list.empty() || rest.empty() ? "" : ",") + rest;
  }
  return list;
}

std::string spelledList(const std::vector<std::string> &items) {
  std::string text = "-ta";
  for (const std::string &item : items)
    text += (&item == &items.front() ? "=" : ",") + item;
  return text;
}

} // namespace

std::string parallelOption(std::string_view spelled) {
  if (spelled == "-fopenmp")
    return "-mp";
  return std::string(spelled.substr(0, spelled.find(':')));
}

std::vector<ParallelItem> applyParallelItems(const std::string &option,
                                             const std::vector<std::string> &items,
                                             Options &options) {
  std::vector<ParallelItem> found;
  bool placed = false;
  if (option == "-ta")
    if (std::optional<std::string> list = itemsOfGpu(items))
      return {{*list, spelledList(items), OfGpu, std::string(accOnGpu)}};
  for (const std::string &item : items) {
    found.push_back(applyItem(option, item, options));
    if (option == "-ta" && found.back().state == Refused)
      return found;
    placed |=
        item == "gpu" || item == "host" || item == "multicore" || found.back().state == Unknown;
  }
  if (!placed)
    found.push_back(applyItem(option, "", options));
  return found;
}

int openmpVersion(std::string_view value) {
  for (auto [number, date] : versions) {
    std::string name = std::to_string(number);
    if (value == name || value == name.substr(0, 1) + "." + name.substr(1))
      return number;
  }
  return 0;
}

void setOpenmp(Options &options, int version) {
  remove(options, {openmpDate, openmpNumber});
  for (auto [number, date] : versions)
    if (number == version) {
      add(options, fmt::format("{}{}", openmpDate, date));
      add(options, fmt::format("{}{}", openmpNumber, number));
    }
}

int openmpOf(const Options &options) {
  for (auto [number, date] : versions)
    if (has(options, fmt::format("{}{}", openmpNumber, number)))
      return number;
  return 0;
}

void clearOpenacc(Options &options) { remove(options, {openaccDate, openaccMark}); }
bool hasOpenacc(const Options &options) { return has(options, openaccMark); }
bool hasThreads(const Options &options) { return has(options, threadsMark); }

bool isParallelMacro(std::string_view macro) {
  return macro.starts_with(openmpDate) || macro.starts_with(openaccDate) ||
         macro.starts_with("__cufc_");
}

} // namespace cufc
