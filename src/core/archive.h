// SPDX-License-Identifier: MIT

// Snapshots: state to bytes and back. docs/saving.md has the layout.

#pragma once

#include "core.h"

// A function that archives something goes through its values once, in one order, and is run in one of four modes:
//
//   count   how many bytes will it take?
//   write   values become bytes
//   check   bytes are looked at, and nothing of the world is changed: the first value that cannot be is named
//   apply   bytes become values. Only after a check of the same bytes.
//
// So what is written and what is read cannot differ, and nothing is changed by bytes that are refused. Values go through a copy
// of a struct, which is put back only if tnArchive_Applies. All numbers are little-endian and of fixed width.
//
// A snapshot is a header, then sections. Each has a header of its own with its name, its version, its length and a sum of its
// bytes, so that a reader can tell what is damaged.

typedef enum tnArchiveMode
{
	tn_countArchive = 0,
	tn_writeArchive,
	tn_checkArchive,
	tn_applyArchive,
} tnArchiveMode;

enum
{
	TN_SNAPSHOT_HEADER = 64,
	TN_SECTION_HEADER = 32,
	// Names of sections are four letters.
	TN_SECTION_NAME = 4,
};

// A sum of bytes that come piece by piece: four lanes, because one multiplication waits for another.
typedef struct tnByteSum
{
	uint64_t lanes[4];
	uint64_t count;
} tnByteSum;

struct tnArchive;
struct tnArchiveField;

// Takes care of a field in another way than in the bytes: images of rollback do. False: it goes into the bytes after all. It
// must say the same of a field in every mode.
typedef bool tnFieldFcn(void* context, struct tnArchive* archive, const struct tnArchiveField* field);

typedef struct tnArchive
{
	tnArchiveMode mode;
	uint8_t* out;      // write; NULL otherwise
	const uint8_t* in; // check and apply
	size_t size;       // bytes there are, or room for them
	size_t at;
	tnResult result; // the first failure
	// The section at work.
	const char* section;
	uint32_t version; // of its bytes
	size_t sectionBegin, sectionEnd;
	size_t summed; // up to here
	tnByteSum sum;
	int sectionCount;
	tnFieldFcn* fieldFcn; // NULL: fields are in the bytes
	void* fieldContext;
} tnArchive;

// Of what a snapshot is.
typedef enum tnSnapshotKind
{
	tn_worldSnapshot = 1,
	tn_voxelSnapshot = 2,
} tnSnapshotKind;

// The version of the container: headers, sums, the way fields are packed. Sections have versions of their own.
#define TN_SNAPSHOT_VERSION 1u

tnArchive tnMakeCounter(void);
// @param bytes may be NULL if size is 0
tnArchive tnMakeArchiveWriter(void* bytes, size_t size);
// @param apply the second time
tnArchive tnMakeArchiveReader(const void* bytes, size_t size, bool apply);

// The header of all. Reading: is it a snapshot of this kind, whole, of this version? Nothing else is looked at.
void tnArchive_Begin(tnArchive* archive, tnSnapshotKind kind);
// Reading: has all been read? Writing: fill in the header. Then result says whether all is well; a buffer that is too small is
// a failure that names the size.
void tnArchive_End(tnArchive* archive, tnSnapshotKind kind);

// @param name four letters
// @param version the newest; what is read may have an older one, from 1 on, which archive->version then is
void tnArchive_BeginSection(tnArchive* archive, const char* name, uint32_t version);
void tnArchive_EndSection(tnArchive* archive);
// Is the next section of this name? Writing: true.
bool tnArchive_IsNext(const tnArchive* archive, const char* name);

static inline bool tnArchive_Reads(const tnArchive* archive)
{
	return archive->mode >= tn_checkArchive;
}

static inline bool tnArchive_Applies(const tnArchive* archive)
{
	return archive->mode == tn_applyArchive;
}

static inline bool tnArchive_IsOk(const tnArchive* archive)
{
	return archive->result.status == tn_ok;
}

// Refuse what is read. The text says which section and value: "snapshot.flow: ..."
void tnArchive_Refuse(tnArchive* archive, const char* format, ...) TN_PRINTF(2, 3);
// With a result of a check of a def.
void tnArchive_RefuseResult(tnArchive* archive, const char* name, const tnResult* result);

// Bytes that are left to be read.
size_t tnArchive_GetRest(const tnArchive* archive);

// One value each. After a failure they read zeros. Those with a range refuse what is outside, and NaN.
void tnArchive_Bool(tnArchive* archive, bool* value, const char* name);
void tnArchive_Int(tnArchive* archive, int* value, int low, int high, const char* name);
void tnArchive_U32(tnArchive* archive, uint32_t* value);
void tnArchive_U64(tnArchive* archive, uint64_t* value);
void tnArchive_I64(tnArchive* archive, int64_t* value, int64_t low, int64_t high, const char* name);
void tnArchive_Float(tnArchive* archive, float* value, float low, float high, const char* name);
void tnArchive_Double(tnArchive* archive, double* value, double low, double high, const char* name);
// Finite.
void tnArchive_AnyFloat(tnArchive* archive, float* value, const char* name);
void tnArchive_AnyDouble(tnArchive* archive, double* value, const char* name);

// Whatever it is, NaN too: for what nobody looks at, or somebody else checks.
void tnArchive_RawFloat(tnArchive* archive, float* value);

// Arrays. `values` may be NULL in a check. Floats must be finite and at most `most` in size.
void tnArchive_Floats(tnArchive* archive, float* values, size_t count, float most, const char* name);
void tnArchive_Doubles(tnArchive* archive, double* values, size_t count, const char* name);
void tnArchive_Ints(tnArchive* archive, int32_t* values, size_t count, int32_t low, int32_t high, const char* name);
void tnArchive_Bytes(tnArchive* archive, uint8_t* values, size_t count, uint8_t most, const char* name);
void tnArchive_Words(tnArchive* archive, uint64_t* values, size_t count);

// Are floats in [least, most], and if not, refuse them. `least` is 0 or -most.
bool tnArchive_CheckFloats(
	tnArchive* archive, const uint8_t* bytes, size_t count, float least, float most, const char* name);

// Bytes of somebody else's making: where to write them, NULL if they are only counted; and where they are, NULL if they are not.
uint8_t* tnArchive_Reserve(tnArchive* archive, size_t count);
const uint8_t* tnArchive_Take(tnArchive* archive, size_t count);

// A field of floats: rows of `columns`, `stride` floats from one to the next, in tiles of 64 x 64, of which the last ones have
// what is left. A tile of one value takes 5 bytes; one that is what another field has there takes one; others are stored as they are.
typedef enum tnFollowing
{
	tn_followsNothing = 0,
	tn_followsField, // tiles are mostly what they are in the other field
	tn_followsBed,   // the other field is ground: depths of water that stands level over it take 5 bytes a tile
} tnFollowing;

typedef struct tnArchiveField
{
	float* values; // cell (0, 0); may be NULL in a check
	tnFollowing follows;
	const float* other; // of the same layout, archived before; NULL if it follows nothing
	ptrdiff_t stride;
	int columns, rows;
	int tileColumns, tileRows;
	float least, most; // of what may be read
	const char* name;
	int number;   // among those of this name
	bool tracked; // its tiles are those of the world, and nothing in it changes that tnTiles.changes does not tell of
} tnArchiveField;

void tnArchive_Field(tnArchive* archive, const tnArchiveField* field);

// Sum of some bytes at once.
uint64_t tnSumBytes(const uint8_t* bytes, size_t count);
// Make the sums of a snapshot those of its bytes, for tests that change them: whatever can be found of headers is mended.
void tnMendSnapshot(void* bytes, size_t size);
