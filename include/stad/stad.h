#ifndef STAD_STAD_H
#define STAD_STAD_H

/* The library for C, and for whatever can call C. Handles are opaque; every function that can fail returns a status and
 * leaves the reason in stad_last_error(), which belongs to the calling thread. What fails has changed nothing.
 * Different adapters may be used from different threads, one adapter from one at a time. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define STAD_NOEXCEPT noexcept
extern "C" {
#else
#define STAD_NOEXCEPT
#endif

/** Marks what the shared library shows. */
#define STAD_C_API __attribute__((visibility("default")))

/** What every function that can fail returns. */
typedef enum stad_status {
  STAD_OK = 0,
  STAD_INVALID = 1, /**< the caller gave something that breaks a rule */
  STAD_FAILED = 2   /**< the machine failed to do its part */
} stad_status;

typedef struct stad_source stad_source;   /**< the last layer of a trained network */
typedef struct stad_adapter stad_adapter; /**< a classifier that keeps itself fresh */

/** Such as "1.2.3"; of the library at hand, not of this header. */
STAD_C_API const char* stad_version(void) STAD_NOEXCEPT;

/** One sentence about what went wrong last in this thread; valid until the next call that fails there. */
STAD_C_API const char* stad_last_error(void) STAD_NOEXCEPT;

/** weight is classes x dimension, row by row; bias has `classes` values and mean, that of the training features,
 * `dimension`; either may be NULL. All are copied. */
STAD_C_API stad_status stad_source_create(const float* weight, const float* bias, const float* mean, size_t classes,
                                          size_t dimension, stad_source** source) STAD_NOEXCEPT;
/** From an npz file with weight, optionally bias, mean and classes, or an npy file of the weight. */
STAD_C_API stad_status stad_source_read(const char* path, stad_source** source) STAD_NOEXCEPT;
STAD_C_API void stad_source_free(stad_source* source) STAD_NOEXCEPT; /**< NULL is fine */
/** K, the rows of the weight. */
STAD_C_API size_t stad_source_classes(const stad_source* source) STAD_NOEXCEPT;
/** D, the values of a row. */
STAD_C_API size_t stad_source_dimension(const stad_source* source) STAD_NOEXCEPT;

/** An option by its name. */
typedef struct stad_option {
  const char* name;
  const char* value; /**< as text: "1000", "previous", "on" */
} stad_option;

/** method as `stad methods` lists them; stad-safe has nothing to choose. The source may be freed afterwards. */
STAD_C_API stad_status stad_adapter_create(const stad_source* source, const char* method, const stad_option* options,
                                           size_t option_count, stad_adapter** adapter) STAD_NOEXCEPT;
STAD_C_API void stad_adapter_free(stad_adapter* adapter) STAD_NOEXCEPT; /**< NULL is fine */

/** A batch of embeddings: rows x dimension floats, `stride` floats from one row to the next, or 0 for rows side by
 * side. */
typedef struct stad_batch {
  const float* features;
  size_t rows;
  size_t stride;
  const double* time; /**< of the batch, finite and at most 1e290 in magnitude, or NULL */
  const int64_t* ids; /**< one a row, for labels that come later, or NULL */
} stad_batch;

/** Learns from a batch and answers it. labels has room for `rows` values, probabilities for rows x classes; either may
 * be NULL. */
STAD_C_API stad_status stad_adapt(stad_adapter* adapter, const stad_batch* batch, int64_t* labels,
                                  float* probabilities) STAD_NOEXCEPT;
/** Answers a batch without learning from it. */
STAD_C_API stad_status stad_predict(const stad_adapter* adapter, const stad_batch* batch, int64_t* labels,
                                    float* probabilities) STAD_NOEXCEPT;
/** Labels of rows that were given with ids; *used counts those that were still remembered, and may be NULL. */
STAD_C_API stad_status stad_observe(stad_adapter* adapter, const int64_t* ids, const int64_t* labels, size_t count,
                                    size_t* used) STAD_NOEXCEPT;

/** How the last batch was answered, told without labels. What is not known is NaN. */
typedef struct stad_health {
  double confidence;
  double flip_rate;          /**< share of rows answered otherwise than the source */
  double estimated_accuracy; /**< between low and high nine times in ten */
  double estimated_low;
  double estimated_high;
  double trust;       /**< 0: the source answers, 1: the adapted classifier */
  double persistence; /**< 1: labels come in runs */
  double log_likelihood;
} stad_health;
/** Of the last batch adapted to. */
STAD_C_API stad_status stad_adapter_health(const stad_adapter* adapter, stad_health* health) STAD_NOEXCEPT;

/** Everything the adapter remembers: the bytes of a state file, to be freed with stad_bytes_free(). */
STAD_C_API stad_status stad_adapter_state(const stad_adapter* adapter, void** bytes, size_t* size) STAD_NOEXCEPT;
/** Frees the bytes of a state; NULL is fine. */
STAD_C_API void stad_bytes_free(void* bytes) STAD_NOEXCEPT;
/** Continues where the state was taken, bit for bit. */
STAD_C_API stad_status stad_adapter_restore(stad_adapter* adapter, const void* bytes, size_t size) STAD_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
