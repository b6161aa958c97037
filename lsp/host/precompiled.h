// What is compiled once for all of the host, since it takes seconds: asio.
#ifndef CUFLS_HOST_PRECOMPILED_H
#define CUFLS_HOST_PRECOMPILED_H

#include <asio/buffer.hpp>
#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/post.hpp>
#include <asio/steady_timer.hpp>

#endif // CUFLS_HOST_PRECOMPILED_H
