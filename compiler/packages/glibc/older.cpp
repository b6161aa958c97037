// What cufc and the libraries that are linked into it call of glibc 2.29 and later, in terms of
// glibc 2.28, so that the program runs on systems of 2018 (RHEL 8). It is linked to libraries that
// hold the symbols of 2.28 alone (stubs.py), so a function that is called one day and missing here
// is an error of the linker. Nothing here is seen outside of the program.

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <spawn.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" {

// 2.32: programs with one thread may leave out locks. Without the knowledge they do not.
char __libc_single_threaded = 0;

// 2.33: before, these were inline functions around __xstat. The kernel's structure is the C
// library's.
int stat(const char *path, struct stat *result) noexcept {
  return static_cast<int>(syscall(SYS_newfstatat, AT_FDCWD, path, result, 0));
}
int lstat(const char *path, struct stat *result) noexcept {
  return static_cast<int>(syscall(SYS_newfstatat, AT_FDCWD, path, result, AT_SYMLINK_NOFOLLOW));
}
int fstat(int descriptor, struct stat *result) noexcept {
  return static_cast<int>(syscall(SYS_newfstatat, descriptor, "", result, AT_EMPTY_PATH));
}
static_assert(sizeof(struct stat64) == sizeof(struct stat));
int fstat64(int descriptor, struct stat64 *result) noexcept {
  return static_cast<int>(syscall(SYS_newfstatat, descriptor, "", result, AT_EMPTY_PATH));
}

// 2.33. The older function counts in int; LLVM asks it for statistics of memory alone.
struct mallinfo2 mallinfo2() noexcept {
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  const struct mallinfo older = mallinfo();
  struct mallinfo2 result = {};
  result.arena = static_cast<unsigned>(older.arena);
  result.hblkhd = static_cast<unsigned>(older.hblkhd);
  result.uordblks = static_cast<unsigned>(older.uordblks);
  result.fordblks = static_cast<unsigned>(older.fordblks);
  return result;
}

// 2.34
int close_range(unsigned first, unsigned last, int flags) noexcept {
  if (syscall(SYS_close_range, first, last, flags) == 0)
    return 0;
  if (errno != ENOSYS || flags != 0) // the kernel has it from 5.9 on
    return -1;
  const long limit = sysconf(_SC_OPEN_MAX);
  for (unsigned each = first; each <= last && static_cast<long>(each) < limit; ++each)
    close(static_cast<int>(each));
  return 0;
}

// 2.36; libstdc++ takes it for std::random_device.
uint32_t arc4random() noexcept {
  uint32_t value = 0;
  while (getrandom(&value, sizeof value, 0) != sizeof value) {
  }
  return value;
}

// 2.38. Headers of that version put these in the place of strtol and its like; they know binary
// digits also.
long oldStrtol(const char *text, char **end, int base) noexcept asm("strtol");
long long oldStrtoll(const char *text, char **end, int base) noexcept asm("strtoll");
unsigned long oldStrtoul(const char *text, char **end, int base) noexcept asm("strtoul");
unsigned long long oldStrtoull(const char *text, char **end, int base) noexcept asm("strtoull");
long __isoc23_strtol(const char *text, char **end, int base) noexcept {
  return oldStrtol(text, end, base);
}
long long __isoc23_strtoll(const char *text, char **end, int base) noexcept {
  return oldStrtoll(text, end, base);
}
unsigned long __isoc23_strtoul(const char *text, char **end, int base) noexcept {
  return oldStrtoul(text, end, base);
}
unsigned long long __isoc23_strtoull(const char *text, char **end, int base) noexcept {
  return oldStrtoull(text, end, base);
}

// 2.29. There is no other way to say it to posix_spawn of 2.28; callers then start the program
// through env(1).
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions,
                                         const char *folder) noexcept {
  using Function = int (*)(posix_spawn_file_actions_t *, const char *);
  static const auto function =
      reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, "posix_spawn_file_actions_addchdir_np"));
  return function ? function(actions, folder) : ENOSYS;
}

// 2.32
const char *sigabbrev_np(int signal) noexcept {
  using Function = const char *(*)(int);
  static const auto function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, "sigabbrev_np"));
  if (function)
    return function(signal);
  switch (signal) {
  case SIGABRT:
    return "ABRT";
  case SIGBUS:
    return "BUS";
  case SIGFPE:
    return "FPE";
  case SIGHUP:
    return "HUP";
  case SIGILL:
    return "ILL";
  case SIGINT:
    return "INT";
  case SIGKILL:
    return "KILL";
  case SIGSEGV:
    return "SEGV";
  case SIGTERM:
    return "TERM";
  case SIGTRAP:
    return "TRAP";
  default:
    return nullptr;
  }
}

// 2.35. libgcc looks here for the tables of the code that an exception passes; flags, begin and
// end, the object, its table and reserved words (dlfcn.h of 2.35).
static int findTables(dl_phdr_info *info, size_t, void *argument) {
  auto *result = static_cast<dl_find_object *>(argument);
  const auto wanted = reinterpret_cast<uintptr_t>(result->dlfo_map_start);
  uintptr_t tables = 0, begin = UINTPTR_MAX, end = 0;
  bool holds = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) &part = info->dlpi_phdr[i];
    const uintptr_t address = info->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_GNU_EH_FRAME)
      tables = address;
    if (part.p_type != PT_LOAD)
      continue;
    begin = address < begin ? address : begin;
    end = address + part.p_memsz > end ? address + part.p_memsz : end;
    holds |= wanted >= address && wanted < address + part.p_memsz;
  }
  if (!holds || tables == 0)
    return 0;
  *result = {};
  result->dlfo_map_start = reinterpret_cast<void *>(begin);
  result->dlfo_map_end = reinterpret_cast<void *>(end);
  result->dlfo_eh_frame = reinterpret_cast<void *>(tables);
  return 1;
}
int _dl_find_object(void *address, dl_find_object *result) noexcept {
  result->dlfo_map_start = address;
  return dl_iterate_phdr(findTables, result) == 1 ? 0 : -1;
}

// 2.34 runs the program's constructors itself where the start file, which is of that version or
// later, names no function for them; before, the C library ran the function alone.
using Constructor = void (*)(int, char **, char **);
[[gnu::visibility("hidden")]] extern Constructor __preinit_array_start[];
[[gnu::visibility("hidden")]] extern Constructor __preinit_array_end[];
[[gnu::visibility("hidden")]] extern Constructor __init_array_start[];
[[gnu::visibility("hidden")]] extern Constructor __init_array_end[];
void runOlderConstructors() asm("_init");
static void runConstructors(int count, char **arguments, char **environment) {
  for (Constructor *each = __preinit_array_start; each != __preinit_array_end; ++each)
    (*each)(count, arguments, environment);
  runOlderConstructors();
  for (Constructor *each = __init_array_start; each != __init_array_end; ++each)
    (*each)(count, arguments, environment);
}
using Main = int (*)(int, char **, char **);
int __real___libc_start_main(Main, int, char **, Constructor, void (*)(), void (*)(), void *);
int __wrap___libc_start_main(Main main, int count, char **arguments, Constructor, void (*)(),
                             void (*atEnd)(), void *stack) {
  return __real___libc_start_main(main, count, arguments, runConstructors, nullptr, atEnd, stack);
}
}
