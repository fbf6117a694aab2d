/* Adapts a classifier of two classes to a drifting stream, in C99.
 *
 * stad-vmf follows the drift. stad-safe answers as the source does, because the labels of these rows do not persist,
 * and reports a warning level: whether the source has probably lost accuracy since its card was made. With a label
 * budget, stad-safe requests labels of a few rows, and a candidate that they prove to be better answers. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <stad/stad.h>

enum { kDimension = 8, kRows = 64, kBatches = 50 };

static double uniform(void) { return (rand() + 0.5) / (RAND_MAX + 1.0); }
static double normal(void) { return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform()); }

/* Draws two Gaussian clusters whose centres rotate away from those of the training data, batch by batch. */
static void draw(int batch, float* features, int64_t* truth) {
  const double angle = 1.2 * batch / kBatches;
  for (int n = 0; n < kRows; ++n) {
    float* row = features + n * kDimension;
    truth[n] = rand() % 2;
    for (int d = 0; d < kDimension; ++d) row[d] = (float)(0.3 * normal());
    row[truth[n]] += (float)cos(angle);
    row[2 + truth[n]] += (float)sin(angle);
  }
}

/* The prediction of the unadapted head: the class with the larger logit. */
static int64_t source_label(const float* weight, const float* row) {
  float logits[2] = {0, 0};
  for (int d = 0; d < kDimension; ++d)
    for (int k = 0; k < 2; ++k) logits[k] += weight[k * kDimension + d] * row[d];
  return logits[1] > logits[0];
}

static int count_correct(const int64_t* labels, const int64_t* truth) {
  int correct = 0;
  for (int n = 0; n < kRows; ++n) correct += labels[n] == truth[n];
  return correct;
}

/* Passes the labels that the adapter requested of its last batch. *labels is increased by their number. */
static stad_status answer_requests(stad_adapter* adapter, const int64_t* ids, const int64_t* truth, size_t* labels) {
  size_t rows[kRows], count = 0;
  const stad_status status = stad_label_requests(adapter, rows, kRows, &count);
  if (status) return status;
  int64_t requested[kRows], answers[kRows];
  for (size_t i = 0; i < count; ++i) {
    requested[i] = ids[rows[i]];
    answers[i] = truth[rows[i]];
  }
  *labels += count;
  return stad_observe(adapter, requested, answers, count, NULL);
}

/* Name of the candidate that answers, or of the base if none does. NULL on a failure. */
static const char* answering(const stad_adapter* adapter) {
  stad_candidate candidates[8];
  stad_health health;
  size_t count = 0;
  if (stad_adapter_candidates(adapter, candidates, 8, &count) || stad_adapter_health(adapter, &health)) return NULL;
  for (size_t i = 0; i < count; ++i)
    if (candidates[i].answers) return candidates[i].name;
  return health.chains == 1 ? "chains" : "source";
}

static int fail(const char* step) {
  fprintf(stderr, "%s: %s\n", step, stad_last_error());
  return 1;
}

int main(void) {
  float weight[2 * kDimension] = {0};
  weight[0] = weight[kDimension + 1] = 4;

  /* The card: statistics of the head on labelled rows from before the drift. */
  float features[kRows * kDimension];
  int64_t truth[kRows], labels[kRows], ids[kRows];
  stad_source *head = NULL, *source = NULL;
  stad_adapter *adapter = NULL, *guarded = NULL, *labelled = NULL;
  draw(0, features, truth);
  if (stad_source_create(weight, NULL, NULL, 2, kDimension, &head)) return fail("head");
  if (stad_source_with_card(head, features, kRows, truth, &source)) return fail("card");
  if (stad_adapter_create(source, "stad-vmf", NULL, 0, &adapter)) return fail("adapter");
  if (stad_adapter_create(source, "stad-safe", NULL, 0, &guarded)) return fail("guarded adapter");
  const stad_option options[] = {
      {"label_budget", "100"}, {"label_period", "3200"}, {"candidates", "fine-tune,stad-vmf"}};
  if (stad_adapter_create(source, "stad-safe", options, 3, &labelled)) return fail("labelled adapter");

  int correct = 0, source_correct = 0, labelled_correct = 0;
  size_t label_count = 0;
  for (int batch = 0; batch < kBatches; ++batch) {
    draw(batch, features, truth);
    for (int n = 0; n < kRows; ++n) ids[n] = (int64_t)batch * kRows + n;
    const stad_batch rows = {.features = features, .rows = kRows, .ids = ids};
    if (stad_adapt(guarded, &rows, NULL, NULL)) return fail("batch");
    if (stad_adapt(adapter, &rows, labels, NULL)) return fail("batch");
    correct += count_correct(labels, truth);
    if (stad_adapt(labelled, &rows, labels, NULL)) return fail("batch");
    labelled_correct += count_correct(labels, truth);
    if (answer_requests(labelled, ids, truth, &label_count)) return fail("labels");
    for (int n = 0; n < kRows; ++n) source_correct += source_label(weight, features + n * kDimension) == truth[n];
  }
  stad_health health;
  if (stad_adapter_health(guarded, &health)) return fail("health");
  const char* winner = answering(labelled);
  if (!winner) return fail("candidates");
  const char* levels[] = {"none", "fine", "watch", "act"};
  printf("stad %s: source %.1f %%, stad-vmf %.1f %%; stad-safe: %s answers, warning level %s\n", stad_version(),
         100.0 * source_correct / (kRows * kBatches), 100.0 * correct / (kRows * kBatches),
         health.chains == 1 ? "a label chain" : "the source", levels[health.warning + 1]);
  printf("stad-safe with %zu labels: %.1f %%, %s answers\n", label_count, 100.0 * labelled_correct / (kRows * kBatches),
         winner);

  stad_adapter_free(adapter);
  stad_adapter_free(guarded);
  stad_adapter_free(labelled);
  stad_source_free(source);
  stad_source_free(head);
  return correct > source_correct && labelled_correct > source_correct ? 0 : 1;
}
