// What the libraries of this folder and flang's need of glibc 2.30 and GCC 9 and later, for
// programs that are linked on older systems (glibc 2.28, GCC 8). Weak, so that a newer system's own
// definitions in static libraries go before; its shared ones are passed over, which costs locks
// where there is one thread.

#include <cstdlib>

namespace cufrt {

// <ext/atomicity.h> of GCC 11 asks it.
[[gnu::weak, gnu::visibility("hidden")]] extern char singleThreaded asm("__libc_single_threaded");
char singleThreaded = 0;

// std::make_shared without RTTI compares addresses first, and then by this.
[[gnu::weak, gnu::visibility("hidden")]] bool isSharedTag(const void *) noexcept
    asm("_ZNSt19_Sp_make_shared_tag5_S_eqERKSt9type_info");
bool isSharedTag(const void *) noexcept { return false; }

// std::__throw_bad_array_new_length. Nothing here is compiled with exceptions.
[[gnu::weak, gnu::visibility("hidden")]] void
endByArrayLength() asm("_ZSt28__throw_bad_array_new_lengthv");
void endByArrayLength() { std::abort(); }

} // namespace cufrt
