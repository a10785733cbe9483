// SPDX-License-Identifier: MIT

// Values to bytes and back, for saves of runs.

#include "files/scene_codec.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool tnsCodec_Reads(const tnsCodec* codec)
{
	return codec->in != NULL;
}

bool tnsCodec_IsOk(const tnsCodec* codec)
{
	return codec->result.status == tns_ok;
}

void tnsCodec_Refuse(tnsCodec* codec, const char* format, ...)
{
	if (tnsCodec_IsOk(codec) == false)
	{
		return;
	}
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(codec->result.text, sizeof(codec->result.text), format, arguments);
	va_end(arguments);
	codec->result.status = tns_badFormat;
}

static void tnsCodeBits(tnsCodec* codec, uint64_t* value, size_t count)
{
	if (tnsCodec_Reads(codec))
	{
		*value = 0;
		if (tnsCodec_IsOk(codec) && codec->size - codec->at < count)
		{
			tnsCodec_Refuse(codec, "the save is cut off");
		}
		for (size_t i = 0; tnsCodec_IsOk(codec) && i < count; ++i)
		{
			*value |= (uint64_t)codec->in[codec->at++] << 8 * i;
		}
		return;
	}
	for (size_t i = 0; i < count; ++i, ++codec->at)
	{
		if (codec->out != NULL && codec->at < codec->size)
		{
			codec->out[codec->at] = (uint8_t)(*value >> 8 * i);
		}
	}
}

void tnsCodec_Bool(tnsCodec* codec, bool* value)
{
	uint64_t bits = *value ? 1 : 0;
	tnsCodeBits(codec, &bits, 1);
	if (bits > 1)
	{
		tnsCodec_Refuse(codec, "the save has %d where 0 or 1 should be", (int)bits);
	}
	*value = bits == 1;
}

void tnsCodec_U32(tnsCodec* codec, uint32_t* value)
{
	uint64_t bits = *value;
	tnsCodeBits(codec, &bits, 4);
	*value = (uint32_t)bits;
}

void tnsCodec_U64(tnsCodec* codec, uint64_t* value)
{
	tnsCodeBits(codec, value, 8);
}

void tnsCodec_Int(tnsCodec* codec, int* value, int low, int high, const char* name)
{
	int64_t wide = *value;
	tnsCodec_I64(codec, &wide, low, high, name);
	*value = (int)wide;
}

void tnsCodec_I64(tnsCodec* codec, int64_t* value, int64_t low, int64_t high, const char* name)
{
	uint64_t bits = (uint64_t)*value;
	tnsCodeBits(codec, &bits, 8);
	*value = (int64_t)bits;
	if (tnsCodec_Reads(codec) && (*value < low || *value > high))
	{
		tnsCodec_Refuse(codec, "%s must be from %lld to %lld in the save, got %lld", name, (long long)low,
			(long long)high, (long long)*value);
		*value = low;
	}
}

void tnsCodec_Float(tnsCodec* codec, float* value, float most, const char* name)
{
	uint32_t bits;
	memcpy(&bits, value, sizeof(bits));
	tnsCodec_U32(codec, &bits);
	memcpy(value, &bits, sizeof(bits));
	if (tnsCodec_Reads(codec) && !(fabsf(*value) <= most))
	{
		tnsCodec_Refuse(codec, "%s must be at most %g in the save, got %g", name, (double)most, (double)*value);
		*value = 0.0f;
	}
}

void tnsCodec_Double(tnsCodec* codec, double* value, double most, const char* name)
{
	uint64_t bits;
	memcpy(&bits, value, sizeof(bits));
	tnsCodec_U64(codec, &bits);
	memcpy(value, &bits, sizeof(bits));
	if (tnsCodec_Reads(codec) && !(fabs(*value) <= most))
	{
		tnsCodec_Refuse(codec, "%s must be at most %g in the save, got %g", name, most, *value);
		*value = 0.0;
	}
}

void tnsCodec_Vector(tnsCodec* codec, tnVec3* value, float most, const char* name)
{
	tnsCodec_Float(codec, &value->x, most, name);
	tnsCodec_Float(codec, &value->y, most, name);
	tnsCodec_Float(codec, &value->z, most, name);
}

void tnsCodec_Pose(tnsCodec* codec, tnPose* value, const char* name)
{
	tnsCodec_Vector(codec, &value->position, 10.0f * TN_MAX_LENGTH, name);
	// A little more than 1, for roundings.
	const float most = 1.001f;
	tnsCodec_Float(codec, &value->rotation.x, most, name);
	tnsCodec_Float(codec, &value->rotation.y, most, name);
	tnsCodec_Float(codec, &value->rotation.z, most, name);
	tnsCodec_Float(codec, &value->rotation.w, most, name);
	const tnQuat q = value->rotation;
	const float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
	if (tnsCodec_Reads(codec) && !(fabsf(square - 1.0f) < 1.0e-3f))
	{
		tnsCodec_Refuse(codec, "%s has a rotation in the save that is none", name);
	}
}

void tnsCodec_Id(tnsCodec* codec, int32_t* index1, uint32_t* generation)
{
	uint32_t index = (uint32_t)*index1;
	tnsCodec_U32(codec, &index);
	tnsCodec_U32(codec, generation);
	*index1 = (int32_t)index;
}

void tnsCodec_Expect(tnsCodec* codec, int value, const char* name)
{
	int there = value;
	tnsCodec_Int(codec, &there, INT32_MIN, INT32_MAX, name);
	if (tnsCodec_Reads(codec) && there != value)
	{
		tnsCodec_Refuse(codec, "the save is of another scene: it has %s %d, this one %d", name, there, value);
	}
}

uint64_t tnsSumBytes(const void* bytes, size_t size)
{
	const uint8_t* at = bytes;
	uint64_t sum = 14695981039346656037u;
	for (size_t i = 0; i < size; ++i)
	{
		sum = (sum ^ at[i]) * 1099511628211u;
	}
	return sum;
}
