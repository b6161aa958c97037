// See c_library.h and large_contents.h. The values of MPI_IN_PLACE are those of Open MPI, whose
// handles are pointers, and of MPICH and what is made of it, whose handles are integers.
#include "mpi/c_library.h"
#include "cufrt/device.h"
#include "mpi/large_contents.h"

extern "C" {
__attribute__((weak)) int PMPI_Status_f2c(const int *fortran, void *status);
__attribute__((weak)) int PMPI_Status_c2f(const void *status, int *fortran);
__attribute__((weak)) int PMPI_Type_get_envelope_c(void *type, int64_t *integers,
                                                   int64_t *addresses, int64_t *largeCounts,
                                                   int64_t *types, int *combiner);
__attribute__((weak)) int PMPI_Type_get_contents_c(void *type, int64_t integers, int64_t addresses,
                                                   int64_t largeCounts, int64_t types,
                                                   int *integerArray, int64_t *addressArray,
                                                   int64_t *largeArray, void *typeArray);
}

namespace cufrt::mpi {
namespace {

bool handlesAreIntegers() { return !PMPI_Comm_f2c; }

int integerOf(const void *handle) {
  return static_cast<int>(reinterpret_cast<intptr_t>(handle)); // its lower half
}

// NOLINTNEXTLINE(performance-no-int-to-ptr)
void *pointerOf(intptr_t value) { return reinterpret_cast<void *>(value); }

} // namespace

void *handleOf(FromFortran convert, Handle handle) {
  return convert ? convert(handle) : pointerOf(handle);
}

Handle *handlesOf(Handle *handles, const char *call) {
  if (!handlesAreIntegers())
    fatal(nullptr, 0, "%s: arrays of datatypes are not possible with this MPI library", call);
  return handles;
}

GivenHandle::~GivenHandle() {
  if (value || !to)
    *fortran = to ? to(value) : integerOf(value);
}

CStatus::CStatus(const void *given) : fortran(static_cast<int *>(const_cast<void *>(given))) {
  if (is(Sentinel::statusIgnore, given))
    fortran = nullptr;
  if (fortran)
    PMPI_Status_f2c(fortran, own); // fields that the function does not set stay
}

CStatus::~CStatus() {
  if (fortran)
    PMPI_Status_c2f(own, fortran);
}

void *addressOf(void *buffer) {
  if (is(Sentinel::bottom, buffer))
    return nullptr;
  if (is(Sentinel::inPlace, buffer))
    return pointerOf(handlesAreIntegers() ? -1 : 1);
  return buffer;
}

std::string textOf(const char *text, size_t length) {
  std::string result(text, length);
  return result.substr(0, result.find_last_not_of(' ') + 1);
}

bool haveLargeContents() {
  return PMPI_Type_get_envelope_c && PMPI_Type_get_contents_c && handlesAreIntegers();
}

int envelopeOfLarge(Handle type, Envelope &envelope) {
  return PMPI_Type_get_envelope_c(handleOf(PMPI_Type_f2c, type), &envelope.integers,
                                  &envelope.addresses, &envelope.largeCounts, &envelope.types,
                                  &envelope.combiner);
}

int contentsOfLarge(Handle type, const Envelope &envelope, int *integers, int64_t *addresses,
                    int64_t *largeCounts, Handle *types) {
  return PMPI_Type_get_contents_c(handleOf(PMPI_Type_f2c, type), envelope.integers,
                                  envelope.addresses, envelope.largeCounts, envelope.types,
                                  integers, addresses, largeCounts, types);
}

} // namespace cufrt::mpi
