#pragma once

#include <mutex>
#include <string>
#include <utility>

#include "server/http/message.hpp"
#include "server/service/service.hpp"

namespace stad::server {

/// Routes of the admin interface, below /admin.
class AdminRoutes {
 public:
  /// @param data folder of the database and of backups; empty: in memory
  AdminRoutes(std::string data, Service& service) : data_(std::move(data)), service_(service) {}

  /// Throws AppError.
  void answer(HttpRequest& request, const Reply& reply);

 private:
  HttpResponse answer_from_disk(const HttpRequest& request);
  void answer_stream(HttpRequest& request, const Reply& reply);
  HttpResponse list_snapshots(const StreamName& name) const;
  HttpResponse list_models(const Caller& caller) const;
  HttpResponse add_model(const HttpRequest& request);
  HttpResponse list_streams(const HttpRequest& request, const std::string& model) const;
  HttpResponse list_events(const HttpRequest& request) const;
  HttpResponse back_up();

  const std::string data_;
  Service& service_;
  std::mutex backing_up_;
};

}  // namespace stad::server
