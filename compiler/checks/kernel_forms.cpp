// What a kernel can be: a subroutine without the prefixes RECURSIVE and ELEMENTAL. Device
// procedures cannot have RECURSIVE either.
#include "base/diag.h"
#include "checks/check.h"
#include "checks/fixes.h"

namespace cufc {
namespace {

using namespace Fortran;
using Prefixes = std::list<parser::PrefixSpec>;

bool isKernelPrefix(const parser::PrefixSpec &prefix) {
  const auto *attributes = std::get_if<parser::PrefixSpec::Attributes>(&prefix.u);
  if (!attributes)
    return false;
  for (common::CUDASubprogramAttrs attribute : attributes->v)
    if (attribute == common::CUDASubprogramAttrs::Global ||
        attribute == common::CUDASubprogramAttrs::Grid_Global)
      return true;
  return false;
}

bool isDevicePrefix(const parser::PrefixSpec &prefix) {
  const auto *attributes = std::get_if<parser::PrefixSpec::Attributes>(&prefix.u);
  return attributes && std::find(attributes->v.begin(), attributes->v.end(),
                                 common::CUDASubprogramAttrs::Device) != attributes->v.end();
}

const char *forbidden(const parser::PrefixSpec &prefix, bool isKernel) {
  if (std::holds_alternative<parser::PrefixSpec::Recursive>(prefix.u))
    return "recursive";
  if (isKernel && std::holds_alternative<parser::PrefixSpec::Elemental>(prefix.u))
    return "elemental";
  return nullptr;
}

class KernelForms : public ShallowVisitor {
public:
  explicit KernelForms(CheckContext &context) : context(context) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::SubroutineStmt &statement) override {
    return check(std::get<Prefixes>(statement.t), std::get<parser::Name>(statement.t));
  }
  bool Pre(const parser::FunctionStmt &statement) override {
    const auto &prefixes = std::get<Prefixes>(statement.t);
    const auto &name = std::get<parser::Name>(statement.t);
    if (std::any_of(prefixes.begin(), prefixes.end(), isKernelPrefix))
      context.report(Diag::KernelFunction, name.source, name.source.ToString());
    return check(prefixes, name);
  }
  bool Pre(const parser::ExecutionPart &) override { return false; }

private:
  bool check(const Prefixes &prefixes, const parser::Name &name) {
    bool isKernel = std::any_of(prefixes.begin(), prefixes.end(), isKernelPrefix);
    if (!isKernel && std::none_of(prefixes.begin(), prefixes.end(), isDevicePrefix))
      return true;
    for (const parser::PrefixSpec &prefix : prefixes)
      if (const char *word = forbidden(prefix, isKernel))
        report(word, isKernel, name);
    return true;
  }

  // flang keeps no place of a prefix.
  void report(const std::string &word, bool isKernel, const parser::Name &name) {
    parser::CharBlock statement = statementAround(context, name.source);
    std::string_view text(statement.begin(), statement.size());
    size_t at =
        text.substr(0, static_cast<size_t>(name.source.begin() - statement.begin())).find(word);
    parser::CharBlock place = at == std::string_view::npos
                                  ? name.source
                                  : parser::CharBlock{statement.begin() + at, word.size()};
    Diagnostic &found =
        context.report(Diag::KernelPrefix, place, isKernel ? "a kernel" : "device code",
                       name.source.ToString(), word);
    if (at != std::string_view::npos) {
      parser::CharBlock withBlank{place.begin(), word.size() + 1};
      found.fixes.push_back(fixOf("remove '" + word + "'", replace(context, withBlank, "")));
    }
  }

  CheckContext &context;
};

} // namespace

void checkKernelForms(CheckContext &context) { context.visit<KernelForms>(context); }

} // namespace cufc
