#pragma once

#include <any>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <typeindex>
#include <utility>

namespace schedproof::base {

/// Values that are made when they are first asked for, and then shared: one per type and number. An exception of the
/// making is kept as well, and thrown at each request. Safe to use from several threads; a making may ask for others.
class Memo {
  public:
    /// Calls `make` at the first request only, whatever later ones bring. The value lives as long as this object.
    template <class Value, class Make>
    const Value& get(int number, Make&& make) {
        std::shared_future<std::any> value;
        {
            const std::lock_guard lock(mutex_);
            std::shared_future<std::any>& stored = values_[{std::type_index(typeid(Value)), number}];
            if (!stored.valid())
                stored = std::async(std::launch::deferred, [make = std::forward<Make>(make)] {
                             return std::any(std::make_shared<const Value>(make()));
                         }).share();
            value = stored;
        }
        return **std::any_cast<std::shared_ptr<const Value>>(&value.get());
    }

  private:
    std::mutex mutex_;
    std::map<std::pair<std::type_index, int>, std::shared_future<std::any>> values_;
};

}  // namespace schedproof::base
