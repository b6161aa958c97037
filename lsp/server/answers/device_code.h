// PTX and machine code of a file, for requests and for documents of a client.
#ifndef CUFLS_SERVER_ANSWERS_DEVICE_CODE_H
#define CUFLS_SERVER_ANSWERS_DEVICE_CODE_H

#include "tables/protocol_messages.h"

namespace cufc {

struct FileCosts;

// What a request for code asks for beside its file.
struct CodeWish {
  bool machineCode = false;
  std::string kernel;              // symbol; empty: all
  int firstLine = 0, lastLine = 0; // of the source; 0: all
};

// The answer to `cufls/deviceCode`; `source` is the text that the code was made of.
protocol::DeviceCode deviceCode(const FileCosts &costs, const CodeWish &wish,
                                const std::string &path, const std::string &source);

} // namespace cufc
#endif // CUFLS_SERVER_ANSWERS_DEVICE_CODE_H
