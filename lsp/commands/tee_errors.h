// What this process, and the program that it becomes, say on stderr goes to a file too.
#ifndef CUFLS_COMMANDS_TEE_ERRORS_H
#define CUFLS_COMMANDS_TEE_ERRORS_H

#include <string>

namespace cufc {

// False, with errno, if the file cannot be written.
bool teeErrors(const std::string &file);

} // namespace cufc
#endif // CUFLS_COMMANDS_TEE_ERRORS_H
