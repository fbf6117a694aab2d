#include "serving/store/change_journal.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace stad::serving {
namespace {

/// Before each change in a row.
struct EntryHead {
  std::int64_t stream = 0;
  std::int64_t size = 0;  ///< bytes that follow
  std::int64_t position = 0;
  std::int64_t batches = 0;
  std::int64_t rows = 0;
  double updated = 0;
};

/// Rows of which a part is needed are kept until they take more than twice the bytes of what is needed, and more than
/// this: an idle stream keeps the whole row of its last change.
constexpr std::int64_t kCompactedBytes = 4 << 20;

}  // namespace

ChangeJournal::ChangeJournal(SqliteConnection& connection)
    : add_row_(connection, "INSERT INTO journal(id, entries) VALUES(?, ?)"),
      remove_row_(connection, "DELETE FROM journal WHERE id = ?"),
      entries_(connection, "SELECT entries FROM journal WHERE id = ?") {
  next_row_ = connection.integer("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'journal'") + 1;
  read_rows(connection);
  keep_needed(connection);
  drop_dead_rows();
}

void ChangeJournal::read_rows(SqliteConnection& connection) {
  Statement journal(connection, "SELECT id, entries FROM journal ORDER BY id");
  for (Cursor row = journal.start(); row.next();) read_row(row.integer(0), row.bytes(1));
}

void ChangeJournal::read_row(std::int64_t id, const std::string& entries) {
  Row& row = rows_[id];
  row.bytes = static_cast<std::int64_t>(entries.size());
  bytes_ += row.bytes;
  EntryHead head;
  for (std::int64_t offset = 0; offset < row.bytes; offset += head.size) {
    const std::int64_t left = row.bytes - offset - static_cast<std::int64_t>(sizeof head);
    if (left >= 0) std::memcpy(&head, entries.data() + offset, sizeof head);
    if (left < 0 || head.size < 0 || head.size > left)
      throw DatabaseError(0, fmt::format("row {} of the journal is damaged", id));
    offset += static_cast<std::int64_t>(sizeof head);
    pending_[head.stream].push_back({.row = id,
                                     .offset = offset,
                                     .size = head.size,
                                     .position = head.position,
                                     .batches = head.batches,
                                     .rows = head.rows,
                                     .updated = head.updated});
    row.live += head.size;
    live_ += head.size;
  }
}

/// Drops changes that are part of their stream's state, changes of removed streams, and former places of changes that
/// were moved.
void ChangeJournal::keep_needed(SqliteConnection& connection) {
  Statement journaled(connection, "SELECT journaled FROM streams WHERE id = ?");
  for (auto& [stream, places] : pending_) {
    Cursor state = journaled.start(stream);
    const std::int64_t included = state.next() ? state.integer(0) : next_row_;
    std::ranges::sort(places, [](const Place& a, const Place& b) {
      return std::tie(a.position, b.row) < std::tie(b.position, a.row);  // the newest place of a change first
    });
    std::int64_t last = 0;
    std::erase_if(places, [&](const Place& place) {
      const bool is_needed = place.row > included && place.position > last;
      if (is_needed) last = place.position;
      if (!is_needed) release(place);
      return !is_needed;
    });
  }
  std::erase_if(pending_, [](const auto& entry) { return entry.second.empty(); });
}

void ChangeJournal::drop_dead_rows() {
  std::erase_if(rows_, [&](const auto& entry) {
    const auto& [id, row] = entry;
    if (row.live > 0) return false;
    remove_row_.run(id);
    bytes_ -= row.bytes;
    return true;
  });
}

void ChangeJournal::release(const Place& place) {
  live_ -= place.size;
  if (const auto row = rows_.find(place.row); row != rows_.end()) row->second.live -= place.size;
}

void ChangeJournal::add(std::int64_t stream, const StreamRecord& record) {
  Place place;
  place.batches = record.batches;
  place.rows = record.rows;
  place.updated = record.updated;
  for (const auto& change : record.changes) staged_[stream].changes.push_back({place, change});
}

void ChangeJournal::write() {
  if (staged_.empty()) return;
  compact();
  // Before the insertion, which takes the pages that become free.
  for (const std::int64_t row : dead_rows()) remove_row_.run(row);
  if (const std::string entries = pack(); !entries.empty()) add_row_.run(next_row_, Blob{entries});
}

std::vector<std::int64_t> ChangeJournal::dead_rows() const {
  std::map<std::int64_t, std::int64_t> freed;  // bytes by row
  for (const auto& [stream, staged] : staged_)
    if (staged.is_superseded)
      for (const Place& place : pending(stream)) freed[place.row] += place.size;
  std::vector<std::int64_t> dead;
  for (const auto& [row, bytes] : freed)
    if (rows_.at(row).live == bytes) dead.push_back(row);
  return dead;
}

/// Moves the changes of streams that need the oldest row to the row of this transaction. One row a transaction bounds
/// the time it takes.
void ChangeJournal::compact() {
  if (rows_.empty() || bytes_ <= std::max(kCompactedBytes, 2 * live_)) return;
  const std::int64_t oldest = rows_.begin()->first;
  for (const auto& [stream, places] : pending_) {
    const bool is_needed = std::ranges::any_of(places, [&](const Place& place) { return place.row == oldest; });
    if (!is_needed || staged_[stream].is_superseded) continue;
    Staged moved = moved_changes(places);
    std::ranges::move(staged_[stream].changes, std::back_inserter(moved.changes));
    staged_[stream] = std::move(moved);
  }
}

ChangeJournal::Staged ChangeJournal::moved_changes(const Places& places) {
  Staged moved{.is_superseded = true, .changes = {}};
  for (const Place& place : places) {
    Cursor entries = entries_.start(place.row);
    if (!entries.next()) throw DatabaseError(0, fmt::format("row {} of the journal is missing", place.row));
    moved.changes.push_back(
        {place, entries.bytes(0).substr(static_cast<std::size_t>(place.offset), static_cast<std::size_t>(place.size))});
  }
  return moved;
}

/// Gives the changes their places and returns the row.
std::string ChangeJournal::pack() {
  std::string entries;
  for (auto& [stream, staged] : staged_) {
    const Places& before = pending(stream);
    std::int64_t last = before.empty() ? 0 : before.back().position;
    for (auto& [place, bytes] : staged.changes) {
      if (place.position == 0) place.position = ++last;
      place.row = next_row_;
      place.size = static_cast<std::int64_t>(bytes.size());
      const EntryHead head{stream, place.size, place.position, place.batches, place.rows, place.updated};
      entries.append(reinterpret_cast<const char*>(&head), sizeof head);
      place.offset = static_cast<std::int64_t>(entries.size());
      entries += bytes;
    }
  }
  return entries;
}

void ChangeJournal::apply() {
  for (const std::int64_t row : dead_rows()) {
    bytes_ -= rows_.at(row).bytes;
    rows_.erase(row);
  }
  Row added;
  for (const auto& [stream, staged] : staged_) {
    Places& places = pending_[stream];
    if (staged.is_superseded) {
      for (const Place& place : places) release(place);
      places.clear();
    }
    for (const auto& change : staged.changes) {
      places.push_back(change.place);
      added.bytes = std::max(added.bytes, change.place.offset + change.place.size);
      added.live += change.place.size;
    }
    if (places.empty()) pending_.erase(stream);
  }
  staged_.clear();
  if (added.bytes == 0) return;
  bytes_ += added.bytes;
  live_ += added.live;
  rows_.emplace(next_row_++, added);
}

const ChangeJournal::Places& ChangeJournal::pending(std::int64_t stream) const {
  static const Places none;
  const auto found = pending_.find(stream);
  return found == pending_.end() ? none : found->second;
}

}  // namespace stad::serving
