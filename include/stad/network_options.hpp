#pragma once

#include <stad/error.hpp>
#include <stad/export.hpp>
#include <stad/index.hpp>

namespace stad {

// Options of the methods that adapt a network, not only its last layer. They need the torch component and a network;
// what each does is said in docs/methods.

/// Batch normalisation with the statistics of what arrives.
struct STAD_API BnOptions {
  double source_share = 0;  ///< of the source's statistics in a blend with the batch's
  double momentum = 1;      ///< of a moving average over batches; 1: the batch alone

  Status validate() const;
};

/// Entropy minimisation over the scale and shift of norm layers.
struct STAD_API TentOptions {
  double learning_rate = 1e-3;

  Status validate() const;
};

/// Information maximisation with confident pseudo-labels over the whole extractor.
struct STAD_API ShotOptions {
  double learning_rate = 1e-3;
  double beta = 0.1;        ///< weight of the pseudo-labels
  double confidence = 0.9;  ///< a pseudo-label counts above it
  double momentum = 0.9;

  Status validate() const;
};

/// Sharpness-aware, reliable entropy minimisation.
struct STAD_API SarOptions {
  double learning_rate = 0.00025;
  double rho = 0.05;         ///< radius of the neighbourhood
  double reliable = 0.4;     ///< E_0 as a share of ln K: samples below it are kept
  double reset_below = 0.2;  ///< the moving loss that tells a collapse
  double momentum = 0.9;

  Status validate() const;
};

/// Continual adaptation by a weight-averaged, augmentation-averaged teacher with stochastic restore.
struct STAD_API CottaOptions {
  double learning_rate = 1e-3;
  Index augmentations = 32;
  double confidence = 0.92;  ///< below this mean confidence of the source model the teacher averages augmentations
  double teacher_momentum = 0.999;
  double restore = 0.01;  ///< chance of a weight to return to its source value
  Index seed = 0;

  Status validate() const;
};

/// Robust statistics, a balanced memory and a timely teacher.
struct STAD_API RottaOptions {
  double learning_rate = 1e-3;
  Index memory = 64;        ///< samples kept
  Index update_every = 64;  ///< arrivals between two steps
  double statistics_momentum = 0.05;
  double teacher_momentum = 0.999;
  double timeliness = 1;   ///< lambda_t
  double uncertainty = 1;  ///< lambda_u
  Index seed = 0;

  Status validate() const;
};

/// Certainty- and diversity-weighted adaptation with a Kalman filter on the parameters.
struct STAD_API CmfOptions {
  double learning_rate = 0.00025;
  double momentum = 0.9;
  double alpha = 0.99;           ///< how fast the hidden parameters return to the source's
  double gamma = 0.99;           ///< how much of itself the model keeps beside the hidden one
  double process_noise = 0.005;  ///< q for 38,400 trained values; scaled by their number
  Index seed = 0;

  Status validate() const;
};

/// Fine-tuning with labels, an epoch a time step: what labels would give. Not a method to deploy.
struct STAD_API OracleOptions {
  double learning_rate = 1e-3;
  double share = 0.1;  ///< of each time step's rows, labelled and not scored
  Index batch_size = 32;
  Index seed = 0;

  Status validate() const;
};

}  // namespace stad
