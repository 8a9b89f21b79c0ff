// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Sets aside the macros that LibTorch also defines, until fence_end.hpp. It therefore has no include guard. Use one
// pair of fences per file: LibTorch defines its macros once, and a second pair would hide them from those of its
// headers that use them.

#pragma push_macro("CHECK")
#pragma push_macro("DCHECK")
#pragma push_macro("LOG")
#pragma push_macro("VLOG")
#undef CHECK
#undef DCHECK
#undef LOG
#undef VLOG
