// SPDX-License-Identifier: MIT

#pragma once

#include "scene.h"

#include <stddef.h>

// Values to bytes and back. A function that goes through its values once, in one order, counts, writes or reads them: what is
// written and what is read cannot differ. All numbers are little-endian. After the first failure reading gives zeros.

typedef struct tnsCodec
{
	// Writing: NULL only counts. Reading: `in` is not NULL.
	uint8_t* out;
	const uint8_t* in;
	size_t size, at;
	tnsResult result;
} tnsCodec;

bool tnsCodec_Reads(const tnsCodec* codec);
bool tnsCodec_IsOk(const tnsCodec* codec);
// Refuse what is read. The first refusal counts.
void tnsCodec_Refuse(tnsCodec* codec, const char* format, ...)
#if defined(__GNUC__)
	__attribute__((format(printf, 2, 3)))
#endif
	;

void tnsCodec_Bool(tnsCodec* codec, bool* value);
void tnsCodec_U32(tnsCodec* codec, uint32_t* value);
void tnsCodec_U64(tnsCodec* codec, uint64_t* value);
// Those with a range refuse what is outside of it, by name.
void tnsCodec_Int(tnsCodec* codec, int* value, int low, int high, const char* name);
void tnsCodec_I64(tnsCodec* codec, int64_t* value, int64_t low, int64_t high, const char* name);
// At most so large; NaN never is.
void tnsCodec_Float(tnsCodec* codec, float* value, float most, const char* name);
void tnsCodec_Double(tnsCodec* codec, double* value, double most, const char* name);
void tnsCodec_Vector(tnsCodec* codec, tnVec3* value, float most, const char* name);
void tnsCodec_Pose(tnsCodec* codec, tnPose* value, const char* name);
// An id of whatever kind. Whoever uses it finds out whether it is one.
void tnsCodec_Id(tnsCodec* codec, int32_t* index1, uint32_t* generation);
// What must be the same on both sides.
void tnsCodec_Expect(tnsCodec* codec, int value, const char* name);

// A sum of bytes (FNV-1a), to tell damage.
uint64_t tnsSumBytes(const void* bytes, size_t size);
