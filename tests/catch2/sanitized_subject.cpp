// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Compiled with UndefinedBehaviorSanitizer, unlike the file that asserts.
int shifted(int value, int by) { return value << by; }
