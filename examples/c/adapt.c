/* Adapts a classifier of two classes to a drifting stream, in C99.
 *
 * stad-vmf follows the drift. stad-safe answers as the source does, because the labels of these rows do not persist,
 * and reports a warning level: whether the source has probably lost accuracy since its card was made. */

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

static int fail(const char* step) {
  fprintf(stderr, "%s: %s\n", step, stad_last_error());
  return 1;
}

int main(void) {
  float weight[2 * kDimension] = {0};
  weight[0] = weight[kDimension + 1] = 4;

  /* The card: statistics of the head on labelled rows from before the drift. */
  float features[kRows * kDimension];
  int64_t truth[kRows], labels[kRows];
  stad_source *head = NULL, *source = NULL;
  stad_adapter *adapter = NULL, *guarded = NULL;
  draw(0, features, truth);
  if (stad_source_create(weight, NULL, NULL, 2, kDimension, &head)) return fail("head");
  if (stad_source_with_card(head, features, kRows, truth, &source)) return fail("card");
  if (stad_adapter_create(source, "stad-vmf", NULL, 0, &adapter)) return fail("adapter");
  if (stad_adapter_create(source, "stad-safe", NULL, 0, &guarded)) return fail("guarded adapter");

  int correct = 0, source_correct = 0;
  for (int batch = 0; batch < kBatches; ++batch) {
    draw(batch, features, truth);
    const stad_batch rows = {.features = features, .rows = kRows};
    if (stad_adapt(adapter, &rows, labels, NULL)) return fail("batch");
    if (stad_adapt(guarded, &rows, NULL, NULL)) return fail("batch");
    for (int n = 0; n < kRows; ++n) {
      correct += labels[n] == truth[n];
      source_correct += source_label(weight, features + n * kDimension) == truth[n];
    }
  }
  stad_health health;
  if (stad_adapter_health(guarded, &health)) return fail("health");
  const char* levels[] = {"none", "fine", "watch", "act"};
  printf("stad %s: source %.1f %%, stad-vmf %.1f %%; stad-safe: %s answers, warning level %s\n", stad_version(),
         100.0 * source_correct / (kRows * kBatches), 100.0 * correct / (kRows * kBatches),
         health.chains == 1 ? "a label chain" : "the source", levels[health.warning + 1]);

  stad_adapter_free(adapter);
  stad_adapter_free(guarded);
  stad_source_free(source);
  stad_source_free(head);
  return correct > source_correct ? 0 : 1;
}
