// Links, FIFOs and files that another user has placed at the paths of a recording or of an output:
// nothing is written through them, and nothing waits for them. A user's own links, and those of
// root, are followed.
#include "foreign_files.hpp"
#include "trace_directory.hpp"

extern "C" {
#include "atomic_file.h"
#include "output_path.h"
}

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace
{
namespace fs = std::filesystem;

// The folders of the attacks: permissions, and whether the folder belongs to the other user.
struct shared_folder {
    const char *name;
    mode_t mode;
    bool is_foreign;
};

constexpr std::array<shared_folder, 5> folders = {{{"sticky", 01777, false},
                                                   {"open", 0777, false},
                                                   {"group", 02775, false},
                                                   {"foreign", 0755, true},
                                                   {"foreign_sticky", 01777, true}}};

class ForeignFiles : public trace_directory, public testing::WithParamInterface<shared_folder>
{
  protected:
    ForeignFiles()
    {
        fs::create_directory(folder_);
        fs::create_directory(directory_.path("secret"));
        write_contents(victim_, "precious");
        EXPECT_EQ(chmod(victim_.c_str(), 0600), 0);
        EXPECT_EQ(chmod(folder_.c_str(), GetParam().mode), 0);
        if (GetParam().is_foreign)
            give_away(folder_);
        asked_ = folder_ + "/run.ftr";
    }

    ~ForeignFiles() override { forget_given_away(); }

    std::string other_name(const std::string &suffix = ".ftr") const
    {
        return folder_ + "/run-" + std::to_string(getpid()) + suffix;
    }

    void expect_untouched() const
    {
        EXPECT_EQ(contents_of(victim_), "precious");
        EXPECT_EQ(mode_of(victim_), 0600u);
        EXPECT_EQ(names("secret"), std::set<std::string>{"victim"});
    }

    const std::string folder_ = directory_.path(GetParam().name);
    const std::string victim_ = directory_.path("secret/victim");
};

TEST_P(ForeignFiles, TraceIsNotWrittenThroughALink)
{
    fs::create_symlink(victim_, asked_);
    give_away(asked_);
    ASSERT_EQ(record(0, 10), 0);
    expect_untouched();
    EXPECT_EQ(decode(other_name()).transactions.size(), 10u);
    EXPECT_EQ(reports_.count(asked_ + " is a symbolic link of another user: recording to " +
                             other_name()),
              1u);
    EXPECT_TRUE(fs::is_symlink(asked_));
}

// The other user knows the process id.
TEST_P(ForeignFiles, TraceIsNotWrittenThroughALinkAtTheOtherName)
{
    for (const std::string &path : {asked_, other_name()}) {
        fs::create_symlink(victim_, path);
        give_away(path);
    }
    ASSERT_EQ(record(0, 10), 0);
    expect_untouched();
    EXPECT_EQ(decode(other_name("-2.ftr")).transactions.size(), 10u);
}

TEST_P(ForeignFiles, TraceIsNotCreatedThroughALinkToNothing)
{
    fs::create_symlink(directory_.path("secret/new.ftr"), asked_);
    give_away(asked_);
    ASSERT_EQ(record(0, 10), 0);
    expect_untouched();
}

TEST_P(ForeignFiles, TraceIsNotWrittenThroughOurLinkToAForeignLink)
{
    const std::string own = directory_.path("own.ftr");
    fs::create_symlink(victim_, asked_);
    give_away(asked_);
    fs::create_symlink(asked_, own);
    const std::string link = asked_;
    asked_ = own;
    EXPECT_EQ(record(0, 10), 2);
    expect_untouched();
    EXPECT_EQ(reports_.count("the symbolic link " + link + " on the way belongs to another user"),
              1u);
}

TEST_P(ForeignFiles, OurLinkIsFollowed)
{
    fs::create_symlink(directory_.path("real.ftr"), asked_);
    ASSERT_EQ(record(0, 10), 0);
    EXPECT_TRUE(fs::is_symlink(asked_));
    EXPECT_EQ(decode(directory_.path("real.ftr")).transactions.size(), 10u);
}

TEST_P(ForeignFiles, SummaryIsNotWrittenThroughALink)
{
    const std::string summary = folder_ + "/run.fts";
    fs::create_symlink(victim_, summary);
    give_away(summary);
    options_.summary = summary.c_str();
    asked_ = directory_.path("run.ftr");
    ASSERT_EQ(record(0, 10), 0);
    expect_untouched();
    EXPECT_GT(fs::file_size(other_name(".fts")), 0u);
    EXPECT_EQ(reports_.count(summary + " is a symbolic link of another user: the summary is"), 1u);
}

TEST_P(ForeignFiles, OurLinkToASummaryIsFollowed)
{
    const std::string summary = folder_ + "/run.fts";
    fs::create_symlink(directory_.path("real.fts"), summary);
    options_.summary = summary.c_str();
    asked_ = directory_.path("run.ftr");
    ASSERT_EQ(record(0, 10), 0);
    EXPECT_GT(fs::file_size(directory_.path("real.fts")), 0u);
    EXPECT_TRUE(fs::is_symlink(summary));
}

TEST_P(ForeignFiles, JournalIsNotWrittenThroughALink)
{
    fs::create_symlink(victim_, asked_ + ".journal");
    give_away(asked_ + ".journal");
    ASSERT_EQ(record(0, 10), 0);
    expect_untouched();
    EXPECT_EQ(reports_.count("no journal at"), 1u);
}

TEST_P(ForeignFiles, FifoDoesNotHangTheStart)
{
    for (const std::string &path : {asked_, asked_ + ".journal", other_name()}) {
        ASSERT_EQ(mkfifo(path.c_str(), 0666), 0);
        give_away(path);
    }
    // A recorder that waits would never end.
    const pid_t child = in_child([&] {
        alarm(60);
        return record(0, 10);
    });
    EXPECT_EQ(status_of(child), 0);
    EXPECT_EQ(decode(folder_ + "/run-" + std::to_string(child) + ".ftr").transactions.size(), 10u);
}

TEST_P(ForeignFiles, OurFifoIsWrittenWhenAReaderOpensIt)
{
    ASSERT_EQ(mkfifo(asked_.c_str(), 0600), 0);
    std::string received;
    std::thread reader([&] { received = contents_of(asked_); });
    EXPECT_EQ(record(0, 10), 0);
    reader.join();
    write_contents(directory_.path("received.ftr"), received);
    EXPECT_EQ(decode(directory_.path("received.ftr")).transactions.size(), 10u);
}

// For root in every folder, and for other users in an own folder, the file is replaced, never
// changed.
TEST_P(ForeignFiles, FileIsNotOverwritten)
{
    for (const char *content : {"", "theirs"}) {
        const std::string kept = directory_.path("kept");
        write_contents(asked_, content);
        ASSERT_EQ(chmod(asked_.c_str(), 0666), 0);
        fs::remove(kept);
        fs::create_hard_link(asked_, kept);
        give_away(asked_);
        ASSERT_EQ(record(0, 10), 0);
        EXPECT_EQ(contents_of(kept), content);
        EXPECT_EQ(decode(asked_).transactions.size(), 10u);
        fs::remove(asked_);
    }
}

// In a sticky folder, only its owner may replace the file.
TEST_P(ForeignFiles, FileThatCannotBeReplacedIsNotOverwritten)
{
    if (geteuid() != 0)
        GTEST_SKIP() << "needs a third user";
    for (const mode_t mode : {0666, 0600}) {
        write_contents(asked_, "theirs");
        ASSERT_EQ(chmod(asked_.c_str(), mode), 0);
        ASSERT_EQ(chmod(folder_.c_str(), 01777), 0);
        ASSERT_EQ(chmod(directory_.path().c_str(), 0755), 0);
        give_away(asked_);
        const pid_t child = in_child([&] {
            return setgid(1000) == 0 && setuid(1000) == 0
                       ? record(0, 10) + (reports_.count("is a file of another user") == 1 ? 0 : 10)
                       : 1;
        });
        EXPECT_EQ(status_of(child), 0);
        EXPECT_EQ(contents_of(asked_), "theirs");
        EXPECT_EQ(decode(folder_ + "/run-" + std::to_string(child) + ".ftr").transactions.size(),
                  10u);
    }
}

TEST_P(ForeignFiles, FolderOnTheWayIsNotALink)
{
    const std::string night = folder_ + "/night";
    const std::string summary = night + "/run.fts";
    fs::create_symlink(directory_.path("secret"), night);
    give_away(night);
    asked_ = night + "/victim";
    const bool is_of_folder = GetParam().is_foreign; // its owner decides about the content
    errno = 0;
    EXPECT_EQ(ftr_foreign_link_is_before(asked_.c_str()), !is_of_folder);
    if (is_of_folder)
        return;
    EXPECT_EQ(errno, ELOOP);
    EXPECT_EQ(record(0, 10), 2);
    EXPECT_EQ(reports_.count("the symbolic link " + night + " on the way belongs to another user"),
              1u);
    asked_ = directory_.path("run.ftr");
    options_.summary = summary.c_str();
    EXPECT_EQ(record(0, 10), 0);
    EXPECT_EQ(reports_.count(summary + ": the summary cannot be written: a symbolic link"), 1u);
    options_.summary = nullptr;
    options_.journal_directory = night.c_str();
    EXPECT_EQ(record(0, 10), 0);
    EXPECT_EQ(reports_.count("no journal at " + night), 1u);
    EXPECT_FALSE(ftr_parent_directories_create((night + "/new/file").c_str()));
    ftr_atomic_file file;
    EXPECT_EQ(ftr_atomic_file_create(&file, asked_.c_str(), FTR_ATOMIC_FILE_MODE), FTR_OK);
    ftr_atomic_file_discard(&file);
    EXPECT_EQ(ftr_atomic_file_create(&file, (night + "/out").c_str(), FTR_ATOMIC_FILE_MODE),
              FTR_ERR_IO);
    EXPECT_EQ(errno, ELOOP);
    expect_untouched();
}

TEST_P(ForeignFiles, OutputIsNotWrittenThroughALink)
{
    const std::string out = folder_ + "/out";
    ftr_atomic_file file;
    fs::create_symlink(victim_, out);
    give_away(out);
    EXPECT_EQ(ftr_atomic_file_create(&file, out.c_str(), FTR_ATOMIC_FILE_MODE), FTR_ERR_IO);
    EXPECT_EQ(errno, ELOOP);
    expect_untouched();
}

// The other user chooses the permissions of the file that an output replaces.
TEST_P(ForeignFiles, OutputDoesNotHaveThePermissionsOfTheReplacedFile)
{
    const std::string out = folder_ + "/out";
    const mode_t mask = umask(027);
    for (const bool is_foreign : {true, false})
        for (const mode_t mode : {0777, 0666, 0644, 0640, 0600, 0444, 0}) {
            ftr_atomic_file file;
            write_contents(out, "old");
            ASSERT_EQ(chmod(out.c_str(), mode), 0);
            if (is_foreign)
                give_away(out);
            ASSERT_EQ(ftr_atomic_file_create(&file, out.c_str(), FTR_ATOMIC_FILE_MODE), FTR_OK);
            ASSERT_EQ(ftr_atomic_file_commit(&file, true), FTR_OK);
            EXPECT_EQ(mode_of(out), is_foreign ? 0600 | (mode & 0640) : mode) << mode;
            fs::remove(out);
            forget_given_away();
            if (GetParam().is_foreign)
                give_away(folder_);
        }
    umask(mask);
}

INSTANTIATE_TEST_SUITE_P(In, ForeignFiles, testing::ValuesIn(folders),
                         [](const auto &one) { return std::string(one.param.name); });

class ForeignLink : public testing::Test
{
  protected:
    ~ForeignLink() override { forget_given_away(); }

    // Returns the link that is found, relative to the directory; "": none.
    std::string found(const std::string &path)
    {
        const std::unique_ptr<char, decltype(&std::free)> link(
            ftr_foreign_link_find(directory_.path(path).c_str()), std::free);
        return link ? fs::path(link.get()).lexically_relative(directory_.path()).string() : "";
    }

    void link(const std::string &target, const std::string &name)
    {
        fs::create_symlink(target, directory_.path(name));
    }

    scratch_directory directory_;
};

TEST_F(ForeignLink, IsFoundAnywhereOnTheWay)
{
    fs::create_directories(directory_.path("a/b"));
    link("b", "a/theirs");
    link("a/theirs", "ours");
    give_away(directory_.path("a/theirs"));
    EXPECT_EQ(found("a/b/run.ftr"), "");
    EXPECT_EQ(found("a/theirs"), "a/theirs");
    EXPECT_EQ(found("a/theirs/run.ftr"), "a/theirs");
    EXPECT_EQ(found("a//theirs//run.ftr"), "a/theirs");
    EXPECT_EQ(found("ours/run.ftr"), "a/theirs");
    EXPECT_EQ(found("a/b/../theirs/run.ftr"), "a/b/../theirs");
}

TEST_F(ForeignLink, IsNotFoundWhereThereIsNone)
{
    fs::create_directories(directory_.path("a/b"));
    link("a/b", "ours");
    EXPECT_EQ(found(""), "");
    EXPECT_EQ(found("no/such/folder/run.ftr"), "");
    EXPECT_EQ(found("ours/run.ftr"), "");
    for (const char *path : {"", "/", "run.ftr", "/dev/stdout", "/dev/fd/1", "/proc/self/cwd/x"})
        EXPECT_EQ(ftr_foreign_link_find(path), nullptr) << path;
}

TEST_F(ForeignLink, EndsAtLinksInACircle)
{
    link("b", "a");
    link("a", "b");
    EXPECT_EQ(found("a/run.ftr"), "");
}

} // namespace
