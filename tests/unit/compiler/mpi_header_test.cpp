// Headers of MPI libraries as they are found: nested includes, both styles of declarations, values
// that are expressions, comments, and interfaces that must be left out.
#include "base/files.h"
#include "mpi/expression.h"
#include "mpi/header.h"
#include "mpi/library.h"
#include "mpi/rows.h"
#include "mpi/sources.h"
#include <gtest/gtest.h>

namespace cufc {
namespace {

class MpiHeaders : public testing::Test {
protected:
  std::optional<MpiHeader> read(const std::string &text, const std::string &included = "") {
    writeFile(folder.path("mpif.h"), text);
    writeFile(folder.path("more.h"), included);
    return readMpiHeader(folder.path("mpif.h"), {}, problem);
  }
  TemporaryFolder folder;
  std::string problem;
};

constexpr const char *smallest = "      integer MPI_COMM_WORLD, MPI_STATUS_SIZE\n"
                                 "      parameter (MPI_COMM_WORLD=7,MPI_STATUS_SIZE=5)\n";

TEST_F(MpiHeaders, bothStyles) {
  auto header = read(std::string("! comment\nc     another\n") + smallest +
                     "      integer, parameter :: mpi_tag = 4, & ! continued\n"
                     "        MPI_ERROR = mpi_tag + 1\n"
                     "      INTEGER(KIND=8) MPI_FAR\n      PARAMETER (MPI_FAR=-1_8)\n");
  ASSERT_TRUE(header) << problem;
  EXPECT_EQ(header->number("MPI_COMM_WORLD", 0), 7);
  EXPECT_EQ(header->number("MPI_ERROR", 0), 5);
  EXPECT_EQ(header->number("MPI_FAR", 0), -1);
  EXPECT_EQ(header->value("MPI_FAR")->type, "INTEGER(KIND=8)");
}

TEST_F(MpiHeaders, includesAndInterfaces) {
  auto header =
      read("      include 'more.h'\n      interface MPI_Sizeof\n      real(REAL128) :: x\n"
           "      end interface\n      integer MPI_BOTTOM, MPI_IN_PLACE\n"
           "      common/mpi_fortran_bottom/MPI_BOTTOM, MPI_IN_PLACE\n"
           "      external MPI_WTIME\n      double precision MPI_WTIME\n",
           smallest);
  ASSERT_TRUE(header) << problem;
  ASSERT_EQ(header->commons.size(), 1u);
  EXPECT_EQ(header->commons[0].names, (std::vector<std::string>{"MPI_BOTTOM", "MPI_IN_PLACE"}));
  EXPECT_FALSE(header->declares("X"));
  EXPECT_TRUE(header->declares("MPI_WTIME"));
  EXPECT_NE(mpiIncludeText(*header).find("EXTERNAL MPI_WTIME"), std::string::npos);
}

TEST_F(MpiHeaders, unusable) {
  EXPECT_FALSE(read("      integer MPI_COMM_WORLD\n"));
  EXPECT_NE(problem.find("MPI_COMM_WORLD"), std::string::npos);
  EXPECT_FALSE(read("      include 'not_there.h'\n"));
  EXPECT_NE(problem.find("not_there.h"), std::string::npos);
  EXPECT_FALSE(readMpiHeader(folder.path("nothing"), {}, problem));
}

// The integers of a status are at the places that the header says.
TEST_F(MpiHeaders, status) {
  auto header = read(std::string(smallest) +
                     "      integer, parameter :: MPI_SOURCE=3, MPI_TAG=4, MPI_ERROR=5\n");
  ASSERT_TRUE(header);
  std::string text = mpiModulesSource(*header, LargeCounts::No);
  size_t first = text.find("cufrt_1"), second = text.find("cufrt_2"),
         source = text.find(":: MPI_SOURCE\n");
  EXPECT_LT(first, second);
  EXPECT_LT(second, source);
}

TEST(MpiExpressions, values) {
  auto named = [](const std::string &name) {
    return name == "N" ? std::optional(256ll) : std::nullopt;
  };
  EXPECT_EQ(integerValue("(-32766)", named), -32766);
  EXPECT_EQ(integerValue("N-1", named), 255);
  EXPECT_EQ(integerValue("2*(N+4)/5", named), 104);
  EXPECT_EQ(integerValue("SELECTED_INT_KIND(18)", named), 8);
  EXPECT_EQ(integerValue("1/0", named), std::nullopt);
  EXPECT_EQ(integerValue(".TRUE.", named), std::nullopt);
  EXPECT_EQ(integerValue("M", named), std::nullopt);
}

TEST(MpiLibraries, names) {
  EXPECT_EQ(mpiLibraryNamed("-lmpi_mpifh"), "mpi_mpifh");
  EXPECT_EQ(mpiLibraryNamed("/usr/lib/libmpich.so.12"), "mpich");
  EXPECT_EQ(mpiLibraryNamed("-lmpifort"), "mpifort");
  EXPECT_EQ(mpiLibraryNamed("-lm"), "");
  EXPECT_EQ(mpiLibraryNamed("impi.o"), "");
}

TEST(MpiTable, names) {
  ASSERT_TRUE(findMpiProcedure("mpi_SEND"));
  EXPECT_EQ(findMpiProcedure("mpi_send")->arguments, 7);
  EXPECT_EQ(findMpiProcedure("mpi_wtime")->arguments, 0);
  EXPECT_FALSE(findMpiProcedure("mpi_nothing"));
  EXPECT_EQ(mpiHandleType(findMpiConstant("mpi_sum")->type), "MPI_Op");
}

} // namespace
} // namespace cufc
