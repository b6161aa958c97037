// Which procedures an installed MPI library has, by the symbols of its shared libraries.
#ifndef CUFC_MPI_SYMBOLS_H
#define CUFC_MPI_SYMBOLS_H

#include <string>
#include <vector>

namespace cufc {

// The procedures of the table that none of the libraries named in the arguments of a link defines.
// None where no shared library is found, so that nothing is known.
std::vector<std::string> proceduresLacking(const std::vector<std::string> &link);

// Whether they have the large-count forms of MPI 4.0, which are functions of C.
bool haveLargeCounts(const std::vector<std::string> &link);

} // namespace cufc
#endif // CUFC_MPI_SYMBOLS_H
