// See mentions.h. One walk over the parse tree.
#include "checks/mentions.h"
#include "flang/Parser/tools.h"
#include "frontend/flang_versions.h"

namespace cufc {

using namespace Fortran;
using semantics::Symbol;

class MentionVisitor : public StatementVisitor {
public:
  MentionVisitor(CheckContext &context, Mentions &mentions)
      : context(context), mentions(mentions) {}

  using StatementVisitor::Post;
  using StatementVisitor::Pre;
  void Post(const parser::Name &name) override { mention(name, true); }

  bool Pre(const parser::Keyword &) override { return false; }
  bool Pre(const parser::ProcedureDesignator &designator) override {
    if (const auto *name = std::get_if<parser::Name>(&designator.u)) {
      mention(*name, false);
      return false;
    }
    return true;
  }
  bool Pre(const parser::InterfaceBody &) override { return ++interfaces > 0; }
  void Post(const parser::InterfaceBody &) override { --interfaces; }

  // Declarations
  bool Pre(const parser::TypeDeclarationStmt &declaration) override {
    walkTree(std::get<parser::DeclarationTypeSpec>(declaration.t), *this);
    walkTree(std::get<std::list<parser::AttrSpec>>(declaration.t), *this);
    const auto &list = std::get<std::list<parser::EntityDecl>>(declaration.t);
    size_t position = 0;
    for (const parser::EntityDecl &entity : list) {
      const auto &name = std::get<parser::ObjectName>(entity.t);
      if (interfaces == 0 && name.symbol)
        mentions.entities.push_back({&name, source, position, list.size()});
      ++position;
      walkTree(std::get<std::optional<parser::ArraySpec>>(entity.t), *this);
      walkTree(std::get<std::optional<parser::CharLength>>(entity.t), *this);
      walkTree(std::get<std::optional<parser::Initialization>>(entity.t), *this);
    }
    return false;
  }
  bool Pre(const parser::CUDAAttributesStmt &) override { return false; }
  bool Pre(const parser::IntentStmt &) override { return false; }
  bool Pre(const parser::OptionalStmt &) override { return false; }
  bool Pre(const parser::ValueStmt &) override { return false; }
  bool Pre(const parser::TargetStmt &) override { return false; }
  bool Pre(const parser::AllocatableStmt &) override { return false; }
  bool Pre(const parser::VolatileStmt &) override { return false; }
  bool Pre(const parser::AsynchronousStmt &) override { return false; }
  bool Pre(const parser::AccessStmt &) override { return ++accesses > 0; }
  void Post(const parser::AccessStmt &) override { --accesses; }

  // The index of an implied DO, DO CONCURRENT or FORALL is a variable of its own, which gets its
  // type from the one that has its name around it.
  bool Pre(const parser::LoopControl::Bounds &bounds) override { return mentionIndex(bounds); }
  bool Pre(const parser::AcImpliedDoControl::Bounds &bounds) override {
    return mentionIndex(bounds);
  }
  bool Pre(const parser::DataImpliedDo::Bounds &bounds) override { return mentionIndex(bounds); }
  bool Pre(const parser::ConcurrentControl &control) override {
    mentionAround(std::get<parser::Name>(control.t));
    return true;
  }

  // Heads and ends
  bool Pre(const parser::SubroutineStmt &statement) override {
    walkTree(std::get<std::list<parser::PrefixSpec>>(statement.t), *this);
    return false;
  }
  bool Pre(const parser::FunctionStmt &statement) override {
    walkTree(std::get<std::list<parser::PrefixSpec>>(statement.t), *this);
    return false;
  }
  bool Pre(const parser::EntryStmt &) override { return false; }
  bool Pre(const parser::MpSubprogramStmt &) override { return false; }
  bool Pre(const parser::EndSubroutineStmt &) override { return false; }
  bool Pre(const parser::EndFunctionStmt &) override { return false; }
  bool Pre(const parser::EndMpSubprogramStmt &) override { return false; }
  bool Pre(const parser::EndProgramStmt &) override { return false; }
  bool Pre(const parser::EndModuleStmt &) override { return false; }
  bool Pre(const parser::UseStmt &use) override {
    if (interfaces == 0 && !source.empty())
      mentions.uses.push_back({&use, source, &context.program.context->FindScope(source)});
    return false;
  }

private:
  template <typename Bounds>
  bool mentionIndex(const Bounds &bounds) {
    if (const auto *name = parser::Unwrap<parser::Name>(variableIn(bounds)))
      mentionAround(*name);
    return true;
  }
  void mention(const parser::Name &name, bool refers) {
    const Symbol *symbol = name.symbol;
    bool isProcedure = symbol && symbol->GetUltimate().has<semantics::SubprogramDetails>();
    if (isProcedure && refers && accesses == 0)
      mentions.referred.insert(&symbol->GetUltimate());
    add(symbol);
    // What a generic name was resolved to hides the name that is visible here, and parameters of
    // kinds have no symbol.
    if ((!symbol || isProcedure) && !source.empty()) {
      const semantics::Scope &scope = context.program.context->FindScope(source);
      add(scope.FindSymbol(name.source));
      // What frontend/workarounds/pointer_calls.h put in place of a name of cudafor.
      constexpr std::string_view ours = "cufrt_";
      std::string text = name.ToString();
      if (text.compare(0, ours.size(), ours) == 0)
        add(scope.FindSymbol(
            parser::CharBlock(text.data() + ours.size(), text.size() - ours.size())));
    }
  }
  void mentionAround(const parser::Name &name) {
    const semantics::Scope *scope =
        source.empty() ? nullptr : &context.program.context->FindScope(source);
    for (bool isIndex = true; scope && isIndex && !scope->IsGlobal();) {
      const Symbol *symbol = scope->FindSymbol(name.source);
      add(symbol);
      scope = symbol ? &symbol->owner() : nullptr;
      isIndex = scope && (scope->kind() == semantics::Scope::Kind::OtherConstruct ||
                          scope->kind() == semantics::Scope::Kind::ImpliedDos ||
                          scope->kind() == semantics::Scope::Kind::Forall);
      scope = isIndex ? &scope->parent() : nullptr;
    }
  }
  void add(const Symbol *symbol) {
    while (symbol && mentions.symbols.insert(symbol).second)
      if (const auto *host = symbol->detailsIf<semantics::HostAssocDetails>())
        symbol = &host->symbol();
      else if (symbol->has<semantics::UseDetails>())
        symbol = nullptr; // the symbol of the module is another one
  }

  CheckContext &context;
  Mentions &mentions;
  int interfaces = 0, accesses = 0;
};

Mentions::Mentions(CheckContext &context) {
  MentionVisitor visitor(context, *this);
  context.walk(visitor);
}

} // namespace cufc
