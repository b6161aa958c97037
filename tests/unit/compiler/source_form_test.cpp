// What suffixes mean.
#include "source/source_form.h"
#include <gtest/gtest.h>

namespace cufc {
namespace {

TEST(SourceForm, fortran) {
  auto expect = [](const char *path, bool fixed, bool cuda, bool preprocess) {
    std::optional<SourceForm> form = sourceForm(path);
    ASSERT_TRUE(form) << path;
    EXPECT_EQ(form->kind, FileKind::Fortran) << path;
    EXPECT_EQ(form->fixed, fixed) << path;
    EXPECT_EQ(form->cuda, cuda) << path;
    EXPECT_EQ(form->preprocess, preprocess) << path;
  };
  expect("a.cuf", false, true, false);
  expect("src.d/a.CUF", false, true, true);
  expect("a.f90", false, false, false);
  expect("a.b.F90", false, false, true);
  expect("a.f", true, false, false);
  expect("a.F", true, false, true);
  for (const char *path : {"a.for", "a.ftn", "a.f77"})
    expect(path, true, false, false);
  for (const char *path : {"a.FOR", "a.FTN", "a.F77"})
    expect(path, true, false, true);
  expect("a.f18", false, false, false);
  expect("a.F18", false, false, true);
}

TEST(SourceForm, otherKinds) {
  EXPECT_EQ(sourceForm("a.cu")->kind, FileKind::CudaC);
  for (const char *path : {"a.o", "liba.a", "liba.so", "liba.so.1.2"})
    EXPECT_EQ(sourceForm(path)->kind, FileKind::Linkable) << path;
}

TEST(SourceForm, unknown) {
  for (const char *path : {"a", "a.xyz", "a.Cuf", ".cuf", "", "a.cuf.txt", "a.so.d/b.d", "a."})
    EXPECT_FALSE(sourceForm(path)) << path;
}

} // namespace
} // namespace cufc
