// The binary interface between code that cufc generates and the runtime library.
//
// Every object file that holds kernels or device variables carries one `cufrt_module` and a
// constructor that passes it to `cufrt_register_module`. The compiler emits these records as LLVM
// constants (compiler/codegen/registration.cpp), so a change of a layout here is a change there.
//
// All sizes are in bytes, all indices start at zero, all strings end with NUL and live as long as
// the program. Nothing here is owned by the runtime.
#ifndef CUFRT_ABI_H
#define CUFRT_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Raised by one whenever a layout below changes; a mismatch is reported at start-up.
#define CUFRT_ABI_VERSION 10

// The position of one thread block in the grid and the memory it owns, on the host device.
typedef struct cufrt_block {
  int32_t block_index[3];       // x, y, z
  int32_t grid_dim[3];          // blocks
  int32_t block_dim[3];         // threads
  int32_t dynamic_shared_bytes; // from the launch configuration
  void *shared;                 // static shared memory, then dynamic; aligned to 128
  int32_t cluster_dim[3];       // blocks; all 1 in a launch without clusters
  int32_t cluster_rank;         // of this block in its cluster, x fastest
  void *const *cluster_shared;  // `shared` of the cluster's blocks by rank
  void *frames; // for run_block: frame_bytes for each thread, as if their number were the next
                // multiple of 64; aligned to 128, the content is anything
  struct cufrt_gathered *updates; // for run_block: CUFRT_UPDATE_SLOTS of them
  struct cufrt_sums *sums;        // for run_block: what cufrt_sums_of asks for
  int32_t row_threads; // for run_block with CUFRT_BLOCK_ROWS: along x, from this block on
} cufrt_block;

// Updates of an integer in device memory that are not made yet. Its place in the table is the
// address divided by its size, modulo the number of slots.
typedef struct cufrt_gathered {
  uint64_t address; // 0: none
  uint64_t value;   // in the bytes of the integer
} cufrt_gathered;

#define CUFRT_UPDATE_SLOTS 1024

// What an update does with the integer and the operand.
typedef enum cufrt_update {
  CUFRT_UPDATE_ADD,
  CUFRT_UPDATE_AND,
  CUFRT_UPDATE_OR,
  CUFRT_UPDATE_XOR,
  CUFRT_UPDATE_MAX,
  CUFRT_UPDATE_MIN,
  CUFRT_UPDATE_UMAX, // unsigned
  CUFRT_UPDATE_UMIN,
} cufrt_update;

// Where the slot of `address` has another one. `bytes` is 4 or 8.
void cufrt_gather_update(cufrt_gathered *table, void *address, uint64_t value, uint32_t update,
                         uint32_t bytes);

// Where the calling thread of the pool adds to an array of device memory without a lock: for an
// element that is `behind` < bytes behind `array`, at its address + distances[behind >> shift] if
// that is even. CUFRT_NO_COPY_YET is for cufrt_own_copy, CUFRT_NO_COPY stays.
typedef struct cufrt_own_sums {
  char *array;
  uint64_t bytes;
  uint64_t shift;
  int64_t *distances;
} cufrt_own_sums;

#define CUFRT_NO_COPY_YET 1
#define CUFRT_NO_COPY 3

typedef enum cufrt_number {
  CUFRT_INTEGER_4,
  CUFRT_INTEGER_8,
  CUFRT_REAL_4,
  CUFRT_REAL_8,
} cufrt_number;

// Of the array from `array` on, whose elements are numbers; valid while the block runs.
cufrt_own_sums *cufrt_sums_of(struct cufrt_sums *sums, void *array, uint32_t number);

// Makes a copy of the part that is `behind` bytes behind the array, unless there are enough, and
// returns what distances has then.
int64_t cufrt_own_copy(cufrt_own_sums *own, uint64_t behind);

// What a thread asks for when it stops at a synchronising operation.
typedef enum cufrt_sync {
  CUFRT_BARRIER = 1,   // all threads of the block that have not returned
  CUFRT_BARRIER_AND,   // operand: predicate; result: 1 if non-zero in all
  CUFRT_BARRIER_OR,    // operand: predicate; result: 1 if non-zero in any
  CUFRT_BARRIER_COUNT, // operand: predicate; result: number of threads where non-zero
  CUFRT_WARP_BARRIER,  // the lanes of `mask`
  CUFRT_VOTE_ALL,      // operand: predicate
  CUFRT_VOTE_ANY,      // operand: predicate
  CUFRT_VOTE_UNIFORM,  // operand: predicate
  CUFRT_VOTE_BALLOT,   // operand: predicate; result: bit per lane
  CUFRT_SHUFFLE_INDEX, // operand: value; lane: source lane; clamp: PTX's packed clamp operand
  CUFRT_SHUFFLE_UP,    // lane: distance
  CUFRT_SHUFFLE_DOWN,  // lane: distance
  CUFRT_SHUFFLE_XOR,   // lane: mask of lane bits
  CUFRT_MATCH_ANY,     // operand: value; result: lanes with an equal value
  CUFRT_MATCH_ALL,     // operand: value; result: mask if all equal, else 0
  CUFRT_GRID_BARRIER,  // all threads of the grid that have not returned; cooperative launches only
  CUFRT_CLUSTER_BARRIER, // all threads of the cluster that have not returned
  CUFRT_REDUCE_ADD,      // operand: a 32-bit value, signed for _MIN and _MAX
  CUFRT_REDUCE_MIN,
  CUFRT_REDUCE_MAX,
  CUFRT_REDUCE_AND,
  CUFRT_REDUCE_OR,
  CUFRT_REDUCE_XOR,
  CUFRT_ACTIVE_MASK, // result: the lanes that are at the same place of the program
  CUFRT_MATRIX,      // operand: the address of a cufrt_matrix_request
} cufrt_sync;

// The start of the memory that holds one thread of a kernel between two synchronising operations.
// The compiler's own spill area follows. A shuffle's `result` has the value in its low 32 bits
// and, in bit 32, whether the source lane was in range (PTX ISA, shfl.sync).
typedef struct cufrt_frame {
  int32_t state;     // 0 before the first run; otherwise the compiler's resume point
  int32_t operation; // a cufrt_sync
  uint32_t mask;     // member mask of a warp operation
  int32_t lane;
  int32_t clamp;
  int32_t place; // for debuggers, of code with -O0 -g: where the thread will go on, in bytes behind
                 // the start of cufrt_resume_thread; CUFRT_ENDED; 0 before the first stop
  uint64_t operand;
  uint64_t result; // written by the runtime before the thread is resumed
} cufrt_frame;

#define CUFRT_ENDED (-1) // the `place` of a thread that has returned

// Runs all threads of one block from start to end. For kernels without synchronising operations, or
// with barriers that all threads reach alike.
typedef void (*cufrt_run_block)(const cufrt_block *block, void **arguments);

// Runs one thread until it returns (result 0) or stops at a synchronising operation (result 1).
// `frame` is `frame_bytes` of memory, its header zeroed before the first call, aligned to 16.
typedef int32_t (*cufrt_resume_thread)(const cufrt_block *block, void **arguments,
                                       cufrt_frame *frame, int32_t x, int32_t y, int32_t z);

// Whether run_block may run a block, of which only its size and place are read: 0 or 1.
typedef int32_t (*cufrt_fits_block)(const cufrt_block *block, void **arguments);

typedef enum cufrt_matrix {
  CUFRT_MATRIX_LOAD_A = 1, // addresses: fragment, memory
  CUFRT_MATRIX_LOAD_B,
  CUFRT_MATRIX_LOAD_C,
  CUFRT_MATRIX_STORE,    // addresses: memory, fragment
  CUFRT_MATRIX_MULTIPLY, // addresses: d, a, b, c
  CUFRT_MATRIX_PRODUCT,  // addresses: d, a, b
} cufrt_matrix;

// The values of wmmaColMajor and wmmaRowMajor.
#define CUFRT_MATRIX_ROWS 0
#define CUFRT_MATRIX_COLUMNS 1

// One lane's part of an operation on matrices of m by k, k by n and m by n numbers.
typedef struct cufrt_matrix_request {
  int64_t operation; // a cufrt_matrix
  int64_t m, n, k;
  int64_t factor_kind, c_kind, d_kind; // bytes of a number of A and B, of C, of D
  int64_t a_by_rows, b_by_rows;        // of a load or store: of the memory
  int64_t stride; // of the memory, in numbers, from column to column or row to row
  uint64_t address[4];
} cufrt_matrix_request;

typedef struct cufrt_kernel {
  const void *stub;    // address of the host function that stands for the kernel; key of a launch
  const char *name;    // symbol in the GPU code
  const char *display; // Fortran name, for messages
  cufrt_run_block run_block;         // exactly one of these two is set, with CUFRT_WHOLE_WARPS
  cufrt_resume_thread resume_thread; // or fits_block both, or neither without host code
  uint64_t static_shared_bytes;
  uint64_t frame_bytes; // for resume_thread: size of one thread's frame, header included; for
                        // run_block: see cufrt_block
  int32_t max_threads;  // from launch_bounds, or 1024
  int32_t argument_count;
  const uint32_t *argument_bytes; // size of each argument's value; NULL without host code
  int32_t max_cluster_blocks;     // from launch_bounds, or 0
  int32_t flags;                  // CUFRT_CHECKED and others below
  cufrt_fits_block fits_block;    // for blocks that it refuses there is resume_thread; or NULL
} cufrt_kernel;

// A kernel compiled with -gpu=check: its host code tells the runtime what each thread does.
#define CUFRT_CHECKED 1

// No block can wait for another one, so they may start in any order.
#define CUFRT_INDEPENDENT_BLOCKS 2

// `run_block` is for blocks whose x goes up to a multiple of 32, `resume_thread` for others.
#define CUFRT_WHOLE_WARPS 4

// `run_block` runs this block and those behind it along x, `row_threads` threads in all, as if they
// were one block.
#define CUFRT_BLOCK_ROWS 8

// Threads run loops, over data that the lines of a block may share.
#define CUFRT_THREADS_LOOP 16

// `run_block` calls cufrt_wait_for_grid.
#define CUFRT_WAITS_FOR_GRID 32

// Returns when all blocks of the grid that have not returned are here. For a whole block: `block`
// is what its run_block has.
void cufrt_wait_for_grid(const cufrt_block *block);

typedef enum cufrt_access {
  CUFRT_READ = 0,
  CUFRT_READ_PARTS,    // of a copy, which may have gaps between components
  CUFRT_WRITE,         // of another value, as far as is known
  CUFRT_WRITE_VALUE,   // of the value that the call gives
  CUFRT_ATOMIC_READ,   // or a volatile one
  CUFRT_ATOMIC_WRITE,  // or a volatile one
  CUFRT_ATOMIC_UPDATE, // reads and writes
} cufrt_access;

// What an access is in the source; constants of generated code. An unknown column is 0, an unknown
// name empty.
typedef struct cufrt_place {
  const char *file;
  const char *name; // of the array
  int32_t line;
  int32_t column;
} cufrt_place;

// What an array must be for a kernel's second entry: it begins at a multiple of 16 bytes and, if it
// comes as a descriptor, its elements lie side by side along the first dimension.
typedef struct cufrt_packed_argument {
  uint32_t number;           // of the argument
  uint32_t element_bytes;    // 0: the argument is an address
  uint32_t stride_multiple;  // of which the other strides are multiples, in bytes; 0: of anything
  int32_t same_shape_as;     // the number of another array that it is compared with, or -1
  uint32_t flags;            // CUFRT_MAY_ALIAS and the following
  uint32_t space_dimensions; // those whose extent is CUFRT_SPACE_EXTENT, as bits
} cufrt_packed_argument;

// Of two arrays that come as descriptors, one with CUFRT_MAY_ALIAS and one (or the same) with
// CUFRT_WRITTEN, no byte may be the same.
#define CUFRT_MAY_ALIAS 1
#define CUFRT_WRITTEN 2

// Its bounds are between -2**30 and 2**30.
#define CUFRT_SMALL_BOUNDS 4

// It has the strides, or the lower bounds and but for the last one the extents, of same_shape_as.
#define CUFRT_SAME_STRIDES 8
#define CUFRT_SAME_BOUNDS 16

#define CUFRT_SPACE_EXTENT 3

// The most arguments of a second entry that has more than the kernel.
#define CUFRT_PACKED_ARGUMENTS 64

// A second entry of a kernel in the GPU code, which may be launched in place of it where the arrays
// are so. Of several entries of one kernel the first one that may is.
typedef struct cufrt_packed_kernel {
  const void *stub; // of the kernel
  const char *name; // symbol in the GPU code
  const cufrt_packed_argument *arrays;
  uint64_t array_count;
  const void *const *variables; // descriptors of module data, by value behind the kernel's own
                                // arguments; the host's
  uint32_t own_count;           // of the kernel's arguments
  uint32_t variable_count;
} cufrt_packed_kernel;

typedef enum cufrt_variable_kind {
  CUFRT_DEVICE_VARIABLE = 0,
  CUFRT_CONSTANT_VARIABLE = 1,
  CUFRT_MANAGED_VARIABLE = 2,
} cufrt_variable_kind;

typedef struct cufrt_variable {
  void *shadow;       // address of the host symbol; the key of symbol look-ups. For a managed
                      // variable, a pointer that the runtime sets to the shared memory before main
  const char *name;   // symbol in the GPU code
  void *host_storage; // the variable as the host device's kernels see it
  uint64_t bytes;
  int32_t kind; // a cufrt_variable_kind
  int32_t reserved;
} cufrt_variable;

// Threads of the module's kernels may take memory of the device's heap.
#define CUFRT_USES_HEAP 1

typedef struct cufrt_module {
  uint32_t version;       // CUFRT_ABI_VERSION
  uint32_t flags;         // 0 or CUFRT_USES_HEAP
  const void *fat_binary; // the wrapper that libcudart's __cudaRegisterFatBinary takes, or NULL
  const cufrt_kernel *kernels;
  uint64_t kernel_count;
  const cufrt_variable *variables;
  uint64_t variable_count;
  const cufrt_packed_kernel *packed;
  uint64_t packed_count;
  struct cufrt_module *next; // filled by the runtime
  void *handle;              // filled by the runtime: libcudart's handle of the fat binary
} cufrt_module;

// GPU code that is linked from several objects, defined by the link of the program.
typedef struct cufrt_linked_image {
  void *fat_binary;               // the wrapper that __cudaRegisterFatBinary takes
  struct cufrt_image_part *parts; // filled by the runtime
  const cufrt_packed_kernel *packed;
  uint64_t packed_count;
} cufrt_linked_image;

// Called by the constructors of the objects that the image is linked from: notes what is to be
// called with libcudart's handle of the image. `fatBinary` is the wrapper of the object's own
// relocatable code, or NULL.
void cufrt_join_image(cufrt_linked_image *image, void (*callback)(void **handle),
                      const void *fatBinary);

// Called by the last constructor of the program: registers the image and calls them.
void cufrt_register_image(cufrt_linked_image *image);

// Called by a constructor of every object that holds a module record. `module` must live as long
// as the program.
void cufrt_register_module(cufrt_module *module);

// The GPU's vprintf for kernels on the host device, which print one text: the format is "%s", and
// the arguments are a structure with the text's address.
int32_t cufrt_print(const char *format, const void *arguments);

// The body of a kernel's host stub: launches `stub` with the configuration that a CUDA C caller's
// chevrons pushed. `arguments` holds one address for each kernel argument.
void cufrt_launch_stub(const void *stub, void **arguments);

// Host data without STAT= cannot be allocated or deallocated: each ends the program. `name` is the
// variable's in the source, `count` a number of elements, or -1 if they cannot be counted.
void cufrt_is_allocated(const char *file, int32_t line, const char *name);
void cufrt_no_memory(const char *file, int32_t line, const char *name, int64_t count);
void cufrt_is_not_allocated(const char *file, int32_t line, const char *name);

// A shared variable of a kernel, for messages. A table of them ends with a null name.
typedef struct cufrt_shared_variable {
  const char *name;
  uint64_t offset; // in the block's shared memory
  uint64_t bytes;
} cufrt_shared_variable;

// What follows is called by host code that was compiled with checks.

// This thread of the running block goes on.
void cufrt_check_thread(int32_t x, int32_t y, int32_t z, const cufrt_shared_variable *variables);

// Before an access of `bytes` bytes to memory that may be shared. `value` is that of a
// CUFRT_WRITE_VALUE of up to 8 bytes, `array` the shared array's first byte, or NULL if the array
// is not known.
void cufrt_check_access(const void *address, uint64_t bytes, int32_t access, uint64_t value,
                        const void *array, const cufrt_place *place);

// Before an operation at which threads of the block or the warp meet.
void cufrt_check_sync(const cufrt_place *place);

// A variable of the running procedure has no value yet; others may know its address. `set` has a
// byte for each of its bytes, 0 until that has been set, 1 then. Until cufrt_check_leave.
void cufrt_check_local(const void *address, uint64_t bytes, void *set, const char *name);
void cufrt_check_leave(const void *address);

// Before a read of `bytes` bytes from `offset` on of a local variable of `whole` bytes, not all of
// which have been set. The place has its name.
void cufrt_check_unset(uint64_t offset, uint64_t bytes, uint64_t whole, const cufrt_place *place);

// At the start of a kernel or a device procedure: a dummy array with explicit bounds, of `bytes`
// bytes from its address on.
void cufrt_check_dummy(const char *file, int32_t line, int32_t column, const char *name,
                       const void *address, int64_t bytes);

// A subscript of dimension `dimension` (from 1) is outside of its array: ends the kernel, or in
// host code the program.
void cufrt_check_subscript(const char *file, int32_t line, int32_t column, const char *name,
                           int64_t dimension, int64_t index, int64_t lower, int64_t extent);

// Before a section or substring is used; do nothing if it is inside. An extent of -1 is that of an
// assumed-size array.
void cufrt_check_section(const char *file, int32_t line, int32_t column, const char *name,
                         int64_t dimension, int64_t first, int64_t last, int64_t stride,
                         int64_t lower, int64_t extent);
void cufrt_check_substring(const char *file, int32_t line, int32_t column, const char *name,
                           int64_t first, int64_t last, int64_t length);

#ifdef __cplusplus
}
#endif
#endif // CUFRT_ABI_H
