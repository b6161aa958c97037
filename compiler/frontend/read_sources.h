// What flang reads from files while it prescans. Private to frontend/.
#ifndef CUFC_FRONTEND_READ_SOURCES_H
#define CUFC_FRONTEND_READ_SOURCES_H

namespace cufc {

// While it lives, sentinels that flang does not know are opened in each file that flang opens: the
// source and what it includes, at any depth. Positions stay.
class OpenedSentinels {
public:
  struct Form {
    bool fixed = false, cuda = false, openacc = false;
  };
  explicit OpenedSentinels(Form form);
  ~OpenedSentinels();
  OpenedSentinels(const OpenedSentinels &) = delete;
  OpenedSentinels &operator=(const OpenedSentinels &) = delete;
};

} // namespace cufc
#endif // CUFC_FRONTEND_READ_SOURCES_H
