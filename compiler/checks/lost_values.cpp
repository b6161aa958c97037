// Scalars of the host that a CUF kernel assigns and that host code reads afterwards, such as the
// place of a largest element. A scalar that the loop assigns before it reads it is a variable of
// each iteration; only what is reduced comes back.
//
// Of each scalar the reads and writes of a procedure are listed in the order of the text. The first
// one in the kernel decides whether it is the iteration's own, the first one behind the kernel that
// is not in another branch whether its value is missed. What may be either, an argument of a call,
// ends the search.
#include "checks/lost_values.h"
#include "base/hazard.h"
#include "base/parallel.h"
#include "checks/check.h"
#include "checks/code_visitor.h"
#include "flang/Semantics/expression.h"
#include "frontend/flang_versions.h"
#include <algorithm>
#include <map>

namespace cufc {
namespace {

using namespace Fortran;
using semantics::Symbol;

// Which branch of each construct around a statement it stands in.
using Branches = std::vector<std::pair<const void *, int>>;

bool excludeEachOther(const Branches &one, const Branches &other) {
  for (size_t i = 0; i < std::min(one.size(), other.size()) && one[i].first == other[i].first; ++i)
    if (one[i].second != other[i].second)
      return true;
  return false;
}

struct Use {
  enum Kind { Read, Assigned, Other } kind;
  parser::CharBlock place;
  const Symbol *procedure;
  Branches branches;
  int kernel; // 0 for host code
};

bool isScalarOfHost(const Symbol &symbol) {
  const auto *object = symbol.detailsIf<semantics::ObjectEntityDetails>();
  return object && !object->cudaDataAttr() && symbol.Rank() == 0 &&
         !semantics::IsNamedConstant(symbol) && !semantics::IsAllocatableOrPointer(symbol) &&
         symbol.owner().kind() != semantics::Scope::Kind::BlockConstruct;
}

class Uses : public CodeVisitor {
public:
  std::map<const Symbol *, std::vector<Use>> ofScalar;
  std::vector<const Symbol *> scalars; // in the order of their first uses

  using CodeVisitor::Post;
  using CodeVisitor::Pre;
  bool Pre(const parser::CUFKernelDoConstruct &construct) override {
    kernel = ++kernels;
    return CodeVisitor::Pre(construct);
  }
  void Post(const parser::CUFKernelDoConstruct &construct) override {
    kernel = 0;
    CodeVisitor::Post(construct);
  }

  bool Pre(const parser::IfConstruct &construct) override { return open(&construct); }
  bool Pre(const parser::CaseConstruct &construct) override { return open(&construct); }
  bool Pre(const parser::SelectTypeConstruct &construct) override { return open(&construct); }
  bool Pre(const parser::SelectRankConstruct &construct) override { return open(&construct); }
  void Post(const parser::IfConstruct &) override { close(); }
  void Post(const parser::CaseConstruct &) override { close(); }
  void Post(const parser::SelectTypeConstruct &) override { close(); }
  void Post(const parser::SelectRankConstruct &) override { close(); }
  bool Pre(const parser::Block &block) override {
    if (inConstruct())
      branches.back().second = ++counts.back();
    return open(&block, -1);
  }
  void Post(const parser::Block &) override {
    close();
    if (inConstruct())
      branches.back().second = 0; // the conditions of a construct are in no branch
  }

  bool Pre(const parser::AssignmentStmt &assignment) override {
    const auto &left = std::get<parser::Variable>(assignment.t);
    walkTree(std::get<parser::Expr>(assignment.t), *this);
    if (const parser::Name *name = wholeName(left))
      add(*name, Use::Assigned);
    else
      walkTree(left, *this);
    return false;
  }
  bool Pre(const parser::LoopControl::Bounds &bounds) override {
    add(variableIn(bounds).thing, Use::Other);
    return true;
  }
  bool Pre(const parser::Expr &) override { return ++expressions > 0; }
  void Post(const parser::Expr &) override { --expressions; }
  bool Pre(const parser::Call &call) override {
    const auto *name = std::get_if<parser::Name>(&std::get<parser::ProcedureDesignator>(call.t).u);
    calls.push_back(!name || !name->symbol ||
                    !name->symbol->attrs().test(semantics::Attr::INTRINSIC));
    return true;
  }
  void Post(const parser::Call &) override { calls.pop_back(); }
  bool Pre(const parser::Name &name) override {
    bool unclear = std::count(calls.begin(), calls.end(), true) > 0;
    add(name, expressions > 0 && !unclear ? Use::Read : Use::Other);
    return false;
  }

private:
  static const parser::Name *wholeName(const parser::Variable &variable) {
    const auto *designator = std::get_if<common::Indirection<parser::Designator>>(&variable.u);
    const auto *data = designator ? std::get_if<parser::DataRef>(&designator->value().u) : nullptr;
    return data ? std::get_if<parser::Name>(&data->u) : nullptr;
  }
  bool inConstruct() const { return !counts.empty() && counts.back() >= 0; }
  bool open(const void *node, int count = 0) {
    branches.emplace_back(node, 0);
    counts.push_back(count);
    return true;
  }
  void close() {
    branches.pop_back();
    counts.pop_back();
  }
  void add(const parser::Name &name, Use::Kind kind) {
    if (!name.symbol || !executing() || !isScalarOfHost(name.symbol->GetUltimate()))
      return;
    const Symbol *symbol = &name.symbol->GetUltimate();
    std::vector<Use> &uses = ofScalar[symbol];
    if (uses.empty())
      scalars.push_back(symbol);
    uses.push_back({kind, name.source, procedure(), branches, kernel});
  }

  Branches branches;       // blocks and constructs around the node
  std::vector<int> counts; // of the constructs' branches so far; -1 for a block
  int kernels = 0, kernel = 0, expressions = 0;
  std::vector<bool> calls; // around the node, whether they may change their arguments
};

// The read by host code that misses the value which a kernel gives a scalar first at `first`.
const Use *missedBy(const std::vector<Use> &uses, size_t first) {
  for (size_t i = first + 1; i < uses.size(); ++i) {
    const Use &use = uses[i];
    if (use.kernel == uses[first].kernel || use.procedure != uses[first].procedure ||
        excludeEachOther(use.branches, uses[first].branches))
      continue;
    return use.kind == Use::Read ? &use : nullptr;
  }
  return nullptr;
}

} // namespace

static void report(const Uses &uses, CheckContext &context) {
  for (const Symbol *scalar : uses.scalars) {
    const std::vector<Use> &list = uses.ofScalar.at(scalar);
    int last = 0;
    for (size_t i = 0; i < list.size(); ++i) {
      bool isFirst = list[i].kernel != 0 && list[i].kernel != last;
      last = list[i].kernel;
      const Use *missed = isFirst && list[i].kind == Use::Assigned ? missedBy(list, i) : nullptr;
      if (!missed)
        continue;
      std::string name = scalar->name().ToString();
      Diagnostic &found = context.report(Parallel::LostValue, list[i].place, name, name);
      found.related.push_back(context.note(Hazard::ReadHere, missed->place, std::string()));
    }
  }
}

void checkLostValues(CheckContext &context) {
  const Uses &uses = context.visit<Uses>();
  context.afterwards([&] { report(uses, context); });
}

} // namespace cufc
