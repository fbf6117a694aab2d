#ifndef STAD_STAD_H
#define STAD_STAD_H

/* C API. Handles are opaque. Every function that can fail returns a status and stores the reason for stad_last_error()
 * of the calling thread; a failed call changes nothing. Different adapters may be used from different threads, one
 * adapter from one thread at a time. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define STAD_NOEXCEPT noexcept
extern "C" {
#else
#define STAD_NOEXCEPT
#endif

/** Marks exported functions. */
#define STAD_C_API __attribute__((visibility("default")))

/** Result of functions that can fail. */
typedef enum stad_status {
  STAD_OK = 0,
  STAD_INVALID = 1, /**< invalid argument or input */
  STAD_FAILED = 2   /**< failure of the machine, such as a full disk */
} stad_status;

typedef struct stad_source stad_source;   /**< the last layer of a trained network */
typedef struct stad_adapter stad_adapter; /**< a classifier that adapts to a stream */

/** Version of the loaded library, such as "1.2.3". */
STAD_C_API const char* stad_version(void) STAD_NOEXCEPT;

/** Message of the last failure in this thread; valid until the next failing call of the thread. */
STAD_C_API const char* stad_last_error(void) STAD_NOEXCEPT;

/** Creates a source. weight is classes x dimension, row by row; bias has `classes` values; mean, of the training
 * features, has `dimension` values. bias and mean may be NULL. All arrays are copied. */
STAD_C_API stad_status stad_source_create(const float* weight, const float* bias, const float* mean, size_t classes,
                                          size_t dimension, stad_source** source) STAD_NOEXCEPT;
/** Reads a source from an npz file (weight, and optionally bias, mean, classes, card) or an npy file of the weight. */
STAD_C_API stad_status stad_source_read(const char* path, stad_source** source) STAD_NOEXCEPT;
/** Creates a copy of a source with a card computed from labelled rows that the head was not fitted on: features is rows
 * x dimension, row by row; labels has `rows` classes from 0. Without a card there is no warning level. */
STAD_C_API stad_status stad_source_with_card(const stad_source* source, const float* features, size_t rows,
                                             const int64_t* labels, stad_source** with_card) STAD_NOEXCEPT;
STAD_C_API void stad_source_free(stad_source* source) STAD_NOEXCEPT; /**< accepts NULL */
/** K, the number of classes. */
STAD_C_API size_t stad_source_classes(const stad_source* source) STAD_NOEXCEPT;
/** D, the number of values of a row. */
STAD_C_API size_t stad_source_dimension(const stad_source* source) STAD_NOEXCEPT;

/** An option of a method. */
typedef struct stad_option {
  const char* name;
  const char* value; /**< as text: "1000", "previous", "on" */
} stad_option;

/** Creates an adapter of a method; `stad methods` lists methods and options. The source may be freed afterwards. */
STAD_C_API stad_status stad_adapter_create(const stad_source* source, const char* method, const stad_option* options,
                                           size_t option_count, stad_adapter** adapter) STAD_NOEXCEPT;
STAD_C_API void stad_adapter_free(stad_adapter* adapter) STAD_NOEXCEPT; /**< accepts NULL */

/** A batch of embeddings: rows x dimension floats, with `stride` floats from one row to the next, or 0 for contiguous
 * rows. */
typedef struct stad_batch {
  const float* features;
  size_t rows;
  size_t stride;
  const double* time; /**< of the batch, finite and at most 1e290 in magnitude, or NULL */
  const int64_t* ids; /**< one for each row, for late labels, or NULL */
} stad_batch;

/** Adapts to a batch and predicts it. labels has space for `rows` values, probabilities for rows x classes; either may
 * be NULL. */
STAD_C_API stad_status stad_adapt(stad_adapter* adapter, const stad_batch* batch, int64_t* labels,
                                  float* probabilities) STAD_NOEXCEPT;
/** Predicts a batch without adapting to it. */
STAD_C_API stad_status stad_predict(const stad_adapter* adapter, const stad_batch* batch, int64_t* labels,
                                    float* probabilities) STAD_NOEXCEPT;
/** Passes labels of earlier rows by their ids. *used receives the number of labels whose rows are still stored; used
 * may be NULL. */
STAD_C_API stad_status stad_observe(stad_adapter* adapter, const int64_t* ids, const int64_t* labels, size_t count,
                                    size_t* used) STAD_NOEXCEPT;

/** Health of the last batch, estimated without labels. Unavailable values are NaN. */
typedef struct stad_health {
  double confidence;
  double flip_rate;       /**< share of rows on which the source disagrees */
  double zeta;            /**< excess of equal neighbouring labels, in standard deviations */
  double excess;          /**< the same as a share of the possible excess */
  double autocorrelation; /**< of the noise around the class means */
  int warning;            /**< of lost accuracy: 0 fine, 1 watch, 2 act; -1 without a card, guard or enough rows */
  int chains;             /**< who answers: 0 the source, 1 label chains; -1 for methods without a guard */
} stad_health;
/** Health of the last batch given to stad_adapt(). */
STAD_C_API stad_status stad_adapter_health(const stad_adapter* adapter, stad_health* health) STAD_NOEXCEPT;

/** The state of the adapter as the bytes of a state file, to be freed with stad_bytes_free(). */
STAD_C_API stad_status stad_adapter_state(const stad_adapter* adapter, void** bytes, size_t* size) STAD_NOEXCEPT;
/** Frees the bytes of a state; accepts NULL. */
STAD_C_API void stad_bytes_free(void* bytes) STAD_NOEXCEPT;
/** Continues from a saved state, bit for bit. */
STAD_C_API stad_status stad_adapter_restore(stad_adapter* adapter, const void* bytes, size_t size) STAD_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
