// What frontend/workarounds/plain_expressions.cpp makes of expressions against what flang's parser
// makes of them: the tree, the places of its nodes in the source and the messages, for the cases
// below and for every source of the repository, mistakes included.
#include "base/workarounds.h"
#include "flang/Parser/dump-parse-tree.h"
#include "flang/Parser/parse-tree-visitor.h"
#include "flang/Parser/parsing.h"
#include "flang/Parser/provenance.h"
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <type_traits>
#include <vector>

namespace {

namespace fs = std::filesystem;
namespace parser = Fortran::parser;

template <typename T, typename = void>
struct HasSource : std::false_type {};
template <typename T>
struct HasSource<T, std::enable_if_t<std::is_same_v<decltype(T::source), parser::CharBlock>>>
    : std::true_type {};

// Where the nodes that have a place are, in bytes from the beginning of the prescanned text.
class Places {
public:
  explicit Places(const char *begin) : begin(begin) {}
  template <typename T>
  bool Pre(const T &node) {
    if constexpr (HasSource<T>::value) {
      text += node.source.begin()
                  ? std::to_string(node.source.begin() - begin) + ' ' + node.source.ToString()
                  : "nowhere";
      text += '\n';
    }
    return true;
  }
  template <typename T>
  void Post(const T &) {}
  std::string text;

private:
  const char *begin;
};

struct Result {
  std::string tree, places, messages;
};

Result parse(const fs::path &path, bool plain) {
  cufc::leaveOutWorkarounds(plain ? "" : "plain-expressions");
  parser::AllSources sources;
  parser::AllCookedSources cooked(sources);
  parser::Options options;
  const std::string extension = path.extension().string();
  options.isFixedForm = extension == ".f" || extension == ".F" || extension == ".for";
  options.searchDirectories = {path.parent_path().string()};
  options.features.Enable(Fortran::common::LanguageFeature::CUDA);
  options.features.Enable(Fortran::common::LanguageFeature::OpenMP);
  options.features.Enable(Fortran::common::LanguageFeature::OpenACC);
  options.features.WarnOnAllNonstandard();
  parser::Parsing parsing(cooked);
  parsing.Prescan(path.string(), options);
  Result result;
  llvm::raw_string_ostream messages(result.messages), tree(result.tree);
  if (!parsing.messages().AnyFatalError()) {
    parsing.Parse(llvm::nulls());
    if (const auto &program = parsing.parseTree()) {
      parser::DumpTree(tree, *program);
      Places places(parsing.cooked().AsCharBlock().begin());
      parser::Walk(*program, places);
      result.places = std::move(places.text);
    }
  }
  parsing.messages().Emit(messages, cooked);
  return result;
}

void expectSame(const fs::path &path) {
  const Result flang = parse(path, false), ours = parse(path, true);
  EXPECT_EQ(ours.messages, flang.messages) << path;
  EXPECT_TRUE(ours.tree == flang.tree) << path << "\n" << ours.tree << "\nflang:\n" << flang.tree;
  EXPECT_TRUE(ours.places == flang.places) << path << "\n"
                                           << ours.places << "\nflang:\n"
                                           << flang.places;
}

fs::path written(const std::string &name, const std::string &statements) {
  fs::path path = fs::path(testing::TempDir()) / name;
  std::ofstream(path) << statements;
  return path;
}

// Each line is a program of its own, so that one mistake hides no other line.
const char *const cases[] = {
    "a = b",
    "a = -b + c*d - e/f**g**h",
    "a = (b + c) * (-d) ** 2",
    "a = b*-c",
    "a = b + -c",
    "a = b ** -c",
    "l = .not. a == b .and. .not. .not. c .or. d .eqv. e .neqv. .not. f",
    "l = a < b .lt. c",
    "l = a < b < c",
    "l = .not. a .eq. b",
    "l = a .foo. b .and. .bar. c",
    "l = a .xor. b",
    "l = .t. .or. .false._4 .or. .true. _4",
    "l = .true._k.and..false.",
    "l = 1.eq.2 .or. 1..eq.2. .or. 1.e5.lt.2.d0 .or. .5 > 1.e-3_8",
    "x = 1.5_dp + 2_k*3 + 4_8 - 1.d+10 + 3.q0 + 12u",
    "x = 123456789012345678901234567890_16",
    "x = 1__k",
    "s = 'a' // \"b\" // k_'c' // 1_'d' // 'efg'(1:2) // h%i",
    "s = 3habc",
    "i = b'101' + z'ff' + int(o'7')",
    "x = f() + f(a) + f(a, b=c, d=.true.) + f(a == b, c=d == e)",
    "x = a(i) + a(i, j+1) + a(:) + a(:, 2) + a(1:n) + a(1:n:2) + a(::2) + a(i:) + a(:i)",
    "x = a(i)(2:3) + s(1:2) // a(:)(i:j)",
    "x = p%q + p%q(i) + p(i)%q + p(i)%q%r(j, k) + p%q(:, 1) + p(1:2)%q + p%f(a=b)",
    "x = p%q()%r + p(a=b)%c",
    "x = p % q (i) % r",
    "x = c[2] + c(1)[i] + p%c[1]%d + [1, 2, 3] + [real :: a, b] + (/ 1, 2 /)",
    "x = [(i, i = 1, 10)] + [((a(i, j), i = 1, 2), j = 1, 2)]",
    "z = (1.0, 2.0) + (a, b) * (1, -2.5_8)",
    "x = s%len + s(1:2)%kind + t(1, 2) + t(4)(1, 2)",
    "x = ((((((((a))))))))",
    "p%q(i) = f(g(h(1, [2], k(:))))",
    "p(1)(2:3) = 'ab'",
    "f(x) = x",
    "a(1:2) = b(3:4); b = a",
    "a = b c",
    "a = b +",
    "a = (b + c",
    "a = f(b,, c)",
    "a = f(b, ) + 1",
    "a = b)",
    "a = = b",
    "a == b",
    "a = b % % c",
    "a = 1 + [1, ] + b",
    "a = f(*10, %val(x), %ref(y)) + %loc(z)",
    "a = b <> c",
    "a = x.y",
    "a = $b + c$d + @e",
    "a(i) = merge(1, 2, a(i) > b .and. c(i:i) /= 'x')",
    "if (a > b) c = d",
    "if (a > b .and. f(c(1:2), [d])) call e(a + 1, b=c%d(2))",
    "call k<<<(n + 31) / 32, 32, 0, s>>>(a, n)",
    "call k<<<n>b, 32>>>(a)",
    "print *, 'a', b + c, (d(i), i = 1, n), a(:)(1:2)",
    "write (unit=u, fmt='(a)', iostat=i) a // b, (x, y)",
    "allocate (a(n), b(0:n+1, -1:m), source=c(:))",
    "p => q(1:n)%r",
    "p(1:n) => q",
    "where (a > 0) b = c(:) + 1",
    "forall (i = 1:n, a(i) > 0) b(i) = c(i) + d(i)%e",
    "do i = a(1), b + 2, -c",
    "end",
};

TEST(PlainExpressions, AreWhatFlangMakesOfThem) {
  int count = 0;
  for (const char *statement : cases) {
    const std::string name = "plain_" + std::to_string(count++);
    expectSame(written(name + ".f90", std::string("  ") + statement + "\nend\n"));
    expectSame(written(name + ".f", std::string("      ") + statement + "\n      end\n"));
  }
}

bool isFortran(const fs::path &path) {
  static const char *const extensions[] = {".cuf", ".CUF", ".f90", ".F90", ".f",  ".F",
                                           ".for", ".f95", ".f03", ".f08", ".inc"};
  return std::any_of(std::begin(extensions), std::end(extensions),
                     [&](const char *extension) { return path.extension() == extension; });
}

TEST(PlainExpressions, AreTheSameInAllSourcesOfTheRepository) {
  int count = 0;
  for (const char *folder : {"tests", "docs", "runtime"})
    for (const fs::directory_entry &entry :
         fs::recursive_directory_iterator(fs::path(CUFC_REPOSITORY) / folder))
      if (entry.is_regular_file() && isFortran(entry.path()) && ++count)
        expectSame(entry.path());
  EXPECT_GT(count, 500);
}

} // namespace
