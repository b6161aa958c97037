// What is compiled once for all of the server, since it takes seconds: asio, JSON and what most
// files include of the C++ library.
#ifndef CUFLS_SERVER_PRECOMPILED_H
#define CUFLS_SERVER_PRECOMPILED_H

#include <algorithm>
#include <asio/buffer.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/steady_timer.hpp>
#include <asio/write.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#endif // CUFLS_SERVER_PRECOMPILED_H
