// The system's C compiler links the programs and so has the answers; the compiler's own libraries
// lie in a folder of which it does not know.
#include "driver/queries.h"
#include "base/diag.h"
#include "base/process.h"
#include "base/terminal_text.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace cufc {
namespace {

// The path of a library of ours, or empty.
std::string ownFile(const std::string &query, const Installation &installation) {
  static constexpr std::string_view question = "-print-file-name=";
  if (!query.starts_with(question) || query.size() == question.size())
    return "";
  std::string path = installation.libraries + "/" + query.substr(question.size());
  return access(path.c_str(), R_OK) == 0 ? path : "";
}

// "libraries: =/usr/lib/:..." with our folder before the others.
std::string withOwnFolder(std::string text, const Installation &installation) {
  static constexpr std::string_view beginning = "libraries: =";
  size_t at = text.find(beginning);
  if (at != std::string::npos)
    text.insert(at + beginning.size(), installation.libraries + "/:");
  return text;
}

} // namespace

bool answer(const std::string &query, const Installation &installation, Diagnostics &diagnostics) {
  std::string text = ownFile(query, installation);
  if (!text.empty()) {
    text += '\n';
  } else if (findProgram("cc").empty()) {
    diagnostics.report(Diag::ToolMissing, {}, std::string("cc"));
    return false;
  } else {
    ProcessResult found = runProcess({"cc", query});
    if (found.status != 0) {
      std::fputs(terminalText(found.output).c_str(), stderr);
      return false;
    }
    text = query == "-print-search-dirs" ? withOwnFolder(found.output, installation) : found.output;
  }
  bool written = std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
  if (!written)
    diagnostics.report(Diag::CannotWrite, {}, std::string("standard output"),
                       std::string(std::strerror(errno)));
  return written;
}

} // namespace cufc
