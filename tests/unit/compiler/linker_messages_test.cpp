// Output of lld and GNU ld, told as diagnostics.
#include "driver/linker_messages.h"
#include <gtest/gtest.h>

namespace cufc {
namespace {

std::vector<std::string> told(const std::string &output) {
  Diagnostics diagnostics;
  reportLinkerOutput(output, "out", {{"/tmp/x/0_a.o", "a.cuf"}, {"/tmp/x/1_b.o", "src/b.cuf"}},
                     diagnostics);
  std::vector<std::string> texts;
  for (const Diagnostic &diagnostic : diagnostics.list())
    texts.push_back(diagnostic.message);
  return texts;
}

using Texts = std::vector<std::string>;

// Once, whatever the number of its entry points.
TEST(LinkerMessages, gfortranLibrary) {
  EXPECT_EQ(
      told("ld.lld: error: undefined symbol: _gfortran_st_write\n>>> referenced by a.f90\n"
           ">>>               a.o:(f) in archive liba.a\n"
           "ld.lld: error: undefined symbol: _gfortran_st_read\n>>> referenced by a.f90\n"
           ">>>               a.o:(f) in archive liba.a\n"),
      Texts{"library 'gfortran (Debian: libgfortran-12-dev)' was not found; -L names a folder "
            "to look in"});
  EXPECT_EQ(told("ld.lld: error: undefined symbol: __solver_MOD_step\n"),
            Texts{"undefined procedure or variable 'solver::step'"});
}

TEST(LinkerMessages, undefinedByLld) {
  EXPECT_EQ(told("ld.lld: error: undefined symbol: nowhere_\n>>> referenced by module\n"
                 ">>>               /tmp/x/0_a.o:(_QQmain)\n"
                 ">>> referenced by module\n>>>               /tmp/x/1_b.o:(s_)\n\n"
                 "ld.lld: error: undefined symbol: _QMsolverPstep\n"
                 ">>> referenced by solver.c:4\n>>>               solver.o:(f) in archive libs.a\n"
                 "collect2: error: ld returned 1 exit status\n"),
            (Texts{"undefined procedure or variable 'nowhere', used in 'a.cuf', 'src/b.cuf'",
                   "undefined procedure or variable 'solver::step', used in 'solver.o'"}));
}

// A procedure of a well-known library says what the command line lacks.
TEST(LinkerMessages, namesOfLibraries) {
  auto lacks = [](const std::string &symbol) {
    std::string text = told("ld.lld: error: undefined symbol: " + symbol + "\n")[0];
    size_t at = text.find("; ");
    return at == std::string::npos ? "" : text.substr(at + 2, text.find(" links") - at - 2);
  };
  for (const char *name : {"dgemm_", "zdotc_", "idamax_", "dznrm2_", "csscal_", "dsyrk_", "zher2_"})
    EXPECT_EQ(lacks(name), "-lblas") << name;
  for (const char *name : {"dgesv_", "zheevd_", "dpotrf_", "ilaenv_", "dlamch_", "dsyevd_"})
    EXPECT_EQ(lacks(name), "-llapack -lblas") << name;
  EXPECT_EQ(lacks("pdgemm_"), "-lscalapack-openmpi");
  EXPECT_EQ(lacks("dfftw_plan_dft_1d_"), "-lfftw3");
  EXPECT_EQ(lacks("fftwf_execute"), "-lfftw3f");
  EXPECT_EQ(lacks("__netcdf_MOD_nf90_open"), "-lnetcdff");
  EXPECT_EQ(lacks("mpi_init_"), "-Mmpi");
  EXPECT_EQ(lacks("omp_get_thread_num_"), "-mp");
  EXPECT_EQ(lacks("cublasLtCreate"), "-cudalib=cublasLt");
  for (const char *name : {"nowhere_", "step_", "solve_", "dgemms_of_mine_", "sort_", "dot_"})
    EXPECT_EQ(lacks(name), "") << name;
}

TEST(LinkerMessages, undefinedByGnu) {
  EXPECT_EQ(told("/usr/bin/ld: /tmp/x/0_a.o: in function `_QQmain':\n"
                 "module:(.text+0x5): undefined reference to `nowhere_'\n"
                 "module:(.text+0x9): undefined reference to `other_'\n"
                 "/usr/bin/ld: other.o:(.data+0x0): undefined reference to `y'\n"
                 "collect2: error: ld returned 1 exit status\n"),
            (Texts{"undefined procedure or variable 'nowhere', used in 'a.cuf'",
                   "undefined procedure or variable 'other', used in 'a.cuf'",
                   "undefined procedure or variable 'y', used in 'other.o'"}));
}

TEST(LinkerMessages, noMainProgram) {
  EXPECT_EQ(told("ld.lld: error: undefined symbol: main\n>>> referenced by Scrt1.o:(_start)\n"),
            (Texts{"there is no main program in what is linked"}));
}

TEST(LinkerMessages, twoMainPrograms) {
  EXPECT_EQ(told("ld.lld: error: duplicate symbol: _QQmain\n>>> defined at m\n"
                 ">>>            /tmp/x/0_a.o:(_QQmain)\n>>> defined at m\n"
                 ">>>            /tmp/x/1_b.o:(.text+0x0)\n\n"
                 "ld.lld: error: duplicate symbol: main\n>>> defined at m\n"
                 ">>>            /tmp/x/0_a.o:(main)\n"),
            (Texts{"a main program is defined in both 'a.cuf' and 'src/b.cuf'"}));
}

TEST(LinkerMessages, duplicateByGnu) {
  EXPECT_EQ(told("/usr/bin/ld: /tmp/x/1_b.o: in function `s_':\n"
                 "m:(.text+0x0): multiple definition of `s_'; /tmp/x/0_a.o:m:(.text+0x0): first "
                 "defined here\n"),
            (Texts{"'s' is defined in both 'a.cuf' and 'src/b.cuf'"}));
}

TEST(LinkerMessages, missingLibraries) {
  EXPECT_EQ(told("ld.lld: error: unable to find library -lfoo\n"),
            (Texts{"library 'foo' was not found; -L names a folder to look in"}));
  EXPECT_EQ(told("/usr/bin/ld: cannot find -lfoo: No such file or directory\n"),
            (Texts{"library 'foo' was not found; -L names a folder to look in"}));
}

TEST(LinkerMessages, fullDisk) {
  EXPECT_EQ(told("LLVM ERROR: IO failure on output stream: No space left on device\nStack dump:\n"),
            (Texts{"cannot write 'out': No space left on device"}));
}

TEST(LinkerMessages, anythingElseIsPassedOn) {
  EXPECT_EQ(told("ld.lld: error: /tmp/x/0_a.o: odd\ncollect2: error: ld returned 1 exit status\n"),
            (Texts{"linking failed:\nld.lld: error: a.cuf: odd"}));
  EXPECT_EQ(told(""), (Texts{"linking failed:\nthe linker says no more"}));
}

} // namespace
} // namespace cufc
