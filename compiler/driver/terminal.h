// What the terminal can show.
#ifndef CUFC_DRIVER_TERMINAL_H
#define CUFC_DRIVER_TERMINAL_H

namespace cufc {

// Whether text for a file descriptor may hold colours: it is a terminal that has them, and NO_COLOR
// is not set.
bool hasColours(int descriptor);

} // namespace cufc
#endif // CUFC_DRIVER_TERMINAL_H
