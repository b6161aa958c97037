// What is compiled once for all of the server, since it takes seconds: asio and JSON.
#ifndef CUFLS_SERVER_PRECOMPILED_H
#define CUFLS_SERVER_PRECOMPILED_H

#include <asio/buffer.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/steady_timer.hpp>
#include <asio/write.hpp>
#include <nlohmann/json.hpp>

#endif // CUFLS_SERVER_PRECOMPILED_H
