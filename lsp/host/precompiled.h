// What is compiled once for all of the host, since it takes seconds: asio and what most
// files include of the C++ library.
#ifndef CUFLS_HOST_PRECOMPILED_H
#define CUFLS_HOST_PRECOMPILED_H

#include <algorithm>
#include <asio/buffer.hpp>
#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/post.hpp>
#include <asio/steady_timer.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#endif // CUFLS_HOST_PRECOMPILED_H
