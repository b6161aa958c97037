// Text of others for a terminal: names of files, lines of sources, what tools print. A terminal
// obeys control characters (ECMA-48), and some of Unicode's change the order in which the others
// are shown; neither is for a file to decide. All that is printed for people goes through here.
// JSON escapes them instead.
#ifndef CUFC_BASE_TERMINAL_TEXT_H
#define CUFC_BASE_TERMINAL_TEXT_H

#include <string>
#include <string_view>

namespace cufc {

enum class LineEnds { Kept, Shown };

// Control characters as "\\x1b", those of Unicode as "\\u202e", bytes that are no text as U+FFFD.
// Tabs stay, and line ends if asked for; a carriage return before a line end goes.
std::string terminalText(std::string_view text, LineEnds lineEnds = LineEnds::Kept);

// Of text that has colours of ours, which stay: other sequences than those that choose how
// characters look (SGR) are shown as above.
std::string colouredTerminalText(std::string_view text);

// Whether the UTF-8 character is shown as it is.
bool isHarmless(std::string_view character);

} // namespace cufc
#endif // CUFC_BASE_TERMINAL_TEXT_H
