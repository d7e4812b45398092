/* A library that is preloaded into a program and gives this program the locale of its environment
 * (LC_ALL, LOCPATH), as a program with a graphical interface does. */
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <locale>

namespace
{

const bool is_set = []() {
    if (std::setlocale(LC_ALL, "") == nullptr || *std::localeconv()->decimal_point != ',') {
        std::fputs("comma_locale: the locale has no decimal comma\n", stderr);
        std::_Exit(77);
    }
    std::locale::global(std::locale(""));
    return true;
}();

} // namespace
