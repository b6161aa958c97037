# Module cudafor: what runtime/CMakeLists.txt adds to the runtime library.
#   CUFRT_CUDAFOR_SOURCES   C++ sources, those that the generator writes included
#   CUFRT_CUDAFOR_INCLUDES  include directories that they need
#   CUFRT_CUDAFOR_MODULE    the Fortran source of the module, to be compiled by cufc
#   CUFRT_CUDAFOR_WIDE_MODULE  the same for sources that are compiled with -i8
set(cudafor_directory ${CMAKE_CURRENT_LIST_DIR})
set(cudafor_tables ${CMAKE_CURRENT_LIST_DIR}/../../compiler/tables)
set(cudafor_generated ${CMAKE_BINARY_DIR}/generated/cudafor)

set(CUFRT_CUDAFOR_MODULE ${cudafor_generated}/cudafor.cuf)
set(CUFRT_CUDAFOR_WIDE_MODULE ${cudafor_generated}/wide/cudafor.cuf)
set(CUFRT_CUDAFOR_INCLUDES
  ${CMAKE_BINARY_DIR}/generated
  ${CMAKE_CURRENT_LIST_DIR}/..
  ${CMAKE_CURRENT_LIST_DIR}/../include)

find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter)
set(cudafor_flang)
if(LLVM_VERSION_MAJOR) # not where the runtime library is built alone
  set(cudafor_flang --flang ${LLVM_VERSION_MAJOR})
endif()
add_custom_command(
  OUTPUT ${CUFRT_CUDAFOR_MODULE} ${CUFRT_CUDAFOR_WIDE_MODULE} ${cudafor_generated}/wrappers.cpp
  BYPRODUCTS ${cudafor_generated}/entries.h
  COMMAND ${Python3_EXECUTABLE} ${cudafor_tables}/generate/cudafor.py
    ${cudafor_flang}
    --module ${CUFRT_CUDAFOR_MODULE}
    --wide-module ${CUFRT_CUDAFOR_WIDE_MODULE}
    --entries ${cudafor_generated}/entries.h
    --wrappers ${cudafor_generated}/wrappers.cpp
  COMMAND ${CMAKE_COMMAND} -E touch ${CUFRT_CUDAFOR_MODULE} ${CUFRT_CUDAFOR_WIDE_MODULE}
          ${cudafor_generated}/wrappers.cpp
  DEPENDS
    ${cudafor_tables}/generate/cudafor.py
    ${cudafor_tables}/generate/cudafor_docs.py
    ${cudafor_tables}/generate/cudafor_table.py
    ${cudafor_tables}/generate/libraries_blas.py
    ${cudafor_tables}/generate/libraries_table.py
    ${cudafor_tables}/generate/output.py
    ${cudafor_tables}/cudafor.toml
    ${cudafor_tables}/cudafor_constants.toml
    ${cudafor_tables}/cudafor_execution.toml
    ${cudafor_tables}/libraries/cuda_data_types.toml
  COMMENT "Generating module cudafor")

set(CUFRT_CUDAFOR_SOURCES
  ${cudafor_generated}/wrappers.cpp
  ${cudafor_directory}/addresses.cpp
  ${cudafor_directory}/allocation.cpp
  ${cudafor_directory}/arguments.cpp
  ${cudafor_directory}/array_copies.cpp
  ${cudafor_directory}/arrays.cpp
  ${cudafor_directory}/copy.cpp
  ${cudafor_directory}/copy_arguments.cpp
  ${cudafor_directory}/default_stream.cpp
  ${cudafor_directory}/errors.cpp
  ${cudafor_directory}/execution.cpp
  ${cudafor_directory}/fill.cpp
  ${cudafor_directory}/fill_value.cpp
  ${cudafor_directory}/host_memory.cpp
  ${cudafor_directory}/lifetime.cpp
  ${cudafor_directory}/occupancy.cpp
  ${cudafor_directory}/pointers.cpp
  ${cudafor_directory}/properties.cpp
  ${cudafor_directory}/stream_arguments.cpp
  ${cudafor_directory}/symbols.cpp)
# All of them include the generated entries.h.
set_source_files_properties(${CUFRT_CUDAFOR_SOURCES} PROPERTIES
  OBJECT_DEPENDS ${cudafor_generated}/wrappers.cpp)
set_source_files_properties(${cudafor_generated}/wrappers.cpp PROPERTIES OBJECT_DEPENDS "")
