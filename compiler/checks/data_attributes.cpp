// Attributes of data that contradict each other and that flang lets pass or only warns of.
#include "base/diag.h"
#include "base/source_text.h"
#include "checks/fixes.h"
#include "checks/scopes.h"

namespace cufc {
namespace {

using namespace Fortran;

// flang gives dummies of device code an attribute that the program has not written.
bool isWritten(const CheckContext &context, const semantics::Symbol &symbol) {
  if (!isOfThisFile(context, symbol))
    return false;
  parser::CharBlock statement = statementAround(context, symbol.name());
  std::string_view before(statement.begin(),
                          static_cast<size_t>(symbol.name().begin() - statement.begin()));
  for (std::string_view word : {"device", "constant", "shared", "managed", "pinned", "unified"})
    if (before.find(word) != std::string_view::npos)
      return true;
  return false;
}

std::string nameOf(common::CUDADataAttr attribute) {
  return lowerCase(common::EnumToString(attribute));
}

// Constant and shared data has its place when the program is built.
const char *movingAttribute(const semantics::Symbol &symbol) {
  if (semantics::IsAllocatable(symbol))
    return "allocatable";
  if (semantics::IsPointer(symbol))
    return "pointer";
  return symbol.attrs().test(semantics::Attr::TARGET) ? "target" : nullptr;
}

// The block or statement in which a variable shares its memory with others.
std::string sharedStorage(const semantics::Symbol &symbol) {
  if (const semantics::Symbol *block = semantics::FindCommonBlockContaining(symbol))
    return block->name().empty() ? "COMMON" : "COMMON /" + block->name().ToString() + "/";
  return semantics::FindEquivalenceSet(symbol) ? "EQUIVALENCE" : "";
}

void contradict(CheckContext &context, parser::CharBlock place, const std::string &name,
                const std::string &one, const std::string &other) {
  context.report(Diag::AttributesContradict, place, name, one, other);
}

void checkVariable(CheckContext &context, const semantics::Symbol &symbol) {
  auto attribute = semantics::GetCUDADataAttr(&symbol);
  if (!attribute)
    return;
  const char *moving = movingAttribute(symbol);
  if (moving && isWritten(context, symbol) &&
      (*attribute == common::CUDADataAttr::Constant ||
       *attribute == common::CUDADataAttr::Shared)) {
    contradict(context, symbol.name(), symbol.name().ToString(), nameOf(*attribute), moving);
  }
  if (std::string storage = sharedStorage(symbol); !storage.empty())
    context.report(Diag::DeviceDataStorage, symbol.name(), symbol.name().ToString(),
                   nameOf(*attribute), storage);
  if (attribute == common::CUDADataAttr::Pinned && !semantics::IsAllocatableOrPointer(symbol) &&
      !semantics::IsDummy(symbol))
    context.report(Diag::PinnedNotAllocatable, symbol.name(), symbol.name().ToString());
  // A value is a copy in the procedure's own memory.
  if (symbol.attrs().test(semantics::Attr::VALUE) && isWritten(context, symbol))
    contradict(context, symbol.name(), symbol.name().ToString(), "value", nameOf(*attribute));
}

// Input and output by NAMELIST leave no place for copies; a group of a module is made of addresses
// that are known when the program is built, which those of managed variables are not.
void checkNamelist(CheckContext &context, const semantics::Symbol &group) {
  using Memory = common::CUDADataAttr;
  const bool isFixed = group.owner().kind() == semantics::Scope::Kind::Module;
  for (const semantics::Symbol &object : group.get<semantics::NamelistDetails>().objects()) {
    auto attribute = semantics::GetCUDADataAttr(&object.GetUltimate());
    bool isOnDevice = attribute == Memory::Device || attribute == Memory::Constant;
    bool isManaged = attribute == Memory::Managed || attribute == Memory::Unified;
    if (isOnDevice || (isManaged && isFixed && !semantics::IsAllocatableOrPointer(object)))
      context.report(Diag::DeviceDataStorage, group.name(), object.name().ToString(),
                     nameOf(*attribute), "NAMELIST /" + group.name().ToString() + "/");
  }
}

// Two places in memory for one variable: in its declaration, or by an ATTRIBUTES statement.
class SeveralMemories : public ShallowVisitor {
public:
  explicit SeveralMemories(CheckContext &context) : context(context) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::TypeDeclarationStmt &declaration) override {
    std::optional<common::CUDADataAttr> first;
    for (const auto &spec : std::get<std::list<parser::AttrSpec>>(declaration.t)) {
      const auto *attribute = std::get_if<common::CUDADataAttr>(&spec.u);
      if (attribute && first && *first != *attribute)
        return report(declaration, *first, *attribute);
      if (attribute)
        first = *attribute;
    }
    return false;
  }
  bool Pre(const parser::CUDAAttributesStmt &statement) override {
    auto attribute = std::get<common::CUDADataAttr>(statement.t);
    for (const parser::Name &name : std::get<std::list<parser::Name>>(statement.t)) {
      auto earlier = semantics::GetCUDADataAttr(name.symbol);
      if (earlier && *earlier != attribute)
        contradict(context, name.source, name.ToString(), nameOf(*earlier), nameOf(attribute));
    }
    return false;
  }
  bool Pre(const parser::ExecutionPart &) override { return false; }

private:
  bool report(const parser::TypeDeclarationStmt &declaration, common::CUDADataAttr one,
              common::CUDADataAttr other) {
    std::string names;
    for (const auto &entity : std::get<std::list<parser::EntityDecl>>(declaration.t))
      names += (names.empty() ? "" : "', '") + std::get<parser::ObjectName>(entity.t).ToString();
    // flang keeps no place of an attribute.
    std::string word = nameOf(other);
    size_t at = std::string_view(source.begin(), source.size()).find(word);
    parser::CharBlock place =
        at == std::string_view::npos ? source : parser::CharBlock{source.begin() + at, word.size()};
    contradict(context, place, names, nameOf(one), word);
    return false;
  }

  CheckContext &context;
};

} // namespace

void checkDataAttributes(CheckContext &context) {
  forEachObject(context, [&](const semantics::Symbol &symbol) { checkVariable(context, symbol); });
  forEachScope(context, [&](const semantics::Scope &scope) {
    for (const auto &[name, symbol] : scope)
      if (&symbol->owner() == &scope && symbol->has<semantics::NamelistDetails>())
        checkNamelist(context, *symbol);
  });
  context.visit<SeveralMemories>(context);
}

} // namespace cufc
