// The semantic tokens that a client has, so that only what differs is sent. Of the documents asked
// for last only, since they are large.
#ifndef CUFLS_SERVER_TOKEN_RESULTS_H
#define CUFLS_SERVER_TOKEN_RESULTS_H

#include <cstdint>
#include <list>
#include <string>
#include <vector>

namespace cufc {

class TokenResults {
public:
  using Data = std::vector<std::uint32_t>;

  // Keeps a result instead of the document's last one; its id.
  std::string keep(const std::string &path, Data data);
  // Null if it is not the last one of the document.
  const Data *find(const std::string &path, const std::string &id) const;
  void forget(const std::string &path);

private:
  struct Result {
    std::string path, id;
    Data data;
  };
  static constexpr size_t mostDocuments = 8;
  std::list<Result> results; // the last one first
  std::uint64_t count = 0;
};

// What has to be replaced in the tokens before, in numbers of `data`, whole tokens only.
struct TokenEdit {
  size_t start, removed, kept; // `kept` numbers at the end stay
};
TokenEdit tokenEdit(const TokenResults::Data &before, const TokenResults::Data &now);

} // namespace cufc
#endif // CUFLS_SERVER_TOKEN_RESULTS_H
