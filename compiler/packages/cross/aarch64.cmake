# To build on another machine for aarch64 (./dev test-arm, ./dev package --arch=aarch64): CUFC_SYSROOT is a folder that sysroot.py made, CUFC_NATIVE that of a build for
# the machine itself, whose compiler makes the Fortran modules.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CUFC_SYSROOT)

set(CMAKE_SYSROOT ${CUFC_SYSROOT})
set(CMAKE_FIND_ROOT_PATH ${CUFC_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

set(llvm /usr/lib/llvm-22/bin)
foreach(language C CXX)
  set(CMAKE_${language}_COMPILER_TARGET aarch64-linux-gnu)
endforeach()
set(CMAKE_C_COMPILER ${llvm}/clang)
set(CMAKE_CXX_COMPILER ${llvm}/clang++)
set(CMAKE_AR ${llvm}/llvm-ar)
set(CMAKE_RANLIB ${llvm}/llvm-ranlib)
set(CMAKE_OBJCOPY ${llvm}/llvm-objcopy)
set(CMAKE_STRIP ${llvm}/llvm-strip)
