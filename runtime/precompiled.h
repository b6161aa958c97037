// Precompiled for the files of the runtime: what many of them include of the C++ library, which
// is half of the time of compiling most. Every file still includes what it uses, so the build works
// without this one.
#ifndef CUFRT_PRECOMPILED_H
#define CUFRT_PRECOMPILED_H

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#endif // CUFRT_PRECOMPILED_H
