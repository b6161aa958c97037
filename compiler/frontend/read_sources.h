// What flang reads from files while it prescans. Private to frontend/.
#ifndef CUFC_FRONTEND_READ_SOURCES_H
#define CUFC_FRONTEND_READ_SOURCES_H

#include <string>

namespace cufc {

// While it lives, sentinels that flang does not know are opened in each file that flang opens: the
// source and what it includes, at any depth. Positions stay.
class OpenedSentinels {
public:
  struct Form {
    bool fixed = false, cuda = false, openacc = false;
    std::string path = {}; // of the source, unless another file is opened in its place
    std::string text = {}; // that it must have
  };
  explicit OpenedSentinels(Form form);
  ~OpenedSentinels();
  OpenedSentinels(const OpenedSentinels &) = delete;
  OpenedSentinels &operator=(const OpenedSentinels &) = delete;
  // The source had another text when flang opened it: it changed since it was read.
  bool sourceDiffered() const;
};

} // namespace cufc
#endif // CUFC_FRONTEND_READ_SOURCES_H
