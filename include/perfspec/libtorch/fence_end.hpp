// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Restores the macros that fence_begin.hpp set aside.

#undef CHECK
#undef DCHECK
#undef LOG
#undef VLOG
#pragma pop_macro("CHECK")
#pragma pop_macro("DCHECK")
#pragma pop_macro("LOG")
#pragma pop_macro("VLOG")
