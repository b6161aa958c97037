// One anonymous shared mapping a child.
#include "base/stage.h"
#include <cstring>
#include <sys/mman.h>
#include <utility>

namespace cufc {
namespace {

constexpr size_t length = 64;
char *current = nullptr; // the process's own page, set once after fork

} // namespace

StagePage::StagePage() {
  void *memory = mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  page = memory == MAP_FAILED ? nullptr : static_cast<char *>(memory);
}

StagePage::~StagePage() {
  if (page)
    munmap(page, length);
}

StagePage::StagePage(StagePage &&other) noexcept : page(std::exchange(other.page, nullptr)) {}

StagePage &StagePage::operator=(StagePage &&other) noexcept {
  std::swap(page, other.page);
  return *this;
}

void StagePage::enter() const { current = page; }

std::string StagePage::name() const { return page && page[0] ? page : "before it began"; }

void setStage(const char *stage) {
  if (current)
    std::strncpy(current, stage, length - 1);
}

} // namespace cufc
