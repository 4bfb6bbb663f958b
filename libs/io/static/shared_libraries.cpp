// Static programs load no shared libraries, which would need exactly the glibc that the program was linked
// with. OpenSSL tries to only if its configuration file says so. The linker puts this in the place of dlopen
// (cmake/Static.cmake).
extern "C" void* refuse_shared_library(const char*, int) noexcept asm("__wrap_dlopen");

void* refuse_shared_library(const char*, int) noexcept {
    return nullptr;
}
