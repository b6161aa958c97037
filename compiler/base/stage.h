// What a child process is doing, kept where its parent can read it after a crash.
#ifndef CUFC_BASE_STAGE_H
#define CUFC_BASE_STAGE_H

#include <string>

namespace cufc {

// A page that is shared with processes forked later.
class StagePage {
public:
  StagePage();
  ~StagePage();
  StagePage(StagePage &&other) noexcept;
  StagePage &operator=(StagePage &&other) noexcept;
  StagePage(const StagePage &) = delete;
  StagePage &operator=(const StagePage &) = delete;

  // In the child: setStage writes to this page from now on.
  void enter() const;
  // What was named last, or "before it began".
  std::string name() const;

private:
  char *page = nullptr;
};

// Names what the process is doing, for the message after a crash: "while parsing".
void setStage(const char *stage);

} // namespace cufc
#endif // CUFC_BASE_STAGE_H
