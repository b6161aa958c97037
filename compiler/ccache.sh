#!/bin/sh
# Runs a compilation through ccache, for ./dev. For each file that includes a precompiled header, ccache would read that header
# (300 MB) to know whether it is the same; told so (CCACHE_PCH_EXTSUM), it reads NAME.sum beside it, which is written here.
ccache "$@" || exit
previous=
for argument; do
  case $previous:$argument in
  -o:*.pch) sha256sum <"$argument" >"$argument.sum" ;;
  esac
  previous=$argument
done
