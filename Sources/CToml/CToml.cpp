// toml++ behind functions of C, which Swift can import without its C++ mode.
//
// The library's assertions fail for some malformed texts. Without them it would go on with what it took
// for granted; so they are there in every build, and throw. No exception leaves this file.

/// A text failed an assertion of the library.
struct Misread {};

#undef NDEBUG
#define TOML_ASSERT(...) ((__VA_ARGS__) ? static_cast<void>(0) : throw Misread())
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_FORMATTERS 0
// Tables lie in lists and tables; deeper ones than anybody writes cost stack.
#define TOML_MAX_NESTED_VALUES 16

#include "CToml.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <toml++/impl/forward_declarations.h>
// Some characters, such as U+FEDF, lead to where the library says that nothing does.
#undef TOML_UNREACHABLE
#define TOML_UNREACHABLE return false
#include <toml++/impl/unicode.h>
#undef TOML_UNREACHABLE
#define TOML_UNREACHABLE throw Misread()
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

/// Adds the entries of a node. The depth is limited: by the parser, and in keys by `most_dots`.
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

/// The dots in the keys of a line; each makes a table in a table.
static constexpr int most_dots = 64;

/// The first line with too many dots for its keys; 0 if there is none. Dots that follow each other, as
/// in a comment, are no key's.
static int64_t line_with_many_dots(std::string_view text) {
  int64_t line = 1;
  int dots = 0;
  char last = 0;
  for (char byte : text) {
    if (byte == '\n') {
      line++;
      dots = 0;
    } else if (byte == '.' && last != '.' && ++dots > most_dots) {
      return line;
    }
    if (byte != ' ' && byte != '\t') last = byte;
  }
  return 0;
}

/// Whether the library fails one of its assertions.
static bool is_misread(std::string_view text) {
  try {
    static_cast<void>(toml::parse(text));
  } catch (const toml::parse_error &) {
  } catch (const Misread &) {
    return true;
  }
  return false;
}

/// The first line with which a text is misread, where the whole text is.
static int64_t line_of_misreading(std::string_view text) {
  std::vector<size_t> ends;
  for (size_t end = 0; end < text.size(); end++) {
    if (text[end] == '\n') ends.push_back(end + 1);
  }
  auto first = std::partition_point(ends.begin(), ends.end(), [&](size_t end) {
    return !is_misread(text.substr(0, end));
  });
  return first - ends.begin() + 1;
}

kennel_toml *kennel_toml_read(const char *bytes, size_t count) {
  std::string_view text(bytes, count);
  auto *file = new kennel_toml;
  if (int64_t line = line_with_many_dots(text)) {
    file->mistake = "a key has too many parts";
    file->mistaken_line = line;
    return file;
  }
  try {
    std::vector<std::string> keys;
    toml::table table = toml::parse(text);
    if (!table.empty()) add(*file, table, keys);
  } catch (const toml::parse_error &error) {
    file->mistake = error.description();
    file->mistaken_line = error.source().begin.line;
  } catch (const Misread &) {
    file->mistake = "this line is not TOML";
    file->mistaken_line = line_of_misreading(text);
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
