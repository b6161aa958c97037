// See tool.h.
#include "libraries/nvtx/tool.h"

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>

namespace cufrt::nvtx {
namespace {

const nvtxEventAttributes_t *attributes(Event event) {
  return reinterpret_cast<const nvtxEventAttributes_t *>(event);
}
nvtxDomainHandle_t domainOf(void *handle) { return static_cast<nvtxDomainHandle_t>(handle); }

} // namespace

const Tool *tool() {
  static const Tool table = {
      [](const void *reserved) { nvtxInitialize(reserved); },
      [](Event event) { return nvtxRangePushEx(attributes(event)); },
      [] { return nvtxRangePop(); },
      [](Event event) { return nvtxRangeStartEx(attributes(event)); },
      [](uint64_t id) { nvtxRangeEnd(id); },
      [](Event event) { nvtxMarkEx(attributes(event)); },
      [](uint32_t category, const char *name) { nvtxNameCategoryA(category, name); },
      [](uint32_t thread, const char *name) { nvtxNameOsThreadA(thread, name); },
      [](const char *name) -> void * { return nvtxDomainCreateA(name); },
      [](void *domain) { nvtxDomainDestroy(domainOf(domain)); },
      [](void *domain, const char *text) -> void * {
        return nvtxDomainRegisterStringA(domainOf(domain), text);
      },
      [](void *domain, uint32_t category, const char *name) {
        nvtxDomainNameCategoryA(domainOf(domain), category, name);
      },
      [](void *domain, Event event) { nvtxDomainMarkEx(domainOf(domain), attributes(event)); },
      [](void *domain, Event event) {
        return nvtxDomainRangePushEx(domainOf(domain), attributes(event));
      },
      [](void *domain) { return nvtxDomainRangePop(domainOf(domain)); },
      [](void *domain, Event event) {
        return nvtxDomainRangeStartEx(domainOf(domain), attributes(event));
      },
      [](void *domain, uint64_t id) { nvtxDomainRangeEnd(domainOf(domain), id); }};
  return &table;
}

} // namespace cufrt::nvtx

#else

namespace cufrt::nvtx {
const Tool *tool() { return nullptr; }
} // namespace cufrt::nvtx

#endif
