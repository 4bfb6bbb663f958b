// Presents the trees of json_schema/value.hpp to valijson. The adapter that valijson provides would not treat
// 1.0 or a 30-digit integer as integers, and would cut strings at a NUL. Internal to json_schema/schema.
#pragma once

#include "json_schema/value.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <valijson/internal/adapter.hpp>
#include <valijson/internal/basic_adapter.hpp>
#include <valijson/internal/frozen_value.hpp>

#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

namespace json_schema {

class SchemaAdapter;

// The result of operator-> for an iterator that creates its elements on the fly.
template<class Element>
struct ElementHolder {
    Element element;
    Element* operator->() { return &element; }
};

// Iterates over a Boost.JSON array or object. Base is its iterator; the elements are Element(*base), by
// value.
template<class Base, class Element>
class AdapterIterator {
  public:
    using iterator_category = std::bidirectional_iterator_tag;
    using value_type = Element;
    using difference_type = std::ptrdiff_t;
    using pointer = Element*;
    using reference = Element;

    explicit AdapterIterator(Base at) : at_(at) {}

    Element operator*() const;
    ElementHolder<Element> operator->() const { return {**this}; }
    bool operator==(const AdapterIterator&) const = default;
    AdapterIterator& operator++() {
        ++at_;
        return *this;
    }
    AdapterIterator operator++(int) { return AdapterIterator(at_++); }
    AdapterIterator& operator--() {
        --at_;
        return *this;
    }
    void advance(std::ptrdiff_t n) { at_ += n; }

  private:
    Base at_;
};

class AdapterArray {
  public:
    using const_iterator = AdapterIterator<boost::json::array::const_iterator, SchemaAdapter>;
    using iterator = const_iterator;

    explicit AdapterArray(const boost::json::array& array) : array_(&array) {}
    AdapterArray() : array_(&none()) {}

    const_iterator begin() const { return const_iterator(array_->begin()); }
    const_iterator end() const { return const_iterator(array_->end()); }
    std::size_t size() const { return array_->size(); }

  private:
    static const boost::json::array& none() {
        static const boost::json::array array;
        return array;
    }
    const boost::json::array* array_;
};

using AdapterMember = std::pair<std::string, SchemaAdapter>;

class AdapterObject {
  public:
    using const_iterator = AdapterIterator<boost::json::object::const_iterator, AdapterMember>;
    using iterator = const_iterator;

    explicit AdapterObject(const boost::json::object& object) : object_(&object) {}
    AdapterObject() : object_(&none()) {}

    const_iterator begin() const { return const_iterator(object_->begin()); }
    const_iterator end() const { return const_iterator(object_->end()); }
    const_iterator find(const std::string& name) const { return const_iterator(object_->find(name)); }
    std::size_t size() const { return object_->size(); }

  private:
    static const boost::json::object& none() {
        static const boost::json::object object;
        return object;
    }
    const boost::json::object* object_;
};

class FrozenTree : public valijson::adapters::FrozenValue {
  public:
    explicit FrozenTree(boost::json::value value) : value_(std::move(value)) {}
    FrozenValue* clone() const override { return new FrozenTree(value_); }
    bool equalTo(const valijson::adapters::Adapter& other, bool strict) const override;

  private:
    boost::json::value value_;
};

// The interface that valijson expects of a value; the names are valijson's.
class AdapterValue {
  public:
    AdapterValue() : value_(&none()) {}
    explicit AdapterValue(const boost::json::value& value) : value_(&value) {}

    const boost::json::value& value() const { return *value_; }
    FrozenTree* freeze() const { return new FrozenTree(*value_); }
    static bool hasStrictTypes() { return true; }

    bool isArray() const { return value_->is_array(); }
    bool isBool() const { return value_->is_bool(); }
    bool isDouble() const { return value_->is_double() || value_->is_uint64(); }
    bool isInteger() const { return is_integer(*value_); }
    bool isNull() const { return value_->is_null(); }
    bool isNumber() const { return value_->is_number(); }
    bool isObject() const { return value_->is_object(); }
    bool isString() const { return value_->is_string(); }

    std::optional<AdapterArray> getArrayOptional() const {
        if (!isArray()) return {};
        return AdapterArray(value_->get_array());
    }
    std::optional<AdapterObject> getObjectOptional() const {
        if (!isObject()) return {};
        return AdapterObject(value_->get_object());
    }
    bool getArraySize(std::size_t& result) const {
        if (isArray()) result = value_->get_array().size();
        return isArray();
    }
    bool getObjectSize(std::size_t& result) const {
        if (isObject()) result = value_->get_object().size();
        return isObject();
    }
    bool getBool(bool& result) const {
        if (isBool()) result = value_->get_bool();
        return isBool();
    }
    bool getDouble(double& result) const {
        if (isDouble()) result = to_double(*value_);
        return isDouble();
    }
    bool getInteger(std::int64_t& result) const {
        if (value_->is_int64()) result = value_->get_int64();
        return value_->is_int64();
    }
    bool getString(std::string& result) const {
        if (isString()) result.assign(value_->get_string().data(), value_->get_string().size());
        return isString();
    }

  private:
    static const boost::json::value& none() {
        static const boost::json::value value;
        return value;
    }
    const boost::json::value* value_;
};

// Holds a reference to the tree, which must outlive it.
class SchemaAdapter : public valijson::adapters::BasicAdapter<SchemaAdapter, AdapterArray, AdapterMember,
                                                              AdapterObject, AdapterValue> {
  public:
    SchemaAdapter() = default;
    explicit SchemaAdapter(const boost::json::value& value)
        : BasicAdapter(AdapterValue(value)), tree_(&value) {}

    const boost::json::value& tree() const { return *tree_; }

  private:
    const boost::json::value* tree_ = nullptr;
};

template<class Base, class Element>
Element AdapterIterator<Base, Element>::operator*() const {
    if constexpr (std::is_same_v<Element, AdapterMember>) {
        return {std::string(at_->key()), SchemaAdapter(at_->value())};
    } else {
        return SchemaAdapter(*at_);
    }
}

inline bool FrozenTree::equalTo(const valijson::adapters::Adapter& other, bool strict) const {
    return SchemaAdapter(value_).equalTo(other, strict);
}

}  // namespace json_schema

template<>
struct valijson::adapters::AdapterTraits<json_schema::SchemaAdapter> {
    using DocumentType = boost::json::value;
    static std::string adapterName() { return "json_schema::SchemaAdapter"; }
};
