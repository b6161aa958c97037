// Lists of words; which END statement fits is found by a scan from the beginning of the program
// unit.
#include "ide/completion_words.h"
#include "base/source_text.h"
#include "source/blocks.h"
#include "source/statement_words.h"
#include "source/statements.h"
#include <algorithm>

namespace cufc {
namespace {

void all(CompletionItems &items, std::initializer_list<const char *> words,
         Rank rank = Rank::Keyword) {
  for (const char *word : words)
    items.keyword(word, rank);
}

void values(CompletionItems &items) {
  Wanted wanted;
  wanted.data = wanted.functions = wanted.constants = true;
  items.fitting(wanted);
  items.unknownWords();
}

// Directives and clauses of OpenACC (3.3, 1.7).
constexpr const char *openaccWords[] = {"parallel",
                                        "loop",
                                        "kernels",
                                        "serial",
                                        "end",
                                        "data",
                                        "enter",
                                        "exit",
                                        "host_data",
                                        "update",
                                        "wait",
                                        "routine",
                                        "declare",
                                        "atomic",
                                        "cache",
                                        "init",
                                        "shutdown",
                                        "set",
                                        "gang",
                                        "worker",
                                        "vector",
                                        "seq",
                                        "independent",
                                        "auto",
                                        "async()",
                                        "collapse()",
                                        "tile()",
                                        "reduction()",
                                        "private()",
                                        "firstprivate()",
                                        "default()",
                                        "present()",
                                        "copy()",
                                        "copyin()",
                                        "copyout()",
                                        "create()",
                                        "delete()",
                                        "attach()",
                                        "detach()",
                                        "deviceptr()",
                                        "use_device()",
                                        "self()",
                                        "host()",
                                        "device()",
                                        "num_gangs()",
                                        "num_workers()",
                                        "vector_length()",
                                        "if()",
                                        "if_present",
                                        "device_type()",
                                        "read",
                                        "write",
                                        "capture",
                                        "finalize"};

void openaccDirective(CompletionItems &items, const CursorContext &context) {
  if (!context.open.empty()) {
    all(items, {"none", "present"});
    return values(items);
  }
  for (const char *word : openaccWords)
    items.keyword(word, Rank::Keyword);
}

struct OpenBlock {
  Block block;
  std::string name;
};

bool isNameCharacter(char c) {
  return c == '_' || c == '$' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z');
}

// The blocks that are open before a statement, outer ones first.
std::vector<OpenBlock> openBlocks(const Query &query, int firstLine, TextPosition end) {
  std::vector<OpenBlock> open;
  std::string text(query.document().slice({{firstLine, 1}, end}));
  const SourceReading &reading = query.file.reading;
  forEachStatement(text, reading.fixedForm, reading.columns, [&](const Statement &statement) {
    bool inInterface = std::any_of(open.begin(), open.end(), [](const OpenBlock &block) {
      return block.block == Block::Interface;
    });
    StatementRole role = roleOf(statement.text, inInterface);
    if (role.kind == StatementRole::Opens) {
      std::string name = statement.text.substr(role.name, role.nameEnd - role.name);
      open.push_back({role.block, std::move(name)});
    } else if (role.kind == StatementRole::Closes && !open.empty()) {
      auto same = [&](const OpenBlock &block) {
        return role.block == Block::None || block.block == role.block;
      };
      auto found = std::find_if(open.rbegin(), open.rend(), same);
      if (found != open.rend())
        open.erase(found.base() - 1, open.end());
    }
  });
  return open;
}

// The first line of the outermost program unit around the cursor.
int firstLineOf(const Query &query, int scope) {
  const Analysis *analysis = query.file.analysis.get();
  int line = 1;
  for (int number = scope; analysis && number > 0;) {
    const ScopeInfo &info = analysis->scopes[static_cast<size_t>(number)];
    std::optional<TextRange> now = query.file.now(info.place);
    bool procedure = info.kind == ScopeKind::Subprogram || info.kind == ScopeKind::MainProgram;
    if (now && procedure)
      line = now->begin.line;
    number = info.parent;
  }
  return line;
}

} // namespace

void statementWords(CompletionItems &items) {
  for (std::string_view word : wordsWith(word_role::Usual))
    items.keyword(std::string(word), Rank::CommonKeyword);
  for (std::string_view word : wordsWith(word_role::Offered))
    items.keyword(std::string(word), Rank::Keyword);
}

void snippetItems(CompletionItems &items) {
  items.snippet("kernel with its launch",
                "attributes(global) subroutine ${1:kernel}(${2:a}, ${3:n})\n"
                "  real :: ${2:a}(*)\n"
                "  integer, value :: ${3:n}\n"
                "  integer :: i\n"
                "  i = threadIdx%x + (blockIdx%x - 1) * blockDim%x\n"
                "  if (i <= ${3:n}) then\n"
                "    ${2:a}(i) = $0\n"
                "  end if\n"
                "end subroutine\n\n"
                "subroutine launch_${1:kernel}(${2:a}, ${3:n})\n"
                "  real, device :: ${2:a}(*)\n"
                "  integer, intent(in) :: ${3:n}\n"
                "  integer, parameter :: threads = ${4:256}\n"
                "  call ${1:kernel}<<<(${3:n} + threads - 1) / threads, threads>>>(${2:a}, "
                "${3:n})\n"
                "end subroutine");
  items.snippet("cuf kernel loop", "!\\$cuf kernel do <<<${1:*}, ${2:*}>>>\n"
                                   "do ${3:i} = 1, ${4:n}\n  $0\nend do");
  items.snippet("do loop", "do ${1:i} = ${2:1}, ${3:n}\n  $0\nend do");
  items.snippet("if block", "if (${1:condition}) then\n  $0\nend if");
  items.snippet("select case block", "select case (${1:value})\ncase (${2:1})\n  $0\ncase "
                                     "default\nend select");
  items.snippet("subroutine body", "subroutine ${1:name}(${2})\n  $0\nend subroutine");
  items.snippet("function body", "function ${1:name}(${2:x}) result(${3:y})\n  real, intent(in) :: "
                                 "${2:x}\n  real :: ${3:y}\n  $0\nend function");
  items.snippet("device function body",
                "attributes(device) function ${1:name}(${2:x}) result(${3:y})\n  real, value :: "
                "${2:x}\n  real :: ${3:y}\n  $0\nend function");
  items.snippet("module body", "module ${1:name}\n  implicit none\ncontains\n  $0\nend module");
  items.snippet("program body", "program ${1:name}\n  use cudafor\n  implicit none\n  $0\nend "
                                "program");
  items.snippet("type body", "type :: ${1:name}\n  $0\nend type");
}

void attributeWords(CompletionItems &items) {
  for (std::string_view word : wordsWith(word_role::Memory))
    items.keyword(std::string(word), Rank::Local);
  for (std::string_view word : wordsWith(word_role::Data))
    if (word == "intent")
      all(items, {"intent(in)", "intent(inout)", "intent(out)"});
    else if (word == "bind")
      all(items, {"bind(c)"});
    else if (word == "codimension" || word == "dimension")
      items.keyword(std::string(word) + "()", Rank::Keyword);
    else
      items.keyword(std::string(word), Rank::Keyword);
}

void typeAttributeWords(CompletionItems &items) {
  all(items, {"abstract", "bind(c)", "extends()", "private", "public"});
}

void procedurePrefixes(CompletionItems &items) {
  all(items, {"global", "device", "host", "grid_global", "host, device"}, Rank::Best);
}

void directiveWords(CompletionItems &items, const CursorContext &context) {
  if (context.directive != "cuf")
    return openaccDirective(items, context);
  if (context.tokens.empty())
    return all(items, {"kernel do"}, Rank::Best);
  if (context.last()->is("kernel"))
    return all(items, {"do"}, Rank::Best);
  if (!context.open.empty()) {
    if (context.open.back().kind == '(' && context.open.back().token > 0 &&
        context.tokens[context.open.back().token - 1].is("reduce") && context.last()->is("("))
      return all(items, {"+:", "*:", "max:", "min:", "iand:", "ior:", "ieor:"}, Rank::Best);
    return values(items);
  }
  if (context.last()->is("do") && items.withSnippets())
    items.snippet("<<<*, *>>>", "<<<${1:*}, ${2:*}>>>");
  if (context.last()->is(">>>") || context.last()->is(")"))
    all(items, {"reduce()"}, Rank::Best);
}

bool specifierWords(CompletionItems &items, const std::string &statement) {
  struct Row {
    const char *statement;
    std::initializer_list<const char *> words;
  };
  static const Row rows[] = {
      {"allocate", {"stat=", "errmsg=", "source=", "mold=", "stream=", "pinned="}},
      {"deallocate", {"stat=", "errmsg="}},
      {"open",
       {"unit=", "newunit=", "file=", "status=", "action=", "form=", "access=", "position=",
        "recl=", "iostat=", "iomsg=", "err=", "encoding=", "delim=", "blank=", "pad=", "sign="}},
      {"close", {"unit=", "status=", "iostat=", "iomsg=", "err="}},
      {"read",
       {"unit=", "fmt=", "nml=", "rec=", "pos=", "iostat=", "iomsg=", "err=", "end=", "eor=",
        "advance=", "size=", "id="}},
      {"write",
       {"unit=", "fmt=", "nml=", "rec=", "pos=", "iostat=", "iomsg=", "err=", "advance=", "id="}},
      {"inquire",
       {"unit=", "file=", "exist=", "opened=", "number=", "named=", "name=", "size=", "iolength=",
        "form=", "access=", "action=", "iostat=", "iomsg=", "recl=", "pos="}},
      {"rewind", {"unit=", "iostat=", "iomsg="}},
      {"flush", {"unit=", "iostat=", "iomsg="}}};
  for (const Row &row : rows)
    if (statement == row.statement) {
      all(items, row.words, Rank::Imported);
      return true;
    }
  return false;
}

void endStatement(CompletionItems &items, const Query &query, const CursorContext &context) {
  int first = firstLineOf(query, items.names().scope());
  std::vector<OpenBlock> open = openBlocks(query, first, context.begin);
  if (open.empty())
    return;
  auto add = [&](const OpenBlock &block, Rank rank) {
    std::string text = endOf(block.block), name = block.name;
    if (items.capitals())
      std::transform(text.begin(), text.end(), text.begin(),
                     [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    if (context.startsWith("end")) // that is there already
      text = text.substr(std::min<size_t>(4, text.size()));
    if (context.tokens.size() > 1) // "end subroutine" is
      text.clear();
    name = std::find_if_not(name.begin(), name.end(), isNameCharacter) == name.end() ? name : "";
    if (!name.empty())
      items.word(text.empty() ? name : text + " " + name, rank);
    if (!text.empty())
      items.word(text, rank);
  };
  add(open.back(), Rank::Best);
  // The unit's own name is often left out: both are offered, the full form first.
}

} // namespace cufc
