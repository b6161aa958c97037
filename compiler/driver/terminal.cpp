// NO_COLOR as no-color.org defines it: any value that is not empty.
#include "driver/terminal.h"
#include <cstdlib>
#include <string_view>
#include <unistd.h>

namespace cufc {

bool hasColours(int descriptor) {
  const char *refused = std::getenv("NO_COLOR");
  const char *terminal = std::getenv("TERM");
  return isatty(descriptor) == 1 && !(refused && *refused) && terminal &&
         std::string_view(terminal) != "dumb";
}

} // namespace cufc
