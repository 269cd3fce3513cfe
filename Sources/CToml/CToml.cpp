// toml++ behind functions of C, which Swift can import without its C++ mode.
//
// An unreadable file is told by a result, not by an exception, so that none can reach Swift.

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0

#include "CToml.h"

#include <string>
#include <string_view>
#include <toml++/toml.h>
#include <vector>

struct Entry {
  std::vector<std::string> keys;
  size_t line;
  kennel_toml_kind kind;
  std::string text;
};

struct kennel_toml {
  std::vector<Entry> entries;
  std::string mistake;
  int64_t mistaken_line = 0;
};

static kennel_toml_kind kind_of(const toml::node &node) {
  switch (node.type()) {
  case toml::node_type::string: return KENNEL_TOML_STRING;
  case toml::node_type::integer: return KENNEL_TOML_INTEGER;
  case toml::node_type::boolean: return KENNEL_TOML_BOOLEAN;
  case toml::node_type::array: return KENNEL_TOML_LIST;
  case toml::node_type::table: return KENNEL_TOML_TABLE;
  default: return KENNEL_TOML_OTHER;
  }
}

static std::string text_of(const toml::node &node) {
  if (const auto *string = node.as_string()) return string->get();
  if (const auto *integer = node.as_integer()) return std::to_string(integer->get());
  if (const auto *boolean = node.as_boolean()) return boolean->get() ? "true" : "false";
  return "";
}

/// Adds the entries of a node. The parser limits how deep nodes lie in each other.
static void add(kennel_toml &file, const toml::node &node, std::vector<std::string> &keys) {
  const toml::table *table = node.as_table();
  if (!table || table->empty()) {
    file.entries.push_back({keys, node.source().begin.line, kind_of(node), text_of(node)});
  }
  if (table) {
    for (const auto &[key, value] : *table) {
      keys.emplace_back(key.str());
      add(file, value, keys);
      keys.pop_back();
    }
  } else if (const toml::array *list = node.as_array()) {
    for (const toml::node &element : *list) add(file, element, keys);
  }
}

kennel_toml *kennel_toml_read(const char *text, size_t count) {
  auto *file = new kennel_toml;
  toml::parse_result result = toml::parse(std::string_view(text, count));
  if (result) {
    std::vector<std::string> keys;
    if (!result.table().empty()) add(*file, result.table(), keys);
  } else {
    file->mistake = result.error().description();
    file->mistaken_line = result.error().source().begin.line;
  }
  return file;
}

void kennel_toml_free(kennel_toml *file) { delete file; }

const char *kennel_toml_mistake(const kennel_toml *file, int64_t *line) {
  *line = file->mistaken_line;
  return file->mistake.empty() ? nullptr : file->mistake.c_str();
}

size_t kennel_toml_count(const kennel_toml *file) { return file->entries.size(); }

size_t kennel_toml_line(const kennel_toml *file, size_t index) { return file->entries[index].line; }

kennel_toml_kind kennel_toml_kind_at(const kennel_toml *file, size_t index) {
  return file->entries[index].kind;
}

size_t kennel_toml_key_count(const kennel_toml *file, size_t index) {
  return file->entries[index].keys.size();
}

const char *kennel_toml_key(const kennel_toml *file, size_t index, size_t place) {
  return file->entries[index].keys[place].c_str();
}

const char *kennel_toml_text(const kennel_toml *file, size_t index) {
  return file->entries[index].text.c_str();
}
