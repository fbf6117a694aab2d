#pragma once

#include "server/http/message.hpp"
#include "server/service/service.hpp"

namespace stad::server {

/// Routes of Triton's extensions that concern several models: /v2/repository and /v2/models/stats.
class RepositoryRoutes {
 public:
  explicit RepositoryRoutes(Service& service) : service_(service) {}

  /// Paths v2/repository/index and v2/repository/models/MODEL/load or unload. Throws AppError.
  void answer(HttpRequest& request, const Reply& reply);
  /// The statistics of the models of which the caller may read a stream.
  HttpResponse all_statistics(const Caller& caller) const;

 private:
  HttpResponse index(const HttpRequest& request) const;
  HttpResponse change(const HttpRequest& request);

  Service& service_;
};

/// Throws AppError (501) for paths of Triton's extensions that are not served: shared memory, trace, logging.
void reject_unserved(const RequestTarget& target);

}  // namespace stad::server
