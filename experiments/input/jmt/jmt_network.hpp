/// A model of JMT as its file states it: classes, nodes and connections.
///
/// What is no part of an open system of stations with one server each, behind whatever sends tasks to them, is refused
/// here with its line; how tasks are sent is read later (jmt_model.cpp), since most nodes decide nothing.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "experiments/input/jmt/jmt_cursor.hpp"
#include "experiments/input/routers/imported_rule.hpp"
#include "model/core/rational.hpp"

namespace schedproof::input {

struct JmtClass {
    std::string name;
    std::size_t source = 0;  ///< node at which its tasks arrive
    std::size_t line = 0;
};

enum class JmtRole { source, router, station, sink };

struct JmtNode {
    std::string name;
    JmtRole role = JmtRole::sink;
    JmtCursor at;
    /// By class, of arrivals at a source and of services at a station; absent where there are none.
    std::vector<std::optional<Rational>> rates = {};
    std::vector<JmtCursor> strategies = {};  ///< by class, where the node sends tasks on
    std::vector<std::size_t> outputs = {};   ///< nodes that it is connected to, in the order of the file
};

struct JmtNetwork {
    std::string name;
    std::vector<JmtClass> classes;
    std::vector<JmtNode> nodes;
    std::vector<ConfigNote> notes;
};

/// `root`: that of the file. Throws InputError with file, line and key.
/// Requires root and `file` to outlive the result.
[[nodiscard]] JmtNetwork read_network(const XmlElement& root, const std::string& file);

}  // namespace schedproof::input
