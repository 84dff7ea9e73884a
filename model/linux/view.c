#include "model/linux/view.h"

#include "model/linux/parts.h"

struct linux_version linux_views_version(const struct platform *platform)
{
    struct linux_version version = LINUX_NEWEST;

    if (platform->options != NULL && platform->options->linux_version[0] != '\0' &&
        !linux_version_parse(platform->options->linux_version, &version)) {
        return LINUX_NEWEST;
    }
    return version;
}

/* The order matters: the driver needs table and amd-pstate, invariance the driver, the governor both. */
/* Releases outside those whose changes were looked for. */
static void note_range(struct linux_view *view)
{
    struct linux_version version = view->version;
    struct linux_version oldest = linux_profile_at(0);

    if (version.major > LINUX_NEWEST.major ||
        (version.major == LINUX_NEWEST.major && version.minor > LINUX_NEWEST.minor)) {
        view->uncertain[view->uncertain_count++] =
            "newer than the newest release known here: the rules of that one are taken";
    } else if (version.major < oldest.major ||
               (version.major == oldest.major && version.minor < oldest.minor)) {
        view->uncertain[view->uncertain_count++] =
            "older than 5.4: changes before that were not looked for, and the oldest known rules "
            "are taken";
    }
}

static void make_view(const struct linux_builder *builder, struct linux_version version)
{
    struct linux_view *view = builder->view;

    view->version = version;
    linux_version_format(version, view->version_text, sizeof(view->version_text));
    if (version.has_suffix) {
        view->uncertain[view->uncertain_count++] = "a distribution's kernel: the suffix is not "
                                                   "interpreted, its own backports are not known";
    }
    note_range(view);
    linux_cppc_make(builder);
    linux_table_make(builder);
    linux_amd_pstate_make(builder);
    linux_driver_make(builder);
    linux_policies_make(builder);
    linux_invariance_make(builder);
    linux_governor_make(builder);
    linux_idle_make(builder);
    linux_messages_make(builder);
}

static bool is_same(struct linux_version a, struct linux_version b)
{
    return linux_version_compare(a, b) == 0;
}

static void make_all(struct linux_builder *builder, struct linux_view *views,
                     struct linux_version first, uint32_t profiles, struct linux_views *all)
{
    builder->view = &views[0];
    make_view(builder, first);
    all->count = 1;
    for (uint32_t i = 0; i < profiles; i++) {
        struct linux_version profile = linux_profile_at(i);

        if (!is_same(profile, first)) {
            builder->view = &views[all->count++];
            make_view(builder, profile);
        }
    }
    builder->view = &views[0];
    linux_remedies_make(builder, &all->remedies);
    all->views = views;
}

static void compute(struct platform *platform, struct linux_version first, uint32_t profiles)
{
    struct arena *arena = platform->arena;
    struct linux_facts *facts = arena_take(arena, sizeof(*facts));
    struct linux_views *all = arena_take(arena, sizeof(*all));
    struct linux_view *views = arena_array(arena, (size_t)profiles + 1, sizeof(*views));
    struct linux_builder builder = {.platform = platform, .facts = facts};

    builder.scratch = arena_array(arena, LINUX_CSTATES, sizeof(struct linux_cstate));
    if (facts == NULL || all == NULL || views == NULL || builder.scratch == NULL) {
        platform->incomplete = "no memory for the kernels' views";
        return;
    }
    linux_facts_take(platform, facts);
    make_all(&builder, views, first.major == 0 ? LINUX_NEWEST : first, profiles, all);
    platform->linux_views = all;
}

void linux_views_compute(struct platform *platform, struct linux_version first)
{
    compute(platform, first, linux_profiles_count());
}

void linux_views_compute_one(struct platform *platform, struct linux_version version)
{
    compute(platform, version, 0);
}
