// GPU code linked from several objects. Their constructors run before that of the link's own
// object, which stands last on the linker's command line; so the image is registered when all have
// joined. This is what nvcc's link.stub does by counting them.
//
// The objects' own relocatable code goes with the image: the driver links their PTX at run time for
// a GPU that the image has no machine code for (wrapper of version 2, fatbinary_section.h).
#include "cuda/back_end.h"
#include "cuda/host_runtime.h"

// One object of an image; lives as long as the program.
struct cufrt_image_part {
  void (*callback)(void **handle);
  const void *data; // of the object's fat binary, or null
  cufrt_image_part *next;
};

namespace {

struct Wrapper {
  int magic;
  int version;
  const void *data;
  const void **parts; // ends with null
};

void attachParts(Wrapper &wrapper, const cufrt_image_part *first) {
  size_t count = 0;
  for (const cufrt_image_part *part = first; part; part = part->next)
    count += part->data != nullptr;
  if (!count)
    return;
  wrapper.version = 2;
  wrapper.parts = new const void *[count + 1]{};
  for (const cufrt_image_part *part = first; part; part = part->next)
    if (part->data)
      wrapper.parts[--count] = part->data;
}

} // namespace

extern "C" {

void cufrt_join_image(cufrt_linked_image *image, void (*callback)(void **), const void *fatBinary) {
  const void *data = fatBinary ? static_cast<const Wrapper *>(fatBinary)->data : nullptr;
  image->parts = new cufrt_image_part{callback, data, image->parts};
}

void cufrt_register_image(cufrt_linked_image *image) {
  attachParts(*static_cast<Wrapper *>(image->fat_binary), image->parts);
  void **handle = __cudaRegisterFatBinary(image->fat_binary);
  cufrt::cuda::unregisterAtExit(handle);
  for (cufrt_image_part *part = image->parts; part; part = part->next)
    part->callback(handle);
  cufrt::cuda::registerPacked(handle, image->packed, image->packed_count);
  __cudaRegisterFatBinaryEnd(handle);
}
}
