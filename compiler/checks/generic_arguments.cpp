// Calls by a generic name of which no procedure fits: flang says so of the whole call. Where one of
// the procedures is nearer than the others, because arguments lie in another memory or are of
// another type than it takes, the error is told at these arguments instead.
//
// Each procedure gets a cost: what its arguments lack. Another memory is the smallest mistake, then
// another kind, then another type; a constant or an expression is more likely wrong than a
// variable. A procedure with other arguments (missing, unknown, of another rank) is no candidate;
// flang's message stands if there are none, and if the nearest ones blame different arguments.
#include "checks/generic_arguments.h"
#include "base/calls.h"
#include "base/diag.h"
#include "checks/check.h"
#include "checks/code_visitor.h"
#include "checks/fixes.h"
#include "flang/Evaluate/tools.h"
#include "flang/Semantics/expression.h"
#include "flang/Semantics/tools.h"
#include "frontend/flang_versions.h"
#include "frontend/workarounds/associated_data.h"
#include <algorithm>
#include <cctype>
#include <set>

namespace cufc {
namespace {

using namespace Fortran;
using common::CUDADataAttr;
using evaluate::DynamicType;
using semantics::Symbol;

struct Actual {
  const parser::Expr *written;
  const semantics::SomeExpr *value;
  std::string keyword;
};

struct Problem {
  const parser::Expr *written;
  const Symbol *dummy;
  bool ofMemory;
};

struct Candidate {
  int cost = 0;
  std::vector<Problem> problems;
};

std::optional<CUDADataAttr> memoryOf(const semantics::SomeExpr &value) {
  if (!evaluate::IsVariable(value))
    return std::nullopt;
  const Symbol *symbol = evaluate::GetLastSymbol(value);
  auto memory = semantics::GetCUDADataAttr(symbol ? &symbol->GetUltimate() : nullptr);
  return memory ? memory : inheritedMemory(value);
}

std::string memoryText(std::optional<CUDADataAttr> memory) {
  if (!memory)
    return "data of the host";
  std::string name(common::EnumToString(*memory));
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return name + " data";
}

// How far a type is from the one that is taken; 0 if it fits.
int typeCost(const DynamicType &taken, const DynamicType &given, common::IgnoreTKRSet ignored) {
  if (taken.IsTkCompatibleWith(given, ignored))
    return 0;
  if (taken.category() != given.category())
    return taken.category() == common::TypeCategory::Derived ||
                   given.category() == common::TypeCategory::Derived
               ? 20
               : 10;
  return taken.category() == common::TypeCategory::Derived ? 10 : 4;
}

bool rankFits(const Symbol &dummy, const semantics::SomeExpr &value) {
  const auto &object = dummy.get<semantics::ObjectEntityDetails>();
  if (object.ignoreTKR().test(common::IgnoreTKR::Rank) || object.IsAssumedRank())
    return true;
  if (object.IsArray() && !semantics::IsAssumedShape(dummy))
    return value.Rank() == dummy.Rank() || (value.Rank() == 0 && evaluate::IsVariable(value));
  return value.Rank() == dummy.Rank();
}

class GenericCalls : public CodeVisitor {
public:
  GenericCalls(CheckContext &context, std::vector<Diagnostic> &known)
      : context(context), known(known) {}

  using CodeVisitor::Post;
  using CodeVisitor::Pre;
  bool Pre(const parser::FunctionReference &call) override { return check(call.v, call.source); }
  bool Pre(const parser::CallStmt &call) override { return check(callIn(call), call.source); }

private:
  bool check(const parser::Call &call, parser::CharBlock place) {
    const auto *name = std::get_if<parser::Name>(&std::get<parser::ProcedureDesignator>(call.t).u);
    const auto *generic = name && name->symbol
                              ? name->symbol->GetUltimate().detailsIf<semantics::GenericDetails>()
                              : nullptr;
    if (!generic)
      return true;
    auto error = errorAt(rangeOf(context.program, place), rangeOf(context.program, name->source));
    if (error == known.end())
      return true;
    std::vector<Actual> actuals;
    if (!collect(std::get<std::list<parser::ActualArgSpec>>(call.t), actuals))
      return true;
    if (auto nearest = nearestOf(generic->specificProcs(), actuals)) {
      known.erase(error);
      for (const Problem &problem : nearest->problems)
        report(problem, name->source);
    } else if (const Missing missing = missingOf(generic->specificProcs(), actuals);
               missing.number > 0) {
      known.erase(error);
      context.report(Calls::ArgumentMissing, place, missing.name, missing.number,
                     name->source.ToString());
    }
    return true;
  }

  // The argument without which the call would fit, if it is the same one in all procedures that
  // take what is given.
  struct Missing {
    std::string name;
    size_t number = 0;
  };
  Missing missingOf(const semantics::SymbolVector &procedures, const std::vector<Actual> &actuals) {
    Missing found;
    for (const Symbol &procedure : procedures) {
      const auto *details = procedure.GetUltimate().detailsIf<semantics::SubprogramDetails>();
      const Symbol *dummy = details ? nextDummy(*details, actuals) : nullptr;
      if (!dummy)
        continue;
      std::string name = dummy->name().ToString();
      if (found.number > 0 && name != found.name)
        return {};
      found = {name, actuals.size() + 1};
    }
    return found;
  }

  // The dummy argument behind those that the given arguments are for, if these fit.
  const Symbol *nextDummy(const semantics::SubprogramDetails &procedure,
                          const std::vector<Actual> &actuals) {
    const auto &dummies = procedure.dummyArgs();
    if (dummies.size() <= actuals.size())
      return nullptr;
    Candidate fit;
    for (size_t i = 0; i < actuals.size(); ++i)
      if (!dummies[i] || !actuals[i].keyword.empty() || !compare(*dummies[i], actuals[i], fit))
        return nullptr;
    const Symbol *next = dummies[actuals.size()];
    return next && fit.cost == 0 && !semantics::IsOptional(*next) ? next : nullptr;
  }

  // flang's message about a call that begins at one of two places.
  std::vector<Diagnostic>::iterator errorAt(const SourceRange &call, const SourceRange &name) {
    auto begins = [](const Diagnostic &d, const SourceRange &range) {
      return d.range.file == range.file && d.range.line == range.line &&
             d.range.column == range.column;
    };
    return std::find_if(known.begin(), known.end(), [&](const Diagnostic &d) {
      return d.code == "CUF1214" && (begins(d, call) || begins(d, name));
    });
  }

  bool collect(const std::list<parser::ActualArgSpec> &written, std::vector<Actual> &actuals) {
    for (const parser::ActualArgSpec &argument : written) {
      const auto *expression = std::get_if<common::Indirection<parser::Expr>>(
          &std::get<parser::ActualArg>(argument.t).u);
      const auto *value =
          expression ? semantics::GetExpr(*context.program.context, expression->value()) : nullptr;
      if (!value)
        return false;
      const auto &keyword = std::get<std::optional<parser::Keyword>>(argument.t);
      actuals.push_back(
          {&expression->value(), value, keyword ? keyword->v.source.ToString() : std::string()});
    }
    return true;
  }

  std::optional<Candidate> nearestOf(const semantics::SymbolVector &procedures,
                                     const std::vector<Actual> &actuals) {
    std::optional<Candidate> nearest;
    bool unclear = false;
    for (const Symbol &procedure : procedures) {
      const Symbol &ultimate = procedure.GetUltimate();
      const auto *details = ultimate.detailsIf<semantics::SubprogramDetails>();
      auto candidate = details ? compare(*details, actuals) : std::nullopt;
      if (!candidate || (nearest && candidate->cost > nearest->cost))
        continue;
      bool alike = nearest && candidate->cost == nearest->cost;
      unclear = alike && (unclear || !sameProblems(*candidate, *nearest));
      if (!alike)
        nearest = std::move(candidate);
    }
    if (unclear || !nearest || nearest->problems.empty())
      return std::nullopt;
    return nearest;
  }

  // Whether both would be told in the same words.
  static bool sameProblems(const Candidate &one, const Candidate &other) {
    return std::equal(one.problems.begin(), one.problems.end(), other.problems.begin(),
                      other.problems.end(), [](const Problem &a, const Problem &b) {
                        return a.written == b.written && a.ofMemory == b.ofMemory &&
                               a.dummy->name() == b.dummy->name() &&
                               (a.ofMemory || typeOf(*a.dummy) == typeOf(*b.dummy));
                      });
  }
  static std::string typeOf(const Symbol &dummy) { return textOf(*DynamicType::From(dummy)); }
  static std::string textOf(const DynamicType &type) {
    return type.category() == common::TypeCategory::Character ? "CHARACTER" : type.AsFortran();
  }

  std::optional<Candidate> compare(const semantics::SubprogramDetails &procedure,
                                   const std::vector<Actual> &actuals) {
    auto pairs = associate(procedure.dummyArgs(), actuals);
    if (!pairs)
      return std::nullopt;
    Candidate result;
    for (const auto &[dummy, actual] : *pairs)
      if (!compare(*dummy, *actual, result))
        return std::nullopt;
    return result;
  }

  // Nothing if arguments are missing or too many.
  static std::optional<std::vector<std::pair<const Symbol *, const Actual *>>>
  associate(const std::vector<Symbol *> &dummies, const std::vector<Actual> &actuals) {
    std::vector<std::pair<const Symbol *, const Actual *>> pairs;
    std::set<const Symbol *> given;
    for (size_t i = 0; i < actuals.size(); ++i) {
      const Actual &actual = actuals[i];
      auto found = actual.keyword.empty()
                       ? dummies.begin() + std::min(i, dummies.size())
                       : std::find_if(dummies.begin(), dummies.end(), [&](const Symbol *dummy) {
                           return dummy && dummy->name().ToString() == actual.keyword;
                         });
      if (found == dummies.end() || !*found || !given.insert(*found).second)
        return std::nullopt;
      pairs.emplace_back(*found, &actual);
    }
    for (const Symbol *dummy : dummies)
      if (!dummy || (!given.count(dummy) && !semantics::IsOptional(*dummy)))
        return std::nullopt;
    return pairs;
  }

  // Adds what the argument lacks; false if the procedure is no candidate.
  bool compare(const Symbol &dummy, const Actual &actual, Candidate &candidate) {
    const auto *object = dummy.detailsIf<semantics::ObjectEntityDetails>();
    auto taken = object ? DynamicType::From(dummy) : std::nullopt;
    auto given = actual.value->GetType();
    if (!taken || !given || !rankFits(dummy, *actual.value))
      return false;
    int cost = typeCost(*taken, *given, object->ignoreTKR());
    if (cost > 0 && evaluate::IsVariable(*actual.value))
      ++cost;
    if (cost > 0)
      candidate.problems.push_back({actual.written, &dummy, false});
    candidate.cost += cost;
    bool fits = common::AreCompatibleCUDADataAttrs(object->cudaDataAttr(), memoryOf(*actual.value),
                                                   object->ignoreTKR(), true, false,
                                                   &context.program.context->languageFeatures());
    if (fits || dummy.attrs().test(semantics::Attr::VALUE))
      return true;
    candidate.problems.push_back({actual.written, &dummy, true});
    candidate.cost += 3;
    return true;
  }

  void report(const Problem &problem, parser::CharBlock callee) {
    const semantics::SomeExpr &value =
        *semantics::GetExpr(*context.program.context, *problem.written);
    const Symbol &dummy = *problem.dummy;
    const Symbol *variable = evaluate::GetLastSymbol(value);
    parser::CharBlock place = problem.written->source;
    auto memory = memoryOf(value);
    Diagnostic &found =
        problem.ofMemory
            ? context.report(Diag::ArgumentMemory, place, place.ToString(), memoryText(memory),
                             dummy.name().ToString(), callee.ToString(),
                             memoryText(semantics::GetCUDADataAttr(&dummy)))
            : context.report(Calls::ArgumentType, place, place.ToString(), textOf(*value.GetType()),
                             dummy.name().ToString(), callee.ToString(), typeOf(dummy));
    context.addDeclaration(found, dummy);
    if (variable && !semantics::IsDummy(*variable))
      context.addDeclaration(found, variable->GetUltimate());
    if (problem.ofMemory && !memory && variable && onHost())
      if (auto fix = addAttribute(context, variable->GetUltimate(), "device"))
        found.fixes.push_back(std::move(*fix));
  }

  CheckContext &context;
  std::vector<Diagnostic> &known;
};

} // namespace

void checkGenericArguments(CheckContext &context, Diagnostics &diagnostics) {
  std::vector<Diagnostic> known = diagnostics.list();
  bool any = std::any_of(known.begin(), known.end(),
                         [](const Diagnostic &d) { return d.code == "CUF1214"; });
  if (!any)
    return;
  GenericCalls calls(context, known);
  context.walk(calls);
  diagnostics.replace(std::move(known));
}

} // namespace cufc
