// Accesses of global memory in which neighbouring threads are more than one element apart:
// Fortran's first subscript runs fastest, and so does threadidx%x, so that threadidx%x belongs into
// the first subscript with the factor 1 (CUDA C++ best practices guide, "Coalesced access to global
// memory").
#include "checks/hazards/accesses.h"
#include "checks/hazards/hazard.h"
#include <set>

namespace cufc::hazards {
namespace {

bool isGlobal(const Variable &variable) {
  return variable.memory == Memory::Device || variable.memory == Memory::Managed;
}

std::string extentText(const Variable &array, size_t dimension) {
  if (dimension < array.extents.size())
    if (const auto &extent = array.extents[dimension])
      return std::to_string(*extent);
  if (dimension < array.extentTexts.size() && !array.extentTexts[dimension].empty())
    return array.extentTexts[dimension];
  return "size(" + array.name + "," + std::to_string(dimension + 1) + ")";
}

// The stride of elements that dimensions before this one make.
std::string strideText(const Variable &array, size_t dimension, long long factor) {
  long long known = factor < 0 ? -factor : factor;
  std::string unknown;
  for (size_t i = 0; i < dimension; ++i)
    if (auto extent = i < array.extents.size() ? array.extents[i] : std::nullopt)
      known *= *extent;
    else
      unknown += (unknown.empty() ? "" : " * ") + extentText(array, i);
  if (unknown.empty())
    return std::to_string(known);
  return known == 1 ? unknown : std::to_string(known) + " * " + unknown;
}

// The first dimension whose subscript moves with threadidx%x, and the stride in elements; empty if
// the access is as it should be, or not known.
std::string strideOf(const Access &access, ThreadValues &values, size_t &dimension) {
  const Variable &array = *access.element->variable;
  Atom x = values.thread(0);
  for (dimension = 0; dimension < access.subscripts.size(); ++dimension) {
    const Polynomial &subscript = access.subscripts[dimension];
    if (isIrregular(subscript, values))
      return {};
    Polynomial factor = subscript.coefficient(x);
    if (factor.terms.empty())
      continue;
    auto known = factor.asConstant();
    if (!known)
      return dimension > 0 || values.dependence(factor).any() ? std::string() : values.text(factor);
    std::string stride = strideText(array, dimension, *known);
    return stride == "1" ? std::string() : stride;
  }
  return {};
}

void check(Hazards &hazards, const Procedure &procedure) {
  Extents block = hazards.launches.blockOf(procedure);
  if (procedure.kernel && block[0] == 1)
    return;
  ThreadValues &values = hazards.valuesOf(procedure);
  std::set<std::pair<const Variable *, std::string>> reported;
  for (const Access &access : hazards.accessesOf(procedure)) {
    const Variable &array = *access.element->variable;
    size_t dimension = 0;
    if (!isGlobal(array) || access.subscripts.empty())
      continue;
    std::string stride = strideOf(access, values, dimension);
    if (stride.empty() || !reported.insert({&array, stride}).second)
      continue;
    Diagnostic &diagnostic = hazards.report(Hazard::StridedAccess, access.element->place,
                                            array.name, stride, static_cast<Number>(dimension + 1));
    hazards.relate(diagnostic, Hazard::ArrayHere, array.declaration, array.name);
  }
}

} // namespace

void findStridedAccess(Hazards &hazards) {
  for (const Procedure &procedure : hazards.model.procedures)
    if (procedure.device)
      check(hazards, procedure);
}

} // namespace cufc::hazards
