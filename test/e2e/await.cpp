// await FILE...: ends when all of these are there, or its parent is gone. For the scripts of tests: a loop
// with `sleep` starts a process ten times a second, and many such loops keep a slow machine busy.
#include <cstdlib>
#include <ctime>
#include <unistd.h>

int main(int count, char** arguments) {
    constexpr timespec pause{0, 20'000'000};
    const pid_t parent = ::getppid();
    for (int i = 1; i < count; ++i)
        while (::access(arguments[i], F_OK) != 0) {
            if (::getppid() != parent) return EXIT_FAILURE;
            ::nanosleep(&pause, nullptr);
        }
    return EXIT_SUCCESS;
}
