// Finds and opens libcupti.
#ifndef CUFRT_REPORT_CUPTI_LIBRARY_H
#define CUFRT_REPORT_CUPTI_LIBRARY_H

#include "report/cupti.h"

#include <string>

namespace cufrt::report::cupti {

// The functions of a library of CUDA's version `major`, or of another one; false with the reason if
// there is none. It stays open.
bool open(int major, Functions &functions, std::string &why);

} // namespace cufrt::report::cupti
#endif // CUFRT_REPORT_CUPTI_LIBRARY_H
