#include "model/base/tex.hpp"

namespace schedproof::base {

std::string tex(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\')
            out += "\\textbackslash{}";
        else if (c == '~' || c == '^')
            out += std::string("\\") + c + "{}";
        else if (c == '<' || c == '>' || c == '|')
            out += std::string("$") + c + "$";
        else if (std::string_view("{}_&%#$").find(c) != std::string_view::npos)
            out += std::string("\\") + c;
        else
            out += c;
    }
    return out;
}

}  // namespace schedproof::base
