// Symbols of each kind, what is known of them, and their scopes.
#include "analysed.h"
#include <gtest/gtest.h>

namespace cufc {
namespace {

const char *text = R"(module shapes
  implicit none
  integer, parameter :: n = 4 * 16 ! how many
  ! A point in space.
  type :: point
    real(8) :: x, y(3) = 0
  contains
    procedure :: length => point_length
  end type
  type, extends(point) :: pixel
    integer :: Colour
  end type
  real, allocatable, device, private :: field(:,:)
  interface norm
    module procedure norm_real, norm_int
  end interface
  namelist /settings/ width
  integer :: width = 3
  common /block/ shared_value
  real :: shared_value
contains
  !> Length of a vector.
  !! Second line.
  pure real(8) function point_length(self)
    class(point), intent(in) :: self
    point_length = self%x + self%y(1)
  end function point_length
  real function norm_real(v) result(total)
    real, intent(in) :: v(:)
    total = sum(v)
  end function
  integer function norm_int(v)
    integer, intent(in) :: v(0:n, *)
    norm_int = v(0, 1)
  end function
  attributes(global) subroutine kernel(a, m)
    real :: a(m)
    integer, value :: m
    real, shared :: tile(32)
    outer: do
      if (m > 0) exit outer
      goto 10
    end do outer
10  a(1) = tile(1)
  end subroutine
end module
program main
  use shapes
  character(len=*), parameter :: title = 'x'
  print *, title, norm([1.0])
end program
)";

class Symbols : public testing::Test {
protected:
  static void SetUpTestSuite() { analysis = new Analysis(analyse(text)); }
  static void TearDownTestSuite() { delete analysis; }
  static const SymbolInfo &of(const std::string &name) { return symbol(*analysis, name); }
  static Analysis *analysis;
};
Analysis *Symbols::analysis = nullptr;

TEST_F(Symbols, HaveKinds) {
  EXPECT_EQ(errors(*analysis), std::vector<std::string>());
  EXPECT_TRUE(analysis->complete);
  EXPECT_EQ(of("shapes").kind, SymbolKind::Module);
  EXPECT_EQ(of("main").kind, SymbolKind::Program);
  EXPECT_EQ(of("n").kind, SymbolKind::Constant);
  EXPECT_EQ(of("point").kind, SymbolKind::DerivedType);
  EXPECT_EQ(of("x").kind, SymbolKind::Component);
  EXPECT_EQ(of("length").kind, SymbolKind::Binding);
  EXPECT_EQ(of("norm").kind, SymbolKind::Generic);
  EXPECT_EQ(of("settings").kind, SymbolKind::Namelist);
  EXPECT_EQ(of("block").kind, SymbolKind::CommonBlock);
  EXPECT_EQ(of("kernel").kind, SymbolKind::Subroutine);
  EXPECT_EQ(of("norm_real").kind, SymbolKind::Function);
  EXPECT_EQ(of("tile").kind, SymbolKind::Variable);
  EXPECT_EQ(of("outer").kind, SymbolKind::Construct);
  EXPECT_EQ(of("10").kind, SymbolKind::Label);
}

TEST_F(Symbols, HaveTypesAndValues) {
  EXPECT_EQ(of("n").type, "integer(4)");
  EXPECT_EQ(of("n").value, "64");
  EXPECT_EQ(of("field").type, "real(4)");
  EXPECT_EQ(of("field").shape, "(:,:)");
  EXPECT_EQ(of("title").type, "character(len=*)");
  EXPECT_EQ(of("self").type, "class(point)");
  EXPECT_EQ(of("self").typeSymbol, rowOf(*analysis, "point"));
  EXPECT_EQ(of("pixel").typeSymbol, rowOf(*analysis, "point"));
  EXPECT_EQ(of("point_length").type, "real(8)");
  EXPECT_EQ(of("a").shape, "(m)");
  EXPECT_EQ(of("Colour").name, "Colour");
}

TEST_F(Symbols, HaveAttributes) {
  EXPECT_EQ(of("field").attributes, (std::vector<std::string>{"allocatable", "private", "device"}));
  EXPECT_EQ(of("field").dataAttributes, data_attribute::Device);
  EXPECT_EQ(of("tile").dataAttributes, data_attribute::Shared);
  EXPECT_EQ(of("kernel").procedureAttributes, procedure_attribute::Global);
  EXPECT_EQ(of("m").attributes, std::vector<std::string>{"value"});
  EXPECT_FALSE(of("field").exported);
  EXPECT_TRUE(of("point").exported);
}

TEST_F(Symbols, AreLinked) {
  EXPECT_EQ(of("kernel").dummies, (std::vector<int>{rowOf(*analysis, "a"), rowOf(*analysis, "m")}));
  EXPECT_EQ(of("a").dummyOf, rowOf(*analysis, "kernel"));
  EXPECT_EQ(of("norm").specifics,
            (std::vector<int>{rowOf(*analysis, "norm_real"), rowOf(*analysis, "norm_int")}));
  EXPECT_EQ(of("length").specifics, std::vector<int>{rowOf(*analysis, "point_length")});
  EXPECT_EQ(of("norm_real").result, rowOf(*analysis, "total"));
  EXPECT_EQ(of("point_length").result, -1); // one symbol
}

TEST_F(Symbols, AreDocumented) {
  EXPECT_EQ(of("n").documentation, "how many");
  EXPECT_EQ(of("point").documentation, "A point in space.");
  EXPECT_EQ(of("point_length").documentation, "Length of a vector.\nSecond line.");
  EXPECT_EQ(of("kernel").documentation, "");
}

TEST_F(Symbols, HavePlaces) {
  EXPECT_EQ(of("kernel").declared, (Place{0, 36, 33, 36, 39}));
  EXPECT_EQ(of("kernel").definition, (Place{0, 36, 3, 45, 17}));
  EXPECT_EQ(of("width").definition, (Place{0, 18, 3, 18, 23}));
  EXPECT_EQ(of("a").declared.line, 37); // where its type is, not in the list of dummies
  EXPECT_EQ(of("10").declared, (Place{0, 44, 1, 44, 3}));
}

TEST_F(Symbols, AreInScopes) {
  const ScopeInfo &kernel = analysis->scopes[of("kernel").ownScope];
  EXPECT_EQ(kernel.kind, ScopeKind::Subprogram);
  EXPECT_TRUE(kernel.device);
  EXPECT_TRUE(kernel.implicitNone);
  EXPECT_EQ(kernel.place, (Place{0, 36, 3, 45, 17}));
  EXPECT_EQ(analysis->scopes[kernel.parent].symbol, rowOf(*analysis, "shapes"));
  EXPECT_EQ(of("tile").scope, of("kernel").ownScope);
  EXPECT_EQ(analysis->scopes[of("point").ownScope].kind, ScopeKind::DerivedType);
  const ScopeInfo &main = analysis->scopes[of("main").ownScope];
  ASSERT_EQ(main.uses.size(), 1u);
  EXPECT_EQ(main.uses[0].module, "shapes");
  EXPECT_FALSE(main.implicitNone);
  EXPECT_FALSE(main.device);
  EXPECT_TRUE(analysis->modulesUsed.empty()); // it is in the file
}

TEST(SymbolsOfOtherFiles, AreThoseThatAreMentioned) {
  Analysis analysis = analyse(R"(subroutine s
  use cudafor, only: d => dim3, cudaDeviceSynchronize
  use iso_c_binding
  type(d) :: grid
  grid = d(1, 2, 3)
  if (cudaDeviceSynchronize() /= cudaSuccess) stop
end subroutine
)");
  EXPECT_EQ(symbol(analysis, "dim3").module, "cudafor");
  EXPECT_EQ(symbol(analysis, "dim3").declared.file, -1);
  EXPECT_EQ(symbol(analysis, "cudadevicesynchronize").module, "cudafor");
  EXPECT_LT(analysis.symbols.size(), 20u);
  EXPECT_EQ(analysis.modulesUsed, (std::vector<std::string>{"cudafor", "iso_c_binding"}));
  const UseInfo &use = analysis.scopes[symbol(analysis, "s").ownScope].uses.at(0);
  EXPECT_TRUE(use.only);
  EXPECT_EQ(use.names, (std::vector<std::string>{"d", "cudadevicesynchronize"}));
  EXPECT_EQ(uses(analysis, "dim3").size(), 4u); // also under the name d
}

TEST(SymbolsOfFixedForm, HaveTheirPlaces) {
  Analysis analysis = analyse("      subroutine s(a)\nc     what it is\n      real a,\n     & b\n"
                              "      b = a\n      end\n",
                              "test.f");
  EXPECT_EQ(symbol(analysis, "b").declared, (Place{0, 4, 8, 4, 9}));
  EXPECT_EQ(symbol(analysis, "b").documentation, "what it is");
  EXPECT_EQ(uses(analysis, "b"), (std::vector<std::string>{"4:8 declaration", "5:7 write"}));
}

TEST(SymbolsOfSubmodules, KnowTheirInterface) {
  Analysis analysis = analyse(R"(module m
  interface
    module subroutine work(x)
      real, intent(inout) :: x
    end subroutine
  end interface
end module
submodule (m) parts
contains
  module procedure work
    x = x + 1
  end procedure
end submodule
)");
  EXPECT_EQ(symbol(analysis, "parts").kind, SymbolKind::Submodule);
  int implementation = -1;
  for (const SymbolInfo &one : analysis.symbols)
    if (one.name == "work" && one.declared.line == 10)
      implementation = one.moduleInterface;
  ASSERT_GE(implementation, 0);
  EXPECT_EQ(analysis.symbols[implementation].declared.line, 3);
  ASSERT_EQ(analysis.interfaces.size(), 2u);
  EXPECT_EQ(analysis.interfaces[1].name, "m:parts");
}

} // namespace
} // namespace cufc
