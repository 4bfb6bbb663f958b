// A file that a program contains, as it was when the program was built.
#pragma once

// Defines NAME and NAME_end around the bytes of the file, to be used once in a program. PATH is a string
// literal; the source that uses it must be compiled again when the file changes.
// NOLINTBEGIN(bugprone-macro-parentheses): the arguments become parts of a text
#define BASE_EMBED(NAME, PATH)                                 \
    extern "C" const char(NAME)[];                             \
    extern "C" const char NAME##_end[];                        \
    __asm__(                                                   \
        ".section .rodata\n"                                   \
        ".global " #NAME "\n.hidden " #NAME "\n" #NAME         \
        ":\n"                                                  \
        ".incbin \"" PATH                                      \
        "\"\n"                                                 \
        ".global " #NAME "_end\n.hidden " #NAME "_end\n" #NAME \
        "_end:\n"                                              \
        ".byte 0\n.previous\n")
// NOLINTEND(bugprone-macro-parentheses)

// Its contents, as a std::string_view.
#define BASE_EMBEDDED(NAME) std::string_view((NAME), static_cast<std::size_t>(NAME##_end - (NAME)))
