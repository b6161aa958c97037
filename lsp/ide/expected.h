// What the place of the cursor wants: the type, rank and memory of an argument's dummy, the type of
// a variable that is assigned; and how well names fit.
#ifndef CUFLS_IDE_EXPECTED_H
#define CUFLS_IDE_EXPECTED_H

#include "ide/cursor_context.h"
#include "ide/visible_names.h"

namespace cufc {

class Expected {
public:
  Expected(const VisibleNames &names, const CursorContext &context, bool deviceCode);

  // 1 for what neither fits nor does not; more for what fits.
  double fit(const SymbolInfo &symbol) const;
  double fit(const std::string &resultType) const; // of a function of the table

private:
  struct Value {
    std::string type; // "real(8)", "type(point)"
    bool array = false;
    std::optional<bool> device; // which memory, if that counts
    std::string needs;          // an attribute: "allocatable"
  };
  void ofArgument(const VisibleNames &names, const CursorContext &context);
  void ofDummy(SymbolRef procedure, int number, const std::string &keyword);
  void ofAssignment(const VisibleNames &names, const CursorContext &context);
  static double fit(const Value &value, const SymbolInfo &symbol);

  bool deviceCode;
  bool assigned = false;     // the cursor stands where a variable is assigned
  std::vector<Value> values; // any of them, of a generic name
};

} // namespace cufc
#endif // CUFLS_IDE_EXPECTED_H
