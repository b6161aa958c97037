// PTX or machine code of kernels beside the lines of the source that it comes from.
#ifndef CUFC_OCCUPANCY_CODE_VIEW_H
#define CUFC_OCCUPANCY_CODE_VIEW_H

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cufc {

struct CodeLine {
  std::string text;
  int source = 0; // line of the source; 0 where none is known
};

struct MemoryAccess {
  size_t codeLine; // index of CodeView::lines
  int source;
  std::string operation; // "ld.global"
  int bytes;             // of a thread
  std::string verdict; // how the accesses of a warp lie; empty for memory where it does not matter
};

struct CodeView {
  std::string kernel;
  bool machineCode = false;
  std::vector<CodeLine> lines;
  std::map<std::string, int> mix; // instructions by kind
  std::vector<MemoryAccess> memory;
};

// Of a module with one kernel and lines of the source, as PtxModule::textOf gives it.
CodeView viewPtx(const std::string &kernel, std::string_view ptx, std::string_view sourcePath);

// Of the text of nvdisasm with lines, a view for each function.
std::vector<CodeView> viewSass(std::string_view text, std::string_view sourcePath);

// What comes from some lines of the source alone.
CodeView selected(const CodeView &view, int firstLine, int lastLine);

// Views as one text: each with a summary in front, and a comment above each run of lines that come
// from one line of the source.
struct CodeText {
  std::string text;
  std::vector<std::pair<int, int>> lines; // of the text (from 0) and of the source (from 1)
  int count = 0;                          // of lines

  // Returns where each line of the view stands in the text.
  std::vector<int> add(const CodeView &view, std::string_view source);

private:
  void addLine(const std::string &line);
};

// The machine code in a cubin, as nvdisasm writes it with lines; empty with a problem.
std::string disassemble(const std::string &nvdisasm, const std::string &cubin,
                        std::string &problem);

// The stride of an address among neighbouring threads of a warp, for each memory instruction of a
// function in PTX, by the number of its line; what is not known is not in it.
std::map<size_t, long long> threadStrides(const std::vector<CodeLine> &lines);

// The lines of memory instructions whose address is the same in all threads of a grid.
std::set<size_t> sharedByAll(const std::vector<CodeLine> &lines);

} // namespace cufc
#endif // CUFC_OCCUPANCY_CODE_VIEW_H
