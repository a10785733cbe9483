// SPDX-License-Identifier: MIT

#pragma once

#include "../core/memory.h"
#include "tarn/body.h"
#include "tarn/recording.h"

// Calls as bytes: recorder.c and recording.c write them, replay.c reads them.
//
//   recording   "tarnrec" and 0x1a, version; then records
//   record      kind, number of words; the words
//   word        32 bits, little-endian: an int, an enum, a float. 64 bits are two, the low one first
//
// Defs are words as they lie in memory, but for those with pointers: all their other fields are of 32 bits. The first record is
// a snapshot; its words are its length in bytes, and its bytes filled up with zeros.

enum
{
	TN_RECORDING_VERSION = 1,
	TN_RECORDING_HEADER = 12, // bytes
	TN_RECORD_HEADER = 8,
	// Numbers of a def that can change between steps.
	TN_TUNED_WORDS = 21,
	// Of a tnRegionDef before what is not of 32 bits.
	TN_REGION_WORDS = 7,
};

extern const uint8_t g_recordingMagic[8];

// Kinds keep their numbers for ever: new ones go to the end.
typedef enum tnCallKind
{
	tn_snapshotCall = 1,
	tn_stepCall,
	tn_setMethodCall,
	tn_setConfinementCall,
	tn_setTerrainCall,
	tn_editTerrainCall,
	tn_setDepthsCall,
	tn_fillToLevelCall,
	tn_setVelocitiesCall,
	tn_addWaterCall,
	tn_addImpulseCall,
	tn_setTracerCall,
	tn_addTracerCall,
	tn_addFoamCall,
	tn_setAccelerationCall,
	tn_setEdgesCall,
	tn_setEdgeCurveCall,
	tn_setRainCall,
	tn_setEvaporationCall,
	tn_setInfiltrationCall,
	tn_createSourceCall,
	tn_destroySourceCall,
	tn_setSourceCall,
	tn_createRegionCall,
	tn_destroyRegionCall,
	tn_createGaugeCall,
	tn_destroyGaugeCall,
	tn_resetGaugeCall,
	tn_createInterestCall,
	tn_setInterestCall,
	tn_destroyInterestCall,
	tn_addWaveCall,
	tn_addDropsCall,
	tn_setSwellCall,
	tn_setWindCall,
	tn_setWaveDampingCall,
	tn_addWaveFieldCall,
	tn_createBodyCall,
	tn_destroyBodyCall,
	tn_moveBodyCall,
	tn_setBodyModeCall,
	tn_createJetCall,
	tn_destroyJetCall,
	tn_setJetCall,
	tn_setBodyShapesCall,
	tn_setHollowWaterCall,
	tn_setLeakCall,
	tn_setPumpCall,
	tn_tuneCall,
	tn_setSpectrumCall,
	tn_setSectionCall,
	tn_setManningMapCall,
	tn_callKindCount,
} tnCallKind;

// Words that lie side by side in memory.
typedef struct tnWords
{
	const void* data;
	size_t count;
} tnWords;

// Something of 32 bit fields; some of them; or none.
#define TN_WORDS(value) ((tnWords){&(value), sizeof(value) / 4})
#define TN_WORDS_OF(pointer, number) \
	((tnWords){(pointer), (pointer) != NULL ? (size_t)(number) * (sizeof(*(pointer)) / 4) : 0})

// Write a call that went well, if somebody records.
#define TN_RECORD(world, result, kind, ...)                                                         \
	do                                                                                              \
	{                                                                                               \
		if ((result).status == tn_ok && (world)->recorder.write != NULL)                            \
		{                                                                                           \
			const tnWords pieces[] = {__VA_ARGS__};                                                 \
			tnRecorder_Write(&(world)->recorder, kind, pieces, sizeof(pieces) / sizeof(pieces[0])); \
		}                                                                                           \
	} while (0)

typedef struct tnRecorder
{
	tnRecordFcn* write; // NULL: nobody records
	void* context;
	uint64_t* tileHashes; // of the last step
	int tileCount;
} tnRecorder;

void tnRecorder_Write(const tnRecorder* recorder, tnCallKind kind, const tnWords* pieces, size_t pieceCount);

void tnRecorder_Put(const tnRecorder* recorder, const void* words, size_t count);
void tnRecorder_Stop(tnRecorder* recorder, tnMemory* memory);
