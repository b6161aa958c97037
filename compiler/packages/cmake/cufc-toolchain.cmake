# Makes cufc the Fortran compiler of a CMake project:
#
#   cmake -B build --toolchain /usr/share/cufc/cmake/cufc-toolchain.cmake
#
# CMake has no module of its own for cufc, so this file says who the compiler is and where the module
# Compiler/cufc-Fortran.cmake lies. `--toolchain` needs CMake 3.21; before, -DCMAKE_TOOLCHAIN_FILE=.
# The compiler is the one of this installation unless CMAKE_Fortran_COMPILER or FC names another.

list(PREPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}")

if(NOT CMAKE_Fortran_COMPILER)
  if(DEFINED ENV{FC})
    set(CMAKE_Fortran_COMPILER "$ENV{FC}")
  else()
    find_program(CMAKE_Fortran_COMPILER NAMES cufc
      HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" REQUIRED)
  endif()
endif()

# CMake would ask a program that the compiler made for its name; here is the answer.
set(CMAKE_Fortran_COMPILER_ID cufc)
set(CMAKE_Fortran_COMPILER_ID_RUN 1)
execute_process(COMMAND "${CMAKE_Fortran_COMPILER}" -dumpversion
  OUTPUT_VARIABLE CMAKE_Fortran_COMPILER_VERSION OUTPUT_STRIP_TRAILING_WHITESPACE
  RESULT_VARIABLE cufc_status ERROR_VARIABLE cufc_error)
if(NOT cufc_status EQUAL 0)
  message(FATAL_ERROR "${CMAKE_Fortran_COMPILER} does not answer as cufc: ${cufc_status} ${cufc_error}")
endif()

# Debian and its relatives have libraries in folders of the architecture, where find_library looks only if it
# knows its name.
execute_process(COMMAND cc -print-multiarch OUTPUT_VARIABLE cufc_architecture
  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)

# CMake writes this into the description of the compiler that it loads in each run.
set(CMAKE_Fortran_COMPILER_CUSTOM_CODE
  "list(APPEND CMAKE_Fortran_SOURCE_FILE_EXTENSIONS cuf CUF)
set(CMAKE_LIBRARY_ARCHITECTURE \"${cufc_architecture}\")
set(CMAKE_Fortran_LINKER_PREFERENCE 40) # before C++: cufc adds its run-time library")
