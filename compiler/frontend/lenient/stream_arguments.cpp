// See stream_arguments.h. flang's table of intrinsic procedures cannot be extended, and what a
// reduction gives has many types, so no procedure of ours could stand for all of them.
//
//   sum(a, stream=s)         ->  sum(a, mask=cufrt_on_stream_8(s))
//   sum(a, 1, m, stream=s)   ->  sum(a, 1, m .and. cufrt_on_stream_8(s))
//   any(l, stream=s)         ->  any(l .and. cufrt_on_stream_8(s))
//
// The function waits for the stream. Lowering takes it away again where the reduction is a kernel,
// which runs in the stream then (lower/stream_arguments.cpp).
#include "frontend/lenient/stream_arguments.h"
#include "flang/Evaluate/tools.h"
#include "flang/Semantics/expression.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/symbol.h"
#include "frontend/statement_visitor.h"
#include <algorithm>

namespace cufc {
namespace {

using namespace Fortran;
using Arguments = std::list<parser::ActualArgSpec>;

// flang's tree needs names in a text that lives as long as it.
constexpr const char functionName[] = "cufrt_on_stream", maskName[] = "mask";

parser::Name nameOf(const char *text, semantics::Symbol *symbol = nullptr) {
  return {parser::CharBlock(text, std::string_view(text).size()), symbol};
}

bool isOneOf(const std::string &name, std::initializer_list<const char *> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class StreamArguments : public StatementVisitor {
public:
  explicit StreamArguments(semantics::SemanticsContext &context) : context(context) {}

  using StatementVisitor::Post;
  using StatementVisitor::Pre;
  bool Pre(const parser::SubroutineSubprogram &unit) override {
    return isOfHost(std::get<parser::Statement<parser::SubroutineStmt>>(unit.t).statement.t);
  }
  bool Pre(const parser::FunctionSubprogram &unit) override {
    return isOfHost(std::get<parser::Statement<parser::FunctionStmt>>(unit.t).statement.t);
  }
  bool Pre(const parser::CUFKernelDoConstruct &) override { return false; }
  void Post(const parser::FunctionReference &reference) override {
    auto &call = const_cast<parser::Call &>(reference.v);
    const auto *name = std::get_if<parser::Name>(&std::get<parser::ProcedureDesignator>(call.t).u);
    if (!name || !name->symbol || !name->symbol->attrs().test(semantics::Attr::INTRINSIC))
      return;
    std::string function = name->source.ToString();
    bool takesMask = isOneOf(function, {"sum", "product", "maxval", "minval", "maxloc", "minloc"});
    if (takesMask || isOneOf(function, {"any", "all", "count"}))
      move(std::get<Arguments>(call.t), takesMask);
  }

private:
  template <typename Parts>
  static bool isOfHost(const Parts &parts) {
    const auto &prefixes = std::get<std::list<parser::PrefixSpec>>(parts);
    return std::none_of(prefixes.begin(), prefixes.end(), [](const parser::PrefixSpec &prefix) {
      const auto *attributes = std::get_if<parser::PrefixSpec::Attributes>(&prefix.u);
      return attributes && attributes->v != std::list{common::CUDASubprogramAttrs::Host};
    });
  }

  static std::string keywordOf(const parser::ActualArgSpec &argument) {
    const auto &keyword = std::get<std::optional<parser::Keyword>>(argument.t);
    return keyword ? keyword->v.source.ToString() : "";
  }
  static parser::Expr *valueOf(parser::ActualArgSpec &argument) {
    auto *value =
        std::get_if<common::Indirection<parser::Expr>>(&std::get<parser::ActualArg>(argument.t).u);
    return value ? &value->value() : nullptr;
  }
  static Arguments::iterator find(Arguments &arguments, const char *keyword) {
    return std::find_if(arguments.begin(), arguments.end(),
                        [&](const auto &argument) { return keywordOf(argument) == keyword; });
  }

  std::optional<evaluate::DynamicType> typeOf(const parser::Expr &value) {
    auto typed = semantics::AnalyzeExpr(context, value);
    return typed ? typed->GetType() : std::nullopt;
  }
  bool isLogical(const parser::Expr &value) {
    auto type = typeOf(value);
    return type && type->category() == common::TypeCategory::Logical;
  }

  // The function for streams of an integer kind; null where module cudafor is not there.
  semantics::Symbol *function(int kind) {
    std::string name = functionName + ("_" + std::to_string(kind));
    for (semantics::Scope *scope : {&context.intrinsicModulesScope(), &context.globalScope()})
      if (auto module = scope->find(parser::CharBlock("cudafor", 7)); module != scope->end())
        if (semantics::Scope *inside = module->second->scope())
          if (auto found = inside->find(parser::CharBlock(name)); found != inside->end())
            return &*found->second;
    return nullptr;
  }

  // cufrt_on_stream(value), or nothing if that is no stream.
  std::optional<parser::Expr> onStream(parser::Expr &value) {
    auto type = typeOf(value);
    if (!type || type->category() != common::TypeCategory::Integer)
      return std::nullopt;
    semantics::Symbol *symbol = function(type->kind());
    if (!symbol)
      return std::nullopt;
    parser::CharBlock source = value.source;
    Arguments arguments;
    arguments.emplace_back(std::optional<parser::Keyword>{}, parser::ActualArg{std::move(value)});
    parser::FunctionReference reference{parser::Call{
        parser::ProcedureDesignator{nameOf(functionName, symbol)}, std::move(arguments)}};
    reference.source = source;
    parser::Expr result{common::Indirection<parser::FunctionReference>{std::move(reference)}};
    result.source = source;
    return result;
  }

  // The argument that is the mask, if there is one.
  parser::Expr *maskOf(Arguments &arguments, bool takesMask) {
    if (auto named = find(arguments, maskName); named != arguments.end())
      return valueOf(*named);
    size_t position = 0;
    for (parser::ActualArgSpec &argument : arguments) {
      parser::Expr *value = keywordOf(argument).empty() ? valueOf(argument) : nullptr;
      bool isMask = takesMask ? position > 0 && value && isLogical(*value) : position == 0;
      if (isMask)
        return value;
      ++position;
    }
    return nullptr;
  }

  void move(Arguments &arguments, bool takesMask) {
    auto stream = find(arguments, "stream");
    parser::Expr *value = stream == arguments.end() ? nullptr : valueOf(*stream);
    auto condition = value ? onStream(*value) : std::nullopt;
    if (!condition)
      return;
    arguments.erase(stream);
    if (parser::Expr *mask = maskOf(arguments, takesMask)) {
      parser::CharBlock source = mask->source;
      parser::Expr both{
          parser::Expr::AND{common::Indirection<parser::Expr>{std::move(*mask)},
                            common::Indirection<parser::Expr>{std::move(*condition)}}};
      both.source = source;
      *mask = std::move(both);
    } else {
      arguments.emplace_back(std::optional<parser::Keyword>{parser::Keyword{nameOf(maskName)}},
                             parser::ActualArg{std::move(*condition)});
    }
  }

  semantics::SemanticsContext &context;
};

} // namespace

void moveStreamArguments(const parser::Program &program, semantics::SemanticsContext &context) {
  StreamArguments visitor(context);
  walkTree(program, visitor);
}

} // namespace cufc
