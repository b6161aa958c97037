// What a loop nest reads and writes, and how many of its loops are independent iterations: what
// turning it into device code depends on.
//
// Only what can be seen to be safe counts: an array that is written has subscripts made of the loop
// variables in all places where it is named, and a scalar that is written is written before it is
// read in each iteration.
#ifndef CUFLS_IDE_ACTIONS_LOOP_FACTS_H
#define CUFLS_IDE_ACTIONS_LOOP_FACTS_H

#include "ide/actions/source_view.h"
#include <set>

namespace cufc {

struct LoopFacts {
  bool possible = false;      // whether the nest can run on the device at all
  size_t parallel = 0;        // of its loops from outside in
  std::vector<size_t> axes;   // those loops: first the one of the fastest subscript
  std::vector<int> arrays;    // symbols of the file's analysis, in the order of the text
  std::vector<int> scalars;   // that are read
  std::vector<int> constants; // named constants
  std::vector<int> locals;    // written before they are read, with the loop variables
  std::set<int> written;      // arrays
  bool reduction = false;     // a scalar is added up and the like: s = s + ...
};

LoopFacts loopFacts(const ActionContext &context, const UnitAround &unit, const LoopNest &nest);

// A loop nest of host code in free form that is selected and can run on the device.
struct MovableLoop {
  UnitAround unit;
  LoopNest nest;
  LoopFacts facts;
  explicit operator bool() const { return facts.possible; }
};
MovableLoop movableLoopAt(const ActionContext &context);

// Whether an array lies in memory that device code can use.
bool isOnDevice(const SymbolInfo &symbol);

// Copies of host arrays on the device, around some lines.
struct DeviceCopies {
  std::vector<TextChange> edits; // declarations, and other names within the lines
  std::string before, after;     // lines, each with its end
  std::map<int, std::string> names;
  bool possible = true;
};
DeviceCopies deviceCopies(const ActionContext &context, const UnitAround &unit,
                          const std::vector<int> &arrays, const std::set<int> &written,
                          int firstLine, int lastLine);

} // namespace cufc
#endif // CUFLS_IDE_ACTIONS_LOOP_FACTS_H
