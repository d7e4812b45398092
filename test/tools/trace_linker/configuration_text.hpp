// A configuration parsed from a text, and the messages about it.
#ifndef CONFIGURATION_TEXT_HPP
#define CONFIGURATION_TEXT_HPP

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

extern "C" {
#include "ini_file.h"
}

class configuration_text
{
  public:
    configuration_text()
    {
        report_.out = open_memstream(&said_, &said_size_);
        files_.arena = &arena_;
        files_.report = &report_;
    }
    configuration_text(const configuration_text &) = delete;
    configuration_text &operator=(const configuration_text &) = delete;
    ~configuration_text()
    {
        std::fclose(report_.out);
        std::free(said_);
        ftr_arena_reset(&arena_);
    }

    bool parse(const std::string &text, const char *path = "t.ini")
    {
        return ftr_ini_files_parse(&files_, path, text.data(), text.size());
    }

    /// Returns the errors and warnings, one per line.
    std::string said()
    {
        std::fflush(report_.out);
        return said_ ? said_ : "";
    }

    const ftr_ini_value &value(const char *section, std::size_t index = 0)
    {
        return ftr_ini_files_find(&files_, section)->values[index];
    }

    std::vector<std::string> split(const char *section, std::size_t index = 0)
    {
        ftr_name_list pieces = {};
        if (!ftr_ini_value_split(&files_, &value(section, index), &pieces))
            return {"error"};
        return std::vector<std::string>(pieces.names, pieces.names + pieces.count);
    }

    ftr_ini_files *files() { return &files_; }
    ftr_link_arena *memory() { return &arena_; }
    ftr_link_report *messages() { return &report_; }

  private:
    ftr_link_arena arena_ = {};
    ftr_link_report report_ = {};
    ftr_ini_files files_ = {};
    char *said_ = nullptr;
    std::size_t said_size_ = 0;
};

#endif
