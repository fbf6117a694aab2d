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
/** Rows of the last batch given to stad_adapt() whose labels are requested, by their positions in the batch, ascending:
 * pass their labels to stad_observe() by the ids of the rows. Only stad-safe with the option label_budget requests
 * labels, of batches with ids. *count receives the number of requests. rows has space for `capacity` values, which must
 * be at least that number; as many as the batch has rows always suffice. rows may be NULL, to get the number alone. */
STAD_C_API stad_status stad_label_requests(const stad_adapter* adapter, size_t* rows, size_t capacity,
                                           size_t* count) STAD_NOEXCEPT;
/** Passes labels of earlier rows by their ids, to stad-vmf, and to stad-safe with candidates, which uses those of rows
 * that it requested. *used receives the number of labels whose rows are still stored; used may be NULL. */
STAD_C_API stad_status stad_observe(stad_adapter* adapter, const int64_t* ids, const int64_t* labels, size_t count,
                                    size_t* used) STAD_NOEXCEPT;

/** Passes labelled rows with their features, whether they were part of an earlier batch or not: labels has one class
 * for each row of the batch. uniform_sample is not 0 if the rows were drawn uniformly at random among recent rows,
 * before their labels were known; stad-safe then also uses the labels to decide which candidate answers. With 0,
 * candidates only learn from them. *used receives the number of labels used; used may be NULL. */
STAD_C_API stad_status stad_observe_rows(stad_adapter* adapter, const stad_batch* batch, const int64_t* labels,
                                         int uniform_sample, size_t* used) STAD_NOEXCEPT;

/** Health of the last batch, estimated without labels. Unavailable values are NaN. */
typedef struct stad_health {
  double confidence;
  double flip_rate;       /**< share of rows on which the source disagrees */
  double zeta;            /**< excess of equal neighbouring labels, in standard deviations */
  double excess;          /**< the same as a share of the possible excess */
  double autocorrelation; /**< of the noise around the class means */
  int warning;            /**< of lost accuracy: 0 fine, 1 watch, 2 act; -1 without a card, guard or enough rows */
  int chains;             /**< who answers where no candidate does (stad_adapter_candidates()): 0 the source, 1 label
                               chains; -1 for methods without a guard */
} stad_health;
/** Health of the last batch given to stad_adapt(). */
STAD_C_API stad_status stad_adapter_health(const stad_adapter* adapter, stad_health* health) STAD_NOEXCEPT;

/** A candidate of stad-safe: a method that runs beside its base and answers once labels have proved that it is better.
 * Without an answering candidate the base answers (chains of stad_health). */
typedef struct stad_candidate {
  const char* name; /**< owned by the adapter: valid until stad_adapter_free() */
  int answers;      /**< 1 if it answers, else 0; at most one candidate does */
  int live;         /**< 0: set aside after labels that were against it */
  double wealth;    /**< evidence that it is better than the base; starts at 1 */
  double threshold; /**< wealth at which it is admitted */
  double watch;     /**< evidence that it has become worse; at 3 the base answers again */
  size_t attempt;   /**< from 1: every revocation begins another, with a higher threshold */
} stad_candidate;
/** The candidates of an adapter at present, after the last stad_adapt(), stad_observe(), stad_observe_rows() or
 * stad_adapter_restore(), in the order of the option. *count receives their number, which is fixed when the adapter is
 * created; 0 for stad-safe without candidates and for other methods. candidates has space for `capacity` values, which
 * must be at least that number; it may be NULL, to get the number alone. */
STAD_C_API stad_status stad_adapter_candidates(const stad_adapter* adapter, stad_candidate* candidates, size_t capacity,
                                               size_t* count) STAD_NOEXCEPT;

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
