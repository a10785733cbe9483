// SPDX-License-Identifier: MIT

// The range coder of streams. It keeps an interval [low, low + range) of numbers, narrows it with each bit by how likely that is,
// and writes the leading bytes once they are settled. Martin (1979) is the idea.

#include "stream_coder.h"

enum
{
	TN_EVEN_ODDS = 32768,
	// No bit is ever certain.
	TN_LEAST_ODDS = 160,
	// Later bits move the odds by a 2^-5th, the first ones by more.
	TN_SLOWEST_STEP = 5,
};

#define TN_LEAST_RANGE (1u << 24)

void tnBitModels_Init(tnBitModel* models, int count)
{
	for (int i = 0; i < count; ++i)
	{
		models[i] = (tnBitModel){TN_EVEN_ODDS, 0};
	}
}

static void tnLearn(tnBitModel* model, int bit)
{
	const int step = model->count < 2 ? 2 : model->count < 6 ? 3 : model->count < 16 ? 4 : TN_SLOWEST_STEP;
	const int to = bit != 0 ? TN_LEAST_ODDS : 65536 - TN_LEAST_ODDS;
	model->zero = (uint16_t)(model->zero + (to - model->zero) / (1 << step));
	model->count = (uint16_t)(model->count + (model->count < 16 ? 1 : 0));
}

static void tnPutByte(tnStreamCoder* coder, uint8_t byte)
{
	if (coder->at < coder->size)
	{
		coder->out[coder->at] = byte;
		coder->at += 1;
	}
	else
	{
		coder->full = true;
	}
}

// The leading byte of low is settled unless it is 0xff: then a carry may still run through it.
static void tnShift(tnStreamCoder* coder)
{
	if (coder->low < 0xff000000u || coder->low > 0xffffffffu)
	{
		const uint8_t carry = (uint8_t)(coder->low >> 32);
		for (uint8_t byte = coder->held; coder->heldCount > 0; byte = 0xff)
		{
			if (coder->begun)
			{
				tnPutByte(coder, (uint8_t)(byte + carry));
			}
			coder->begun = true;
			coder->heldCount -= 1;
		}
		coder->held = (uint8_t)(coder->low >> 24);
	}
	coder->heldCount += 1;
	coder->low = (coder->low & 0x00ffffffu) << 8;
}

static uint8_t tnGetByte(tnStreamCoder* coder)
{
	const uint8_t byte = coder->at < coder->size ? coder->in[coder->at] : 0;
	coder->at += 1;
	return byte;
}

void tnStreamCoder_BeginWriting(tnStreamCoder* coder, uint8_t* out, size_t size)
{
	*coder = (tnStreamCoder){.out = out, .size = size, .range = 0xffffffffu, .heldCount = 1};
}

void tnStreamCoder_BeginReading(tnStreamCoder* coder, const uint8_t* in, size_t size)
{
	*coder = (tnStreamCoder){.reads = true, .in = in, .size = size, .range = 0xffffffffu};
	for (int i = 0; i < 4; ++i)
	{
		coder->code = coder->code << 8 | tnGetByte(coder);
	}
}

size_t tnStreamCoder_End(tnStreamCoder* coder)
{
	// Any number of the interval will do: the one with most zeros at its end.
	for (int bits = 24; bits >= 0; bits -= 8)
	{
		const uint64_t mask = ((uint64_t)1 << bits) - 1;
		const uint64_t number = (coder->low + mask) & ~mask;
		if (number < coder->low + coder->range)
		{
			coder->low = number;
			break;
		}
	}
	for (int i = 0; i < 5; ++i)
	{
		tnShift(coder);
	}
	while (coder->at > 0 && coder->out[coder->at - 1] == 0)
	{
		coder->at -= 1;
	}
	return coder->at;
}

static void tnNarrow(tnStreamCoder* coder, uint32_t bound, int bit)
{
	if (bit == 0)
	{
		coder->range = bound;
	}
	else
	{
		coder->range -= bound;
		if (coder->reads)
		{
			coder->code -= bound;
		}
		else
		{
			coder->low += bound;
		}
	}
	while (coder->range < TN_LEAST_RANGE)
	{
		coder->range <<= 8;
		if (coder->reads)
		{
			coder->code = coder->code << 8 | tnGetByte(coder);
		}
		else
		{
			tnShift(coder);
		}
	}
}

int tnStreamCoder_Bit(tnStreamCoder* coder, tnBitModel* model, int bit)
{
	const uint32_t bound = (coder->range >> 16) * model->zero;
	bit = coder->reads ? coder->code >= bound : bit != 0;
	tnNarrow(coder, bound, bit);
	tnLearn(model, bit);
	return bit;
}

uint32_t tnStreamCoder_Raw(tnStreamCoder* coder, uint32_t value, int count)
{
	uint32_t result = 0;
	for (int i = count - 1; i >= 0; --i)
	{
		const uint32_t bound = coder->range >> 1;
		const int bit = coder->reads ? coder->code >= bound : (int)(value >> i & 1u);
		tnNarrow(coder, bound, bit);
		result = result << 1 | (uint32_t)bit;
	}
	return result;
}

int32_t tnStreamCoder_Number(tnStreamCoder* coder, tnBitModel models[TN_NUMBER_MODELS], int32_t value)
{
	if (tnStreamCoder_Bit(coder, models, value != 0) == 0)
	{
		return 0;
	}
	const int negative = tnStreamCoder_Bit(coder, models + TN_NUMBER_SIGN, value < 0);
	// How many bits its size has, and those below the leading one: the highest of them are worth a model, in lengths that are common.
	const uint32_t size = (uint32_t)(value < 0 ? -value : value);
	int length = 1;
	while (length < 30 &&
		tnStreamCoder_Bit(coder, models + TN_NUMBER_LENGTH + length - 1, length < 30 && size >> length != 0))
	{
		length += 1;
	}
	const uint32_t rest = tnStreamCoder_Raw(coder, size & ((1u << (length - 1)) - 1), length - 1);
	const int32_t result = (int32_t)(1u << (length - 1) | rest);
	return negative != 0 ? -result : result;
}
