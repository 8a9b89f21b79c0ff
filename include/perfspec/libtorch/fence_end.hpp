// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Brings back what fence_begin.hpp put aside.

#undef CHECK
#undef DCHECK
#undef LOG
#undef VLOG
#pragma pop_macro("CHECK")
#pragma pop_macro("DCHECK")
#pragma pop_macro("LOG")
#pragma pop_macro("VLOG")
