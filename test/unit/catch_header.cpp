// Compiled with the precompiled header that the tests share, which needs a source file of its own.
