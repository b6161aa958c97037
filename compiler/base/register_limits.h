// Limits of registers for kernels that need a few more than the number with which a GPU runs more
// threads at once.
//
// Registers are handed out to threads in eights (CUDA C++ Programming Guide, "Technical
// specifications per compute capability": register allocation unit size 256 a warp), so a thread
// with 34 takes as many as one with 40, and a fifth fewer threads run. ptxas does not know it: with
// a limit of 32 it mostly finds another order of the same instructions. Where it would rather keep
// values in local memory, the kernel stays as it is.
//
// A kernel without loops waits for memory most of the time. What is on its way lies in registers,
// as much of it with fewer registers for each of more threads: such a kernel gets a limit with
// which an eighth more threads run, and may keep a few values in local memory for it.
#ifndef CUFC_BASE_REGISTER_LIMITS_H
#define CUFC_BASE_REGISTER_LIMITS_H

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cufc {

// The number that ends before `words` in a line of ptxas, such as 38 of "Used 38 registers"; 0 if
// they are not there.
std::int64_t numberBefore(std::string_view line, std::string_view words);

// What `ptxas -v` says of a kernel.
struct RegisterUse {
  std::string kernel; // symbol
  int registers = 0;
  std::int64_t stackBytes = 0; // of a thread, spilled registers included
};

std::vector<RegisterUse> registerUse(std::string_view report);

// Registers of a thread at most, by kernel.
using RegisterLimits = std::map<std::string, int, std::less<>>;

// How far below what ptxas would take a limit is: the few registers above the next number with
// which more threads run, or, for kernels without loops that load little, as many as the next
// numbers take.
enum class Step { Many, Few };

// Those that are worth a try. `ptx` is what the report is of; kernels with limits of their own are
// left out.
RegisterLimits limitsToTry(const std::vector<RegisterUse> &use, std::string_view ptx, Step step);

// PTX with these limits in it.
std::string withLimits(std::string ptx, const RegisterLimits &limits);

// Those that cost no memory.
RegisterLimits freeLimits(const RegisterLimits &limits, const std::vector<RegisterUse> &without,
                          const std::vector<RegisterUse> &with);

// Whether a file's PTX is so short that nobody minds if it becomes machine code three times. Lines
// of the source that it names do not count.
bool isShort(std::string_view module);

// What these kernels take with these limits; nothing after an error.
using TryLimits = std::function<std::vector<RegisterUse>(const RegisterLimits &limits)>;

// The limits to give: those of both steps that were tried and cost no memory.
RegisterLimits limitsToGive(const std::vector<RegisterUse> &use, std::string_view ptx,
                            const TryLimits &tryThem);

} // namespace cufc
#endif // CUFC_BASE_REGISTER_LIMITS_H
