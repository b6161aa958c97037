// Peers and other processes: there is one host device, so there are no peers, and no other process
// can reach its memory.
#include "host/functions.h"

namespace cufrt::host {

Error cudaDeviceCanAccessPeer(int *can, int device, int peer) {
  if (!can)
    return errorInvalidValue;
  if (device != 0 || peer != 0)
    return errorInvalidDevice;
  *can = 0;
  return success;
}

Error cudaDeviceEnablePeerAccess(int peer, int flags) {
  if (flags != 0)
    return errorInvalidValue;
  return peer == 0 ? errorPeerAccessUnsupported : errorInvalidDevice;
}

Error cudaDeviceDisablePeerAccess(int peer) {
  return peer == 0 ? errorPeerAccessNotEnabled : errorInvalidDevice;
}

// The two devices must differ.
Error cudaDeviceGetP2PAttribute(int *, int, int, int) { return errorInvalidDevice; }

Error cudaIpcGetMemHandle(IpcHandle *, void *) { return errorNotSupported; }
Error cudaIpcOpenMemHandle(void **, const IpcHandle *, int) { return errorNotSupported; }
Error cudaIpcCloseMemHandle(void *) { return errorNotSupported; }
Error cudaIpcGetEventHandle(IpcHandle *, void *) { return errorNotSupported; }
Error cudaIpcOpenEventHandle(void **, const IpcHandle *) { return errorNotSupported; }

} // namespace cufrt::host
