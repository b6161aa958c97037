// A file while it is edited: what one procedure's analysis gives, merged, is what the whole file
// gives.
#include "analysed.h"
#include "base/files.h"
#include "codegen/targets.h"
#include "service/file_session.h"
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cufc {
namespace {

const std::string source = "module m\n"
                           "  implicit none\n"
                           "  integer, parameter :: n = 64\n"
                           "  real, device :: total\n"
                           "contains\n"
                           "  attributes(global) subroutine first(a)\n"
                           "    real :: a(n)\n"
                           "    integer :: i\n"
                           "    i = threadIdx%x\n"
                           "    a(i) = a(i) + total\n"
                           "  end subroutine\n"
                           "  attributes(global) subroutine second(a)\n"
                           "    real :: a(n)\n"
                           "    a(threadIdx%x) = 1\n"
                           "  end subroutine\n"
                           "  subroutine host(a)\n"
                           "    real, device :: a(n)\n"
                           "    call first<<<1, n>>>(a)\n"
                           "    call second<<<1, n>>>(a)\n"
                           "  end subroutine\n"
                           "end module\n";

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  return text.replace(text.find(from), from.size(), to);
}

// A session on a file of a folder of its own, and what it said after each update.
class Editor {
public:
  Editor() {
    static const bool initialised = (initialiseTargets(), true);
    EXPECT_TRUE(initialised);
    request.front.path = folder.path("m.cuf");
    request.front.moduleDirectory = folder.root();
    request.front.intrinsicModules = {CUFC_MODULES};
    request.front.analysis = true;
    worker = Worker::start(request.front);
    session = std::make_unique<FileSession>(
        *worker, request, [this](const Analysis &analysis, FileSession::Quality quality) {
          (quality == FileSession::Quality::Whole ? whole : merged) = analysis;
        });
  }

  // Until the whole text is analysed.
  void write(const std::string &text) {
    whole.reset();
    merged.reset();
    session->update(text);
    while (session->busy()) {
      std::vector<int> descriptors;
      worker->addDescriptors(descriptors);
      session->addDescriptors(descriptors);
      waitFor(descriptors);
      worker->advance();
      session->advance();
    }
  }

  std::optional<Analysis> whole, merged;

private:
  TemporaryFolder folder;
  AnalysisRequest request;
  std::unique_ptr<Worker> worker;
  std::unique_ptr<FileSession> session;
};

// What there is to see in an analysis, in the order of the text.
std::string shown(const Analysis &analysis) {
  std::string text;
  for (const Diagnostic &d : analysis.diagnostics)
    text += fmt::format("{}:{} {} {}\n", d.range.line, d.range.column, d.code, d.message);
  for (const Occurrence &o : analysis.occurrences)
    text +=
        fmt::format("{}:{} {} {}\n", o.place.line, o.place.column,
                    analysis.symbols[static_cast<size_t>(o.symbol)].name, static_cast<int>(o.role));
  for (const LaunchInfo &launch : analysis.launches)
    text += fmt::format("launch {}:{} {}\n", launch.place.line, launch.place.column,
                        launch.kernel < 0 ? "" : symbol(analysis, "first").name);
  return text;
}

TEST(FileSession, AnEditInAProcedureIsAnsweredByItAlone) {
  Editor editor;
  editor.write(source);
  ASSERT_TRUE(editor.whole);
  EXPECT_FALSE(editor.merged);
  EXPECT_EQ(errors(*editor.whole), std::vector<std::string>{});
  editor.write(replaced(source, "    i = threadIdx%x\n", "    i = threadIdx%x\n    i = i + 0\n"));
  ASSERT_TRUE(editor.merged);
  ASSERT_TRUE(editor.whole);
  EXPECT_EQ(shown(*editor.merged), shown(*editor.whole));
  EXPECT_EQ(editor.merged->symbols.size(), editor.whole->symbols.size());
}

TEST(FileSession, ErrorsInAProcedureAreTheSame) {
  Editor editor;
  editor.write(source);
  editor.write(replaced(source, "a(threadIdx%x) = 1", "b(threadIdx%x) = 1\n    a(1) = undeclared"));
  ASSERT_TRUE(editor.merged);
  EXPECT_FALSE(errors(*editor.whole).empty());
  EXPECT_EQ(errors(*editor.merged), errors(*editor.whole));
  editor.write(source);
  ASSERT_TRUE(editor.merged);
  EXPECT_EQ(errors(*editor.merged), std::vector<std::string>{});
}

TEST(FileSession, AStatementThatIsBeingTypedConcernsItsProcedureAlone) {
  Editor editor;
  editor.write(source);
  editor.write(replaced(source, "i = threadIdx%x\n", "i = threadIdx%x +\n"));
  ASSERT_TRUE(editor.merged);
  EXPECT_FALSE(editor.merged->complete);
  EXPECT_EQ(errors(*editor.merged), errors(*editor.whole));
  editor.write(replaced(source, "i = threadIdx%x\n", "i = threadIdx%x + (\n"));
  ASSERT_TRUE(editor.merged);
  EXPECT_FALSE(editor.merged->complete);
  EXPECT_EQ(errors(*editor.merged), errors(*editor.whole));
  editor.write(replaced(source, "i = threadIdx%x\n", "i = threadIdx%x + 1\n"));
  ASSERT_TRUE(editor.merged);
  EXPECT_TRUE(editor.merged->complete);
  EXPECT_EQ(shown(*editor.merged), shown(*editor.whole));
}

TEST(FileSession, AStatementLeftOutElsewhereStaysSo) {
  const std::string broken = replaced(source, "i = threadIdx%x\n", "i = threadIdx%x +\n");
  Editor editor;
  editor.write(broken);
  ASSERT_TRUE(editor.whole);
  EXPECT_FALSE(editor.whole->complete);
  editor.write(replaced(broken, "a(threadIdx%x) = 1", "a(threadIdx%x) = 2"));
  ASSERT_TRUE(editor.merged);
  EXPECT_FALSE(editor.merged->complete);
  EXPECT_EQ(errors(*editor.merged), errors(*editor.whole));
  editor.write(replaced(source, "a(threadIdx%x) = 1", "a(threadIdx%x) = 2"));
  ASSERT_TRUE(editor.merged);
  EXPECT_TRUE(editor.merged->complete);
  EXPECT_EQ(shown(*editor.merged), shown(*editor.whole));
}

// The lines that differ are found from both ends of the texts.
TEST(FileSession, LinesThatComeAndGo) {
  const std::string line = "    a(i) = a(i) + total\n";
  Editor editor;
  editor.write(source);
  std::string twice = replaced(source, line, line + line);
  for (const std::string &text : {twice, source, replaced(source, line, ""), twice}) {
    editor.write(text);
    ASSERT_TRUE(editor.merged);
    EXPECT_EQ(shown(*editor.merged), shown(*editor.whole));
  }
  editor.write(twice.substr(0, twice.size() - 1)); // the last line ends with the text
  EXPECT_FALSE(editor.merged);
  EXPECT_EQ(errors(*editor.whole), std::vector<std::string>{});
}

TEST(FileSession, AChangedInterfaceNeedsTheWholeFile) {
  Editor editor;
  editor.write(source);
  editor.write(replaced(source, "subroutine second(a)", "subroutine second(a, b)"));
  EXPECT_FALSE(editor.merged);
  editor.write(source);
  editor.write(replaced(source, "    real :: a(n)\n    a(thr", "    real(8) :: a(n)\n    a(thr"));
  EXPECT_FALSE(editor.merged);
  EXPECT_FALSE(errors(*editor.whole).empty());
}

TEST(FileSession, ANewTextReplacesOneThatIsStillAnalysed) {
  Editor editor;
  for (const char *extent : {"1", "2", "3"})
    editor.write(replaced(source, "n = 64", std::string("n = ") + extent));
  ASSERT_TRUE(editor.whole);
  EXPECT_EQ(symbol(*editor.whole, "n").value, "3");
}

} // namespace
} // namespace cufc
