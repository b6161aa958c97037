// What the values of options mean: exceptions, processors, forms of files, libraries.
#ifndef CUFC_DRIVER_OPTION_VALUES_H
#define CUFC_DRIVER_OPTION_VALUES_H

#include "base/option_table.h"
#include "driver/options.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cufc {

inline constexpr std::string_view trapNames =
    "fp, inv or invalid, divz or zero, ovf or overflow, unf or underflow, denorm or denormal, "
    "inexact, none";

// Sets the bits (FloatingPointTrap) of a list such as "inv,divz"; the first name that is none.
std::string setTraps(const std::string &list, unsigned &traps);

// LLVM's name of a processor that -tp knows.
std::optional<std::string> processorNamed(const std::string &name);
std::string processorNames();
std::string machineNames(); // of --target

// What a list of -fcheck= says of bounds, and what else it asks for.
std::optional<bool> checksBounds(const std::string &list);
std::string otherChecks(const std::string &list);

// Columns of fixed form; 0 if the value is no number.
int columnsOf(const OptionRow &row, const std::string &value);

bool isInteger(const std::string &text);

bool isMacroName(const std::string &text);

// What -Minfo=, or -Mneginfo= with `missed`, asks for; returns the items of which nothing is known.
// No item is all of it.
std::vector<std::string> addInformation(bool missed, const std::string &list, Options &options);

// A question as gcc takes it: "-print-file-name=libm.so".
std::string queryOf(const OptionRow &row, const std::string &value);

// As FORT_CONVERT has it (flang's run-time library, environment variables).
std::string conversionNamed(const std::string &value);

// The macros by which programs know another compiler: "nvfortran" or "gfortran", a version behind a
// colon.
void addMacrosOf(const std::string &compiler, std::vector<std::pair<std::string, bool>> &macros);

// What a list of --emit asks for, whose items are known.
Emits emitsNamed(const std::string &list);

// Adds the libraries for the linker that stand behind the items of -cudalib=, each once.
void addCudaLibraries(const std::string &list, std::vector<std::string> &libraries);

// An option of the linker as the system's C compiler takes it.
std::string linkerArgument(const OptionRow &row, const std::string &value);

} // namespace cufc
#endif // CUFC_DRIVER_OPTION_VALUES_H
