# The layer between a program and the CUDA libraries: what runtime/CMakeLists.txt builds libcufrt_libraries.a of.
#   CUFRT_LIBRARIES_SOURCES   C++ sources, those that the generator writes included
#   CUFRT_LIBRARIES_INCLUDES  include directories that they need
#   CUFRT_LIBRARIES_MODULES   names of the modules, each behind those that it uses
#   CUFRT_LIBRARIES_BENEATH_CUDAFOR  those of them that cudafor uses
#   CUFRT_LIBRARIES_FOLDER    where their Fortran sources are written
set(libraries_directory ${CMAKE_CURRENT_LIST_DIR})
set(libraries_generate ${CMAKE_CURRENT_LIST_DIR}/../../compiler/tables/generate)
set(CUFRT_LIBRARIES_FOLDER ${CMAKE_BINARY_DIR}/generated/libraries)
set(CUFRT_LIBRARIES_INCLUDES ${CMAKE_BINARY_DIR}/generated)

find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter)
execute_process(COMMAND ${Python3_EXECUTABLE} ${libraries_generate}/libraries.py --list
  OUTPUT_VARIABLE CUFRT_LIBRARIES_MODULES COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${Python3_EXECUTABLE} ${libraries_generate}/libraries.py --list-beneath-cudafor
  OUTPUT_VARIABLE CUFRT_LIBRARIES_BENEATH_CUDAFOR COMMAND_ERROR_IS_FATAL ANY)
file(GLOB libraries_tables CONFIGURE_DEPENDS ${libraries_generate}/../libraries/*.toml ${libraries_generate}/libraries*.py)
set(libraries_layers)
set(libraries_modules)
foreach(module ${CUFRT_LIBRARIES_MODULES})
  list(APPEND libraries_layers ${CUFRT_LIBRARIES_FOLDER}/${module}_layer.cpp)
  list(APPEND libraries_modules ${CUFRT_LIBRARIES_FOLDER}/${module}.cuf)
endforeach()
add_custom_command(
  OUTPUT ${libraries_layers} ${libraries_modules} ${CUFRT_LIBRARIES_FOLDER}/written
  COMMAND ${Python3_EXECUTABLE} ${libraries_generate}/libraries.py --out ${CUFRT_LIBRARIES_FOLDER}
  COMMAND ${CMAKE_COMMAND} -E touch ${CUFRT_LIBRARIES_FOLDER}/written
  DEPENDS ${libraries_tables} ${libraries_generate}/cudafor_table.py ${libraries_generate}/cudafor_docs.py
          ${libraries_generate}/output.py
  COMMENT "Generating the modules of the CUDA libraries")

file(GLOB libraries_by_hand CONFIGURE_DEPENDS ${libraries_directory}/*.cpp ${libraries_directory}/*/*.cpp)
set(CUFRT_LIBRARIES_SOURCES ${libraries_layers} ${libraries_by_hand})
# All of them include generated headers.
set_source_files_properties(${libraries_by_hand} PROPERTIES OBJECT_DEPENDS ${CUFRT_LIBRARIES_FOLDER}/written)
