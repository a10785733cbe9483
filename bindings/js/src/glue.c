// SPDX-License-Identifier: MIT

// What JavaScript cannot do with the functions of C alone: be called back.

#include "tarn.h"

#include <stdint.h>

__attribute__((import_module("tarn"), import_name("record"))) void tnjsTake(
	const void* bytes, size_t size, intptr_t number);

static void Record(const void* bytes, size_t size, void* context)
{
	tnjsTake(bytes, size, (intptr_t)context);
}

// @param number by which JavaScript knows who gets the bytes
TN_EXPORT tnResult tnjsStartRecording(tnWorld* world, intptr_t number)
{
	return tnWorld_StartRecording(world, Record, (void*)number);
}
