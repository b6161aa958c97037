// Precompiled for the files that see neither flang nor LLVM: what most of them include of the C++
// library, and fmt. Every file still includes what it uses, so the build works without this one.
#ifndef CUFC_BASE_PRECOMPILED_H
#define CUFC_BASE_PRECOMPILED_H

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#endif // CUFC_BASE_PRECOMPILED_H
