// Module files with fewer statements: flang's parser takes most of the time of reading them, and
// its time grows with their number.
#ifndef CUFC_FRONTEND_FEWER_STATEMENTS_H
#define CUFC_FRONTEND_FEWER_STATEMENTS_H

#include <string>
#include <string_view>

namespace cufc {

// `body` is what flang writes behind the header: one statement in a line, no comments. Joined are
// declarations, IMPORT and PROCEDURE statements that follow each other with the same attributes,
// all such declarations of a procedure, its ATTRIBUTES statements and directives, all PRIVATE
// statements, and interface blocks without a name; the type of a function's result moves into its
// FUNCTION statement.
std::string withFewerStatements(std::string_view body);

} // namespace cufc
#endif // CUFC_FRONTEND_FEWER_STATEMENTS_H
