// Files and paths: whole-file reads and writes, temporary folders that clean up after themselves.
#ifndef CUFC_BASE_FILES_H
#define CUFC_BASE_FILES_H

#include <string>
#include <string_view>

namespace cufc {

// Reads a file into `text`. False if it cannot be read; errno says why.
bool readFile(const std::string &path, std::string &text);

// Writes a file, replacing what is there. False on any error, a full disk included; errno says why,
// and no part of the file is left.
bool writeFile(const std::string &path, std::string_view data);

// "matmul" for "src/matmul.cuf".
std::string stem(std::string_view path);
// ".cuf" for "src/matmul.cuf", empty if there is none.
std::string extension(std::string_view path);
// "src" for "src/matmul.cuf", "." if there is no folder.
std::string directoryOf(std::string_view path);

// A new folder under $TMPDIR, removed with everything in it when the object goes away. Where none
// can be made it is not valid, and its paths are some that nothing can be written at.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  bool valid() const { return made; }
  std::string path(std::string_view name) const { return folder + "/" + std::string(name); }
  const std::string &root() const { return folder; }

private:
  std::string folder = "/dev/null/no-folder";
  bool made = false;
};

} // namespace cufc
#endif // CUFC_BASE_FILES_H
