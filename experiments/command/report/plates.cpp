#include "experiments/command/report/plates.hpp"

#include <algorithm>
#include <tuple>

#include "experiments/command/report/packed.hpp"
#include "experiments/command/report/svg.hpp"

namespace schedproof::cli::site {

namespace {

/// The number of tasks of a level's own picture, `3` of `state.3`; empty for other pictures.
std::string level_of(const std::string& name) {
    const std::size_t dot = name.rfind('.');
    return dot == std::string::npos ? "" : name.substr(dot + 1);
}

/// A plot, which holds more than `inline_svg` takes: as an image, which can neither run a script nor load anything.
Html image_of(const Picture& picture, const std::string& prefix) {
    if (picture.svg.find("<svg") == std::string::npos) return {};
    const Html image = void_element("img", {{"src", "data:image/svg+xml;base64," + base64(picture.svg)},
                                            {"alt", "Picture " + picture.name + ": the text states what it shows"},
                                            {"loading", "lazy"}});
    return element("figure", {{"id", prefix + picture.name}},
                   element("div", {{"class", "plate"}}, image) + element("figcaption", "Picture: " + picture.name));
}

Html plate_of(const Picture& picture, const std::string& prefix, const LinkTargets& targets) {
    const std::string &name = picture.name, level = level_of(name);
    const auto svg = inline_svg(picture.svg, prefix + name + "-", targets);
    if (!svg) return image_of(picture, prefix);
    const Html plate = element("div",
                               {{"class", "plate"},
                                {"tabindex", "0"},
                                {"role", "group"},
                                {"aria-label", "Picture " + name + ": the text states what it shows"},
                                {"data-picture", name}},
                               Html::raw(*svg));
    const std::string id = prefix + name;
    if (!level.empty())
        return element("details", {{"class", "level"}, {"id", id}},
                       element("summary", "Each state with " + level + (level == "1" ? " task" : " tasks")) + plate);
    // A large picture comes folded up; its own legend says what was merged.
    constexpr std::size_t large = 60'000;
    if (svg->size() > large)
        return element("details", {{"class", "large"}, {"id", id}}, element("summary", "Picture: " + name) + plate);
    return element("figure", {{"id", id}}, plate + element("figcaption", "Picture: " + name));
}

}  // namespace

Html plates(std::vector<Picture> pictures, const std::string& prefix) {
    const auto key = [](const Picture& picture) {
        const std::string level = level_of(picture.name);
        return std::tuple(picture.name.substr(0, picture.name.rfind('.')), level.size(), level);
    };
    std::sort(pictures.begin(), pictures.end(), [&](const Picture& a, const Picture& b) { return key(a) < key(b); });
    LinkTargets targets;
    for (const Picture& picture : pictures) targets[picture.name + ".svg"] = "#" + prefix + picture.name;
    Html out;
    for (const Picture& picture : pictures) out += plate_of(picture, prefix, targets);
    return out.empty() ? out : element("div", {{"class", "pictures"}}, out);
}

}  // namespace schedproof::cli::site
