// Tells flang's analysis of expressions where code runs.
//
// flang compares the memory of an actual argument with that of the dummy. It does not know whether
// the call stands in device code when it looks for the procedure that a generic name means, nor
// ever in the body of a CUF kernel. A constant or an expression counts as host data then, and fits
// no dummy of device code. So device code is analysed as if host and device shared their memory,
// which is a rule of flang's own for data without an attribute: it fits dummies of the device, and
// those of the host less well (CUDA Fortran Programming Guide, "Unified Memory").
//
// flang analyses the expressions of a file in one walk over its tree, ExprChecker::Walk, between
// resolving names and its checks. The linker puts our walk in its place (--wrap in
// compiler/CMakeLists.txt): the same visitor, with this setting in device procedures and in the
// bodies of CUF kernels.
//
// Before it, reductions with a stream get a form that flang knows (stream_arguments.h), and so does
// what other compilers take beyond the standard (lenient_expressions.h, lenient_calls.h).
//
// A generic name may also have two procedures with the same arguments, one for host code and one
// for device code. flang's complaint about them is dropped, and each kind of code sees its own.
// Dummies of assumed shape take sections with gaps (device_sections.h).
#include "base/flang_phrases.h"
#include "base/workarounds.h"
#include "flang/Parser/parse-tree.h"
#include "flang/Semantics/expression.h"
#include "flang/Semantics/semantics.h"
#include "flang/Semantics/tools.h"
#include "frontend/lenient/lenient_calls.h"
#include "frontend/lenient/lenient_expressions.h"
#include "frontend/lenient/stream_arguments.h"
#include "frontend/statement_visitor.h"
#include "frontend/workarounds/associated_generics.h"
#include "frontend/workarounds/device_sections.h"
#include "frontend/workarounds/procedure_components.h"
#include <algorithm>
#include <map>
#include <optional>

namespace cufc {
namespace {

using namespace Fortran;
using common::CUDASubprogramAttrs;
using semantics::Symbol;

const semantics::SubprogramDetails *subprogram(const Symbol &procedure) {
  const Symbol *symbol = &procedure.GetUltimate();
  if (const auto *binding = symbol->detailsIf<semantics::ProcBindingDetails>())
    symbol = &binding->symbol().GetUltimate();
  return symbol->detailsIf<semantics::SubprogramDetails>();
}

CUDASubprogramAttrs attributesOf(const Symbol &procedure) {
  const auto *details = subprogram(procedure);
  auto attributes = details ? details->cudaSubprogramAttrs() : std::nullopt;
  return attributes.value_or(CUDASubprogramAttrs::Host);
}

bool takeTheSame(const Symbol &first, const Symbol &second) {
  const auto *a = subprogram(first), *b = subprogram(second);
  if (!a || !b || a->isFunction() != b->isFunction())
    return false;
  auto isSame = [](const Symbol *x, const Symbol *y) {
    return x && y && x->GetType() && y->GetType() && *x->GetType() == *y->GetType() &&
           x->Rank() == y->Rank();
  };
  const auto &dummies = a->dummyArgs(), &others = b->dummyArgs();
  return std::equal(dummies.begin(), dummies.end(), others.begin(), others.end(), isSame);
}

// Two specific procedures of a generic name that take the same arguments.
struct Twins {
  Symbol *generic; // has GenericDetails
  const Symbol *onHost, *onDevice;
};

void addTwins(Symbol &generic, std::vector<Twins> &found) {
  const auto &specifics = generic.get<semantics::GenericDetails>().specificProcs();
  for (const Symbol &onDevice : specifics)
    if (attributesOf(onDevice) == CUDASubprogramAttrs::Device)
      for (const Symbol &onHost : specifics)
        if (attributesOf(onHost) == CUDASubprogramAttrs::Host && takeTheSame(onHost, onDevice))
          found.push_back({&generic, &onHost, &onDevice});
}

void addTwinsIn(semantics::Scope &scope, std::vector<Twins> &found) {
  for (auto &[name, symbol] : scope)
    if (symbol->has<semantics::GenericDetails>())
      addTwins(*symbol, found);
  for (semantics::Scope &child : scope.children())
    addTwinsIn(child, found);
}

// Whether a message is that flang cannot tell two of them apart. It quotes the generic name and
// theirs, those of procedures bound to a type behind its name.
bool isAboutTwins(const parser::Message &message, const std::vector<Twins> &all) {
  std::string text = message.ToString();
  if (all.empty() || !isPhrase(text, Phrase::AmbiguousSpecifics))
    return false;
  std::vector<std::string> names;
  for (size_t open = text.find('\''); open != std::string::npos; open = text.find('\'', open + 1)) {
    size_t close = std::min(text.find('\'', open + 1), text.size());
    std::string name = text.substr(open + 1, close - open - 1);
    names.push_back(name.substr(name.rfind('%') + 1));
    open = close;
  }
  return names.size() == 3 && std::any_of(all.begin(), all.end(), [&](const Twins &twins) {
           std::string host = twins.onHost->name().ToString(),
                       device = twins.onDevice->name().ToString();
           return (names[1] == host && names[2] == device) ||
                  (names[1] == device && names[2] == host);
         });
}

// Hides from generic names the specific procedures that cannot be called.
class Specifics {
public:
  explicit Specifics(const std::vector<Twins> &all) {
    for (const Twins &twins : all) {
      const auto &details = twins.generic->get<semantics::GenericDetails>();
      Lists &lists = generics.try_emplace(twins.generic, details.specificProcs()).first->second;
      lists.hide(lists.onHost, twins.onDevice);
      lists.hide(lists.onDevice, twins.onHost);
    }
  }
  ~Specifics() {
    for (auto &[generic, lists] : generics)
      list(*generic) = lists.all;
  }
  void use(bool onDevice) {
    for (auto &[generic, lists] : generics)
      list(*generic) = onDevice ? lists.onDevice : lists.onHost;
  }

private:
  struct Lists {
    explicit Lists(const semantics::SymbolVector &all) : all(all), onHost(all), onDevice(all) {}
    static void hide(semantics::SymbolVector &from, const Symbol *procedure) {
      from.erase(std::remove_if(from.begin(), from.end(),
                                [&](const Symbol &symbol) { return &symbol == procedure; }),
                 from.end());
    }
    semantics::SymbolVector all, onHost, onDevice;
  };
  static semantics::SymbolVector &list(Symbol &generic) {
    return const_cast<semantics::SymbolVector &>(
        generic.get<semantics::GenericDetails>().specificProcs());
  }
  std::map<Symbol *, Lists> generics;
};

class HasCufKernel : public ShallowVisitor {
public:
  using StatementVisitor::Pre;
  bool Pre(const parser::CUFKernelDoConstruct &) override { return !(found = true); }
  bool found = false;
};

// Where the expressions of a file stand: sets what flang and generic names are told of it. With
// -gpu=managed allocatables have their attribute since names were resolved; flang's feature would
// take all other data of the host for managed as well.
class Surroundings {
public:
  Surroundings(semantics::SemanticsContext &context, const std::vector<Twins> &twins)
      : features(const_cast<common::LanguageFeatureControl &>(context.languageFeatures())),
        hasManaged(features.IsEnabled(common::LanguageFeature::CudaManaged)), specifics(twins) {
    features.Enable(common::LanguageFeature::CudaManaged, false);
    set();
  }
  Surroundings(const Surroundings &) = delete;
  Surroundings &operator=(const Surroundings &) = delete;
  ~Surroundings() { features.Enable(common::LanguageFeature::CudaManaged, hasManaged); }

  void enter(const parser::SubroutineSubprogram &unit) {
    enter(std::get<parser::Name>(
        std::get<parser::Statement<parser::SubroutineStmt>>(unit.t).statement.t));
  }
  void enter(const parser::FunctionSubprogram &unit) {
    enter(std::get<parser::Name>(
        std::get<parser::Statement<parser::FunctionStmt>>(unit.t).statement.t));
  }
  void enter(const parser::SeparateModuleSubprogram &unit) {
    enter(std::get<parser::Statement<parser::MpSubprogramStmt>>(unit.t).statement.v);
  }
  void leave() {
    procedures.pop_back();
    set();
  }
  void enterKernel() {
    ++kernels;
    set();
  }
  void leaveKernel() {
    --kernels;
    set();
  }

private:
  void enter(const parser::Name &name) {
    auto attributes = name.symbol ? attributesOf(*name.symbol) : CUDASubprogramAttrs::Host;
    procedures.push_back(attributes != CUDASubprogramAttrs::Host &&
                         attributes != CUDASubprogramAttrs::HostDevice);
    set();
  }
  void set() {
    bool onDevice = kernels > 0 || (!procedures.empty() && procedures.back());
    specifics.use(onDevice);
    features.Enable(common::LanguageFeature::CudaUnified,
                    onDevice && isMade(Workaround::DeviceExpressions));
  }

  common::LanguageFeatureControl &features;
  bool hasManaged;
  Specifics specifics;
  std::vector<bool> procedures; // around the node, whether they are device code
  int kernels = 0;
};

// The structure constructors of a file of which no expression is analysed yet.
class Constructors : public ConstructorAnalysis {
public:
  Constructors(evaluate::ExpressionAnalyzer &analyzer, Surroundings *surroundings)
      : ConstructorAnalysis(analyzer), surroundings(surroundings) {}
  using ConstructorAnalysis::Post;
  using ConstructorAnalysis::Pre;
  bool Pre(const parser::SubroutineSubprogram &unit) override { return enter(unit); }
  bool Pre(const parser::FunctionSubprogram &unit) override { return enter(unit); }
  bool Pre(const parser::SeparateModuleSubprogram &unit) override { return enter(unit); }
  void Post(const parser::SubroutineSubprogram &) override { leave(); }
  void Post(const parser::FunctionSubprogram &) override { leave(); }
  void Post(const parser::SeparateModuleSubprogram &) override { leave(); }
  bool Pre(const parser::CUFKernelDoConstruct &) override {
    if (surroundings)
      surroundings->enterKernel();
    return true;
  }
  void Post(const parser::CUFKernelDoConstruct &) override {
    if (surroundings)
      surroundings->leaveKernel();
  }

private:
  template <typename Unit>
  bool enter(const Unit &unit) {
    if (surroundings)
      surroundings->enter(unit);
    return true;
  }
  void leave() {
    if (surroundings)
      surroundings->leave();
  }
  Surroundings *surroundings; // null where nothing depends on them
};

void analyseConstructors(const parser::Program &program, semantics::SemanticsContext &context,
                         Surroundings *surroundings = nullptr) {
  if (!InitialTargets::possible())
    return;
  evaluate::ExpressionAnalyzer analyzer(context);
  Constructors constructors(analyzer, surroundings);
  walkTree(program, constructors);
}

// Has flang's visitor analyse everything. With -gpu=managed allocatables have their attribute since
// names were resolved; flang's feature would take all other data of the host for managed as well.
class Walker : public StatementVisitor {
public:
  Walker(semantics::ExprChecker &checker, Surroundings &surroundings)
      : checker(checker), surroundings(surroundings) {
    analysis = &checker;
  }

  using StatementVisitor::Post;
  using StatementVisitor::Pre;
  bool Pre(const parser::SubroutineSubprogram &unit) override { return enter(unit); }
  bool Pre(const parser::FunctionSubprogram &unit) override { return enter(unit); }
  bool Pre(const parser::SeparateModuleSubprogram &unit) override { return enter(unit); }
  void Post(const parser::SubroutineSubprogram &) override { surroundings.leave(); }
  void Post(const parser::FunctionSubprogram &) override { surroundings.leave(); }
  void Post(const parser::SeparateModuleSubprogram &) override { surroundings.leave(); }
  bool Pre(const parser::CUFKernelDoConstruct &) override {
    surroundings.enterKernel();
    return true;
  }
  void Post(const parser::CUFKernelDoConstruct &) override { surroundings.leaveKernel(); }
  // flang's visitor goes on by itself, to keep quiet about branches that are never taken.
  bool Pre(const parser::IfConstruct &construct) override {
    HasCufKernel kernel;
    walkTree(construct, kernel);
    return kernel.found || checker.Pre(construct);
  }

private:
  template <typename Unit>
  bool enter(const Unit &unit) {
    surroundings.enter(unit);
    return true;
  }

  semantics::ExprChecker &checker;
  Surroundings &surroundings;
};

// A statement function has no code of its own: it is part of whatever code refers to it, and takes
// data of the device there.
class StatementFunctions : public ShallowVisitor {
public:
  using StatementVisitor::Pre;
  bool Pre(const parser::StmtFunctionStmt &statement) override {
    const parser::Name &name = std::get<parser::Name>(statement.t);
    if (auto *details =
            name.symbol ? name.symbol->detailsIf<semantics::SubprogramDetails>() : nullptr)
      details->set_cudaSubprogramAttrs(CUDASubprogramAttrs::HostDevice);
    return false;
  }
};

// The statement "module procedure f" leaves what the interface says of f to the interface. flang
// does so for the dummies, but not for where f runs, nor for its arrays, which are on the device
// then.
class ModuleProcedures : public ShallowVisitor {
public:
  using StatementVisitor::Pre;
  bool Pre(const parser::SeparateModuleSubprogram &unit) override {
    Symbol *symbol =
        std::get<parser::Statement<parser::MpSubprogramStmt>>(unit.t).statement.v.symbol;
    auto *details = symbol ? symbol->detailsIf<semantics::SubprogramDetails>() : nullptr;
    const Symbol *interface = details ? details->moduleInterface() : nullptr;
    const auto *declared =
        interface ? interface->GetUltimate().detailsIf<semantics::SubprogramDetails>() : nullptr;
    if (declared && declared->cudaSubprogramAttrs() && !details->cudaSubprogramAttrs()) {
      details->set_cudaSubprogramAttrs(*declared->cudaSubprogramAttrs());
      details->set_cudaLaunchBounds(std::vector<std::int64_t>(declared->cudaLaunchBounds()));
      details->set_cudaClusterDims(std::vector<std::int64_t>(declared->cudaClusterDims()));
      if (symbol->scope() && semantics::FindCUDADeviceContext(symbol->scope()))
        placeArrays(*symbol->scope());
    }
    return false;
  }

private:
  static void placeArrays(semantics::Scope &scope) {
    for (auto &[name, symbol] : scope) {
      auto *object = symbol->detailsIf<semantics::ObjectEntityDetails>();
      if (object && !object->cudaDataAttr() && !semantics::IsNamedConstant(*symbol) &&
          !symbol->attrs().test(semantics::Attr::VALUE) && (object->IsArray() || object->isDummy()))
        object->set_cudaDataAttr(common::CUDADataAttr::Device);
    }
  }
};

// With -gpu=managed allocatable components without an attribute are managed, too: flang gives it to
// variables alone. A polymorphic one keeps to the host's memory, since its routines allocate it.
void manageComponents(semantics::Scope &scope) {
  if (scope.IsModuleFile())
    return;
  for (auto &[name, symbol] : scope) {
    auto *object =
        scope.IsDerivedType() ? symbol->detailsIf<semantics::ObjectEntityDetails>() : nullptr;
    if (object && !object->cudaDataAttr() && semantics::IsAllocatable(*symbol) &&
        !semantics::IsPolymorphic(*symbol))
      object->set_cudaDataAttr(common::CUDADataAttr::Managed);
  }
  for (semantics::Scope &child : scope.children())
    manageComponents(child);
}

// Some symbol of the tree, which knows the context of all of them.
class AnySymbol : public StatementVisitor {
public:
  using StatementVisitor::Pre;
  bool Pre(const parser::Name &name) override {
    place = name.source;
    symbol = name.symbol;
    stopped = symbol;
    return false;
  }
  const Symbol *symbol = nullptr;
  parser::CharBlock place;
};

// What flang has parsed, of which the place is a part.
bool textHas(std::string_view word, parser::CharBlock place, semantics::SemanticsContext &context) {
  const parser::CookedSource *text = context.allCookedSources().Find(place);
  return !text || viewOf(text->AsCharBlock()).find(word) != std::string_view::npos;
}

} // namespace
} // namespace cufc

// The names follow from the linker's option: flang's function, and ours in its place. A member
// function takes the object as its first argument (Itanium C++ ABI).
extern "C" {
bool __real__ZN7Fortran9semantics11ExprChecker4WalkERKNS_6parser7ProgramE(
    Fortran::semantics::ExprChecker *, const Fortran::parser::Program *);

bool __wrap__ZN7Fortran9semantics11ExprChecker4WalkERKNS_6parser7ProgramE(
    Fortran::semantics::ExprChecker *checker, const Fortran::parser::Program *program) {
  using cufc::isMade, cufc::Workaround;
  cufc::AnySymbol any;
  cufc::walkTree(*program, any);
  auto *context = any.symbol ? &any.symbol->owner().context() : nullptr;
  if (context) {
    cufc::adaptCalls(*program, *context);
    cufc::adaptExpressions(*program, *context);
  }
  std::optional<cufc::InitialTargets> targets;
  if (context)
    targets.emplace(context->globalScope());
  if (context && !context->IsEnabled(Fortran::common::LanguageFeature::CUDA))
    cufc::analyseConstructors(*program, *context);
  if (!context || !context->IsEnabled(Fortran::common::LanguageFeature::CUDA))
    return __real__ZN7Fortran9semantics11ExprChecker4WalkERKNS_6parser7ProgramE(checker, program);
  if (context->IsEnabled(Fortran::common::LanguageFeature::CudaManaged))
    cufc::manageComponents(context->globalScope());
  cufc::StatementFunctions functions;
  if (isMade(Workaround::StatementFunctions))
    cufc::walkTree(*program, functions);
  cufc::ModuleProcedures procedures;
  if (isMade(Workaround::ModuleProcedures))
    cufc::walkTree(*program, procedures);
  if (cufc::textHas("stream", any.place, *context))
    cufc::moveStreamArguments(*program, *context);
  std::optional<cufc::DeviceSections> sections;
  if (isMade(Workaround::DeviceSections))
    sections.emplace(context->globalScope());
  if (isMade(Workaround::AssociatedGenerics))
    cufc::resolveAssociatedGenerics(*program, *context);
  std::vector<cufc::Twins> twins;
  if (isMade(Workaround::GenericTwins))
    cufc::addTwinsIn(context->globalScope(), twins);
  context->messages().messages().remove_if(
      [&](const Fortran::parser::Message &message) { return cufc::isAboutTwins(message, twins); });
  cufc::Surroundings surroundings(*context, twins);
  cufc::analyseConstructors(*program, *context, &surroundings);
  cufc::Walker walker(*checker, surroundings);
  cufc::walkTree(*program, walker);
  return !context->AnyFatalError();
}
}
