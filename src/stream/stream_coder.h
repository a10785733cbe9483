// SPDX-License-Identifier: MIT

#pragma once

#include "../core/core.h"

// Bits to bytes and back: an adaptive binary range coder. Every kind of decision has a model that learns how often it is 1, and
// what is likely takes a small part of a bit. The same functions write and read, so that both agree.

// How likely a bit is to be 0, of 65536, and how often it was seen.
typedef struct tnBitModel
{
	uint16_t zero;
	uint16_t count;
} tnBitModel;

typedef struct tnStreamCoder
{
	bool reads;
	uint8_t* out;
	const uint8_t* in;
	size_t size; // room, or bytes that there are: beyond them are zeros
	size_t at;
	uint64_t low;
	uint32_t range, code;
	// Bytes that a carry may still change: one, and then so many of 0xff.
	uint8_t held;
	size_t heldCount;
	bool begun; // what is held in the beginning is a zero before the first byte
	bool full;  // what was written did not fit
} tnStreamCoder;

void tnStreamCoder_BeginWriting(tnStreamCoder* coder, uint8_t* out, size_t size);
void tnStreamCoder_BeginReading(tnStreamCoder* coder, const uint8_t* in, size_t size);
// How many bytes were written. Zeros at the end are left out.
size_t tnStreamCoder_End(tnStreamCoder* coder);

void tnBitModels_Init(tnBitModel* models, int count);
// Returns the bit: what was given when writing, what was read when reading.
int tnStreamCoder_Bit(tnStreamCoder* coder, tnBitModel* model, int bit);
// Bits that are as likely 0 as 1.
uint32_t tnStreamCoder_Raw(tnStreamCoder* coder, uint32_t value, int count);

enum
{
	// Models of a number.
	TN_NUMBER_SIGN = 1,
	TN_NUMBER_LENGTH = 2,
	TN_NUMBER_MODELS = 2 + 30,
};

// A number, most likely small, of at most 2^29 in size.
int32_t tnStreamCoder_Number(tnStreamCoder* coder, tnBitModel models[TN_NUMBER_MODELS], int32_t value);
