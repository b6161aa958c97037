# The layer between a program and the MPI library: what runtime/CMakeLists.txt builds libcufrt_mpi.a of.
#   CUFRT_MPI_SOURCES   C++ sources, those that the generator writes included
#   CUFRT_MPI_INCLUDES  include directories that they need
set(mpi_directory ${CMAKE_CURRENT_LIST_DIR})
set(mpi_tables ${CMAKE_CURRENT_LIST_DIR}/../../compiler/tables)
set(mpi_generated ${CMAKE_BINARY_DIR}/generated/mpi)
set(mpi_generator ${mpi_tables}/generate/mpi_layer.py)

set(CUFRT_MPI_INCLUDES ${CMAKE_BINARY_DIR}/generated)

find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter)
execute_process(COMMAND ${Python3_EXECUTABLE} ${mpi_generator} --list
  OUTPUT_VARIABLE mpi_entries COMMAND_ERROR_IS_FATAL ANY)
list(TRANSFORM mpi_entries PREPEND ${mpi_generated}/)
file(GLOB mpi_rows CONFIGURE_DEPENDS ${mpi_tables}/mpi/*.toml)
add_custom_command(
  OUTPUT ${mpi_entries} ${mpi_generated}/constants.h ${mpi_generated}/pmpi.h
  COMMAND ${Python3_EXECUTABLE} ${mpi_generator} --out ${mpi_generated}
  COMMAND ${CMAKE_COMMAND} -E touch ${mpi_entries}
  DEPENDS ${mpi_generator} ${mpi_tables}/generate/mpi_large.py ${mpi_tables}/generate/mpi_table.py ${mpi_rows}
  COMMENT "Generating the entries of the MPI layer")

set(CUFRT_MPI_SOURCES
  ${mpi_entries}
  ${mpi_directory}/c_library.cpp
  ${mpi_directory}/call.cpp
  ${mpi_directory}/completion.cpp
  ${mpi_directory}/copies.cpp
  ${mpi_directory}/host_blocks.cpp
  ${mpi_directory}/kept_buffers.cpp
  ${mpi_directory}/large_by_hand.cpp
  ${mpi_directory}/layout.cpp
  ${mpi_directory}/layout_runs.cpp
  ${mpi_directory}/known_library.cpp
  ${mpi_directory}/operations.cpp
  ${mpi_directory}/order.cpp
  ${mpi_directory}/pieces.cpp
  ${mpi_directory}/shapes.cpp
  ${mpi_directory}/staging.cpp
  ${mpi_directory}/windows.cpp)
# All of them include generated headers.
set_source_files_properties(${CUFRT_MPI_SOURCES} PROPERTIES OBJECT_DEPENDS ${mpi_generated}/pmpi.h)
set_source_files_properties(${mpi_entries} PROPERTIES OBJECT_DEPENDS "")
