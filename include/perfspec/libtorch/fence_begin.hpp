// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Puts the macros aside that LibTorch defines too, until fence_end.hpp; so it has no include guard. One pair of fences a file:
// LibTorch defines its macros once, and a second pair would hide them from those of its headers that use them.

#pragma push_macro("CHECK")
#pragma push_macro("DCHECK")
#pragma push_macro("LOG")
#pragma push_macro("VLOG")
#undef CHECK
#undef DCHECK
#undef LOG
#undef VLOG
