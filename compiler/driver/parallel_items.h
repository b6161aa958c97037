// The values of -mp=, -acc= and -stdpar=, which say where directives and DO CONCURRENT run: on the
// CPU, or on a GPU, which is refused. Private to driver/.
#ifndef CUFC_DRIVER_PARALLEL_ITEMS_H
#define CUFC_DRIVER_PARALLEL_ITEMS_H

#include "driver/options.h"
#include <string>
#include <string_view>
#include <vector>

namespace cufc {

// OpenMP's version unless -fopenmp-version names another: that of nvfortran. Later ones have taken
// away what programs use, such as REDUCTION(-: x). flang 22 reports as an error what it does
// not implement of it.
inline constexpr int defaultOpenmpVersion = 51;

// OfGpu: about a GPU in -ta=, where the items are those of -gpu=.
enum class ParallelItemState { Applied, Ignored, Refused, Unknown, OfGpu };

inline constexpr std::string_view acceleratorBesideCuda =
    "beside -cuda it is about the GPU of kernels, as -gpu= is; OpenACC directives are comments";

struct ParallelItem {
  std::string item, spelled; // "gpu" and "-mp=gpu"
  ParallelItemState state;
  std::string text; // why it is ignored or refused; of an unknown one, what is known
};

// "-mp" for "-fopenmp" and "-mp:": the option of a list of items, however it is spelled.
std::string parallelOption(std::string_view spelled);

// `option` is -mp, -acc or -stdpar; without a place among the items, as in -acc=sync, it asks for
// what the option alone does.
std::vector<ParallelItem> applyParallelItems(const std::string &option,
                                             const std::vector<std::string> &items,
                                             Options &options);

// What is on is said by macros among those of the options: _OPENMP and _OPENACC, which programs
// know, and macros of our own for the front end (frontend/flang_setup.h).
void setOpenmp(Options &options, int version); // 51 for 5.1, 0 for none
int openmpOf(const Options &options);
void clearOpenacc(Options &options);
bool hasOpenacc(const Options &options);
bool hasThreads(const Options &options); // for DO CONCURRENT

// Whether a macro is one of these. Compilers of other languages define their own.
bool isParallelMacro(std::string_view macro);

// 52 for "52" and "5.2"; 0 if there is no such version.
int openmpVersion(std::string_view value);

} // namespace cufc
#endif // CUFC_DRIVER_PARALLEL_ITEMS_H
