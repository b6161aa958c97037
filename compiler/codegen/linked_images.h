// GPU code that is linked from several objects, as a part of the link's own object.
#ifndef CUFC_CODEGEN_LINKED_IMAGES_H
#define CUFC_CODEGEN_LINKED_IMAGES_H

#include "lower/device_facts.h"
#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace cufc {

struct LinkedImage {
  std::vector<std::string> ids; // of the objects that it is linked from
  std::string fatBinary;
  std::vector<PackedKernel> packed;
  bool hasParts = false; // their own relocatable code goes with it
};

// Adds the image, the registration functions that those objects call, and a constructor that
// registers it, which must run after those of the objects.
void addLinkedImage(llvm::Module &module, const LinkedImage &image);

} // namespace cufc
#endif // CUFC_CODEGEN_LINKED_IMAGES_H
