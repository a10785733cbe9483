// SPDX-License-Identifier: MIT

// Hands words of calls on to whoever records: recorder.h has the layout.

#include "recorder.h"

#include <string.h>

const uint8_t g_recordingMagic[8] = {'t', 'a', 'r', 'n', 'r', 'e', 'c', 0x1a};

enum
{
	// Words that are handed on at once.
	TN_RECORD_PIECE = 256,
};

void tnRecorder_Put(const tnRecorder* recorder, const void* data, size_t count)
{
	uint8_t bytes[4 * TN_RECORD_PIECE];
	const uint8_t* source = data;
	for (size_t done = 0; done < count;)
	{
		const size_t piece = count - done < TN_RECORD_PIECE ? count - done : (size_t)TN_RECORD_PIECE;
		for (size_t i = 0; i < piece; ++i)
		{
			uint32_t word;
			memcpy(&word, source + 4 * (done + i), sizeof(word));
			for (size_t k = 0; k < 4; ++k)
			{
				bytes[4 * i + k] = (uint8_t)(word >> (8 * k));
			}
		}
		recorder->write(bytes, 4 * piece, recorder->context);
		done += piece;
	}
}

void tnRecorder_Write(const tnRecorder* recorder, tnCallKind kind, const tnWords* pieces, size_t pieceCount)
{
	uint32_t header[2] = {(uint32_t)kind, 0};
	for (size_t i = 0; i < pieceCount; ++i)
	{
		header[1] += (uint32_t)pieces[i].count;
	}
	tnRecorder_Put(recorder, header, 2);
	for (size_t i = 0; i < pieceCount; ++i)
	{
		tnRecorder_Put(recorder, pieces[i].data, pieces[i].count);
	}
}

void tnRecorder_Stop(tnRecorder* recorder, tnMemory* memory)
{
	tnMemory_Free(memory, recorder->tileHashes, (size_t)recorder->tileCount * sizeof(uint64_t));
	*recorder = (tnRecorder){0};
}
