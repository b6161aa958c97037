// The reference as assistants read it: names that no source declares, and diagnostics, each with a
// URI of its own, and a search over both.
//
//   cufls://reference/cudafor                    what a module has, a line for each name
//   cufls://reference/cudafor/cudaMemcpyAsync    all that is known of a name
//   cufls://diagnostics/CUF0203                  what a code means
#ifndef CUFLS_MCP_REFERENCE_H
#define CUFLS_MCP_REFERENCE_H

#include "ide/api_table.h"
#include "mcp/tools.h"
#include <optional>

namespace cufc::mcp {

class Reference {
public:
  explicit Reference(ApiTable table) : table(std::move(table)) {}

  // Of the tool `documentation`.
  ToolResult search(const Json &arguments) const;

  // As `resources/list` and `resources/templates/list` name them: modules and groups of names; what
  // the URI of a single name looks like.
  Json resources() const;
  static Json templates();
  // The Markdown behind a URI, or nothing.
  std::optional<std::string> page(const std::string &uri) const;

private:
  std::string chapterPage(const std::string &chapter) const;

  ApiTable table;
};

} // namespace cufc::mcp
#endif // CUFLS_MCP_REFERENCE_H
