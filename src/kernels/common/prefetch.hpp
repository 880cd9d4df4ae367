#pragma once

namespace shoal {

// Asks for what will soon be read; only a hint, which not every compiler can give.
inline void prefetch(const void* at) {
#if defined(__GNUC__)
    __builtin_prefetch(at);
#else
    static_cast<void>(at);
#endif
}

}  // namespace shoal
