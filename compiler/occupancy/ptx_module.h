// The PTX of a file taken apart: for each kernel the text that it needs, so that a kernel whose
// code is as before need not be compiled again, and others can be compiled alone.
#ifndef CUFC_OCCUPANCY_PTX_MODULE_H
#define CUFC_OCCUPANCY_PTX_MODULE_H

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cufc {

class PtxModule {
public:
  explicit PtxModule(std::string ptx);
  PtxModule(const PtxModule &) = delete; // items point into the text
  PtxModule &operator=(const PtxModule &) = delete;

  std::string_view text() const { return ptx; }
  const std::vector<std::string> &kernels() const { return names; }

  // A module with these kernels alone and what they use; with the lines of the source, or without,
  // which is what ptxas needs.
  std::string textOf(const std::vector<std::string> &kernels, bool lines) const;

  // Text that is equal for equal code: without lines of the source and without the numbers that
  // depend on what else stands in the module.
  std::string keyOf(const std::string &kernel) const;

  // Whether a kernel calls procedures that are not in the module.
  bool callsOthers(const std::string &kernel) const;

private:
  enum class Kind { Header, Variable, Function, Declaration, File };
  struct Item {
    Kind kind;
    bool entry = false;
    std::string name;
    std::string_view text;
    std::vector<size_t> uses;
  };
  void takeApart();
  void addItem(std::string_view text);
  void findUses();
  std::vector<bool> reached(const std::vector<std::string> &kernels) const;

  const std::string ptx;
  std::vector<Item> items;
  std::vector<std::string> names;
  std::multimap<std::string, size_t, std::less<>> byName;
};

// The text without lines of the source, labels for debuggers and comments.
std::string withoutLines(std::string_view ptx);

} // namespace cufc
#endif // CUFC_OCCUPANCY_PTX_MODULE_H
