// Handles, settings, and the tables of all files together.
#include "libraries/cusolver/cusolver.h"
#include "libraries/cusolverdn.h"

namespace cufrt::libraries::cusolver {

LiveObjects<Context> &contexts() {
  static auto *instance = new LiveObjects<Context>;
  return *instance;
}

LiveObjects<Jacobi> &jacobis() {
  static auto *instance = new LiveObjects<Jacobi>;
  return *instance;
}

namespace {

// The 64-bit interface's settings choose algorithms that LAPACK does not have.
struct Settings {};
LiveObjects<Settings> &allSettings() {
  static auto *instance = new LiveObjects<Settings>;
  return *instance;
}

template <auto &objects>
Status create(void **handle) {
  if (!handle)
    return invalidValue;
  fortranRoutine("dgetrf_"); // says at once if there is none
  *handle = objects().create();
  return ok;
}

template <auto &objects>
Status destroy(void *handle) {
  return objects().destroy(handle) ? ok : notInitialized;
}

Status setStream(void *handle, void *stream) {
  Context *context = contexts().find(handle);
  if (!context)
    return notInitialized;
  if (!host::isStream(stream))
    return invalidValue;
  context->stream = stream;
  return ok;
}

Status getStream(void *handle, void **stream) {
  Context *context = contexts().find(handle);
  if (!context || !stream)
    return context ? invalidValue : notInitialized;
  *stream = context->stream;
  return ok;
}

template <int Context::*member>
Status setMode(void *handle, int mode) {
  Context *context = contexts().find(handle);
  if (!context || mode < 1 || mode > 2)
    return context ? invalidValue : notInitialized;
  context->*member = mode;
  return ok;
}

template <int Context::*member>
Status getMode(void *handle, int *mode) {
  Context *context = contexts().find(handle);
  if (!context || !mode)
    return context ? invalidValue : notInitialized;
  *mode = context->*member;
  return ok;
}

Status setOption(void *settings, int, int) {
  return allSettings().find(settings) ? ok : invalidValue;
}

// Of the library that the interfaces describe.
constexpr int versionParts[] = {12, 0, 0};

Status getProperty(int type, int *value) {
  if (type < 0 || type > 2 || !value)
    return invalidValue;
  *value = versionParts[type];
  return ok;
}

Status getVersion(int *version) {
  if (!version)
    return invalidValue;
  *version = versionParts[0] * 1000;
  return ok;
}

template <auto member, typename Value>
Status set(void *settings, Value value) {
  Jacobi *jacobi = jacobis().find(settings);
  if (!jacobi)
    return notInitialized;
  if (value < 0)
    return invalidValue;
  jacobi->*member = value;
  return ok;
}

// LAPACK's vectors are good to the last digits, so nothing is left.
Status getResidual(void *handle, void *settings, double *residual) {
  if (!contexts().find(handle) || !jacobis().find(settings))
    return notInitialized;
  *residual = 0;
  return ok;
}

Status getSweeps(void *handle, void *settings, int *sweeps) {
  Jacobi *jacobi = jacobis().find(settings);
  if (!contexts().find(handle) || !jacobi)
    return notInitialized;
  *sweeps = jacobi->sweeps;
  return ok;
}

} // namespace

std::span<const HostFunction> helpers() {
  static const HostFunction rows[] = {
      CUFRT_ROW("cusolverDnCreate", create<contexts>),
      CUFRT_ROW("cusolverDnDestroy", destroy<contexts>),
      CUFRT_ROW("cusolverDnSetStream", setStream),
      CUFRT_ROW("cusolverDnGetStream", getStream),
      CUFRT_ROW("cusolverDnSetDeterministicMode", setMode<&Context::deterministic>),
      CUFRT_ROW("cusolverDnGetDeterministicMode", getMode<&Context::deterministic>),
      CUFRT_ROW("cusolverDnSetMathMode", setMode<&Context::math>),
      CUFRT_ROW("cusolverDnGetMathMode", getMode<&Context::math>),
      CUFRT_ROW("cusolverDnCreateParams", create<allSettings>),
      CUFRT_ROW("cusolverDnDestroyParams", destroy<allSettings>),
      CUFRT_ROW("cusolverDnSetAdvOptions", setOption),
      CUFRT_ROW("cusolverGetProperty", getProperty),
      CUFRT_ROW("cusolverGetVersion", getVersion),
      CUFRT_ROW("cusolverDnCreateSyevjInfo", create<jacobis>),
      CUFRT_ROW("cusolverDnDestroySyevjInfo", destroy<jacobis>),
      CUFRT_ROW("cusolverDnXsyevjSetTolerance", (set<&Jacobi::tolerance, double>)),
      CUFRT_ROW("cusolverDnXsyevjSetMaxSweeps", (set<&Jacobi::mostSweeps, int>)),
      CUFRT_ROW("cusolverDnXsyevjSetSortEig", (set<&Jacobi::isSorted, int>)),
      CUFRT_ROW("cusolverDnXsyevjGetResidual", getResidual),
      CUFRT_ROW("cusolverDnXsyevjGetSweeps", getSweeps),
      CUFRT_ROW("cusolverDnCreateGesvdjInfo", create<jacobis>),
      CUFRT_ROW("cusolverDnDestroyGesvdjInfo", destroy<jacobis>),
      CUFRT_ROW("cusolverDnXgesvdjSetTolerance", (set<&Jacobi::tolerance, double>)),
      CUFRT_ROW("cusolverDnXgesvdjSetMaxSweeps", (set<&Jacobi::mostSweeps, int>)),
      CUFRT_ROW("cusolverDnXgesvdjSetSortEig", (set<&Jacobi::isSorted, int>)),
      CUFRT_ROW("cusolverDnXgesvdjGetResidual", getResidual),
      CUFRT_ROW("cusolverDnXgesvdjGetSweeps", getSweeps),
  };
  return rows;
}

} // namespace cufrt::libraries::cusolver

void *cufrt::cusolverdn::hostFunction(const char *name) {
  using namespace cufrt::libraries;
  return findFunction("cusolverdn", name,
                      {cusolver::helpers(), cusolver::factorizations(), cusolver::orthogonal(),
                       cusolver::eigenvalueRoutines(), cusolver::singularValueRoutines(),
                       cusolver::wide(), cusolver::wideSpectra()});
}
