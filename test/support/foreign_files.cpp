#include "foreign_files.hpp"

#include "wrapped_calls.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

namespace
{
constexpr uid_t other_user = 65534;

std::set<std::pair<dev_t, ino_t>> &given_away()
{
    static std::set<std::pair<dev_t, ino_t>> files;
    return files;
}

int show(int result, struct stat *about)
{
    if (result == 0 && given_away().count({about->st_dev, about->st_ino}) != 0)
        about->st_uid = other_user;
    return result;
}
} // namespace

FTR_WRAPPED(int, lstat, const char *path, struct stat *about)
{
    return show(__real_lstat(path, about), about);
}

FTR_WRAPPED(int, stat, const char *path, struct stat *about)
{
    return show(__real_stat(path, about), about);
}

FTR_WRAPPED(int, fstat, int fd, struct stat *about)
{
    return show(__real_fstat(fd, about), about);
}

void give_away(const std::string &path)
{
    struct stat about = {};
    if (geteuid() == 0) {
        ASSERT_EQ(lchown(path.c_str(), other_user, other_user), 0) << path;
        return;
    }
    ASSERT_EQ(__real_lstat(path.c_str(), &about), 0) << path;
    given_away().insert({about.st_dev, about.st_ino});
}

void forget_given_away()
{
    given_away().clear();
}
