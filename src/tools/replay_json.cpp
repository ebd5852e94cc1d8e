// JSON by the records' own fields.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/replay_json.h"

#include <nlohmann/json.hpp>
#include <string_view>
#include <type_traits>

namespace gridspan::tools {
namespace {

using OrderedJson = nlohmann::ordered_json;
namespace record = runtime::record;

std::string hexadecimal_bytes(std::string_view bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    text += digits[value / 16];
    text += digits[value % 16];
  }
  return text;
}

class JsonArchive {
 public:
  explicit JsonArchive(OrderedJson& object) : object_(object) {}

  template <class T>
  void operator()(const char* name, T& value) {
    object_[name] = json(value);
  }

 private:
  template <class T>
    requires std::is_arithmetic_v<T>
  static OrderedJson json(T value) {
    return value;
  }
  static OrderedJson json(const std::string& text) { return text; }
  static OrderedJson json(const record::Blob& blob) { return hexadecimal_bytes(blob.bytes); }
  template <class T>
  static OrderedJson json(std::vector<T>& list) {
    OrderedJson array = OrderedJson::array();
    for (T& one : list) array.push_back(json(one));
    return array;
  }
  template <class T, std::size_t n>
  static OrderedJson json(std::array<T, n>& list) {
    return list;
  }
  template <class T>
    requires(std::is_class_v<T> && requires(T& value, JsonArchive& a) { value.fields(a); })
  static OrderedJson json(T& value) {
    OrderedJson object = OrderedJson::object();
    JsonArchive archive(object);
    value.fields(archive);
    return object;
  }

  OrderedJson& object_;
};

}  // namespace

std::string json_line(record::Record any) {
  OrderedJson object{{"kind", record::record_names[any.index()]}};
  if (const auto* chunk = std::get_if<record::ChunkNote>(&any)) {
    object["size"] = chunk->data.bytes.size();
  } else {
    JsonArchive archive(object);
    std::visit([&](auto& one) { one.fields(archive); }, any);
  }
  return object.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace gridspan::tools
