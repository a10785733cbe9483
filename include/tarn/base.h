// SPDX-License-Identifier: MIT

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define TN_EXTERN_C extern "C"
#else
#define TN_EXTERN_C
#endif

#if defined(_WIN32) && defined(TARN_SHARED)
#ifdef TARN_BUILDING
#define TN_EXPORT __declspec(dllexport)
#else
#define TN_EXPORT __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define TN_EXPORT __attribute__((visibility("default")))
#else
#define TN_EXPORT
#endif

/// Marks a public function.
#define TN_API TN_EXTERN_C TN_EXPORT

#define TN_VERSION_MAJOR 0
#define TN_VERSION_MINOR 1
#define TN_VERSION_PATCH 0
/// The version of these headers as one number, to compare with in #if, and with tnGetVersion: 100 for 0.1.0.
#define TN_VERSION (TN_VERSION_MAJOR * 10000 + TN_VERSION_MINOR * 100 + TN_VERSION_PATCH)

/// Most workers a world can use. The result never depends on the number of workers.
#define TN_MAX_WORKERS 64

/// Most cells of one world, 2^28 (16384 squared). At 20 bytes a cell that is 5 GiB.
#define TN_MAX_CELLS (1 << 28)

/// Largest height, depth or coordinate tarn accepts, meters. Above it float32 cannot resolve a centimeter.
#define TN_MAX_LENGTH 1.0e5f

/// Most tracer channels of one world.
#define TN_MAX_TRACERS 8

/// What became of a call.
typedef enum tnStatus
{
	/// Done.
	tn_ok = 0,
	/// An argument or a field of a def is out of range. The text names it and its value. Nothing was changed.
	tn_invalidArgument,
	/// The id is null, or what it named was destroyed. Nothing was changed.
	tn_staleId,
	/// The allocator returned NULL, or a limit on size would be passed. Nothing was changed.
	tn_outOfMemory,
	/// The call is not possible now, for instance during a step or on a layer that is switched off.
	tn_notAvailable,
} tnStatus;

/// Returned by everything that takes outside data. Plain values: copy it, keep it, no memory to free.
typedef struct tnResult
{
	tnStatus status;
	/// One line in English that names the field and the value: "cellSize must be > 0, got -1". Empty for tn_ok.
	char text[156];
} tnResult;

/// Memory hooks. Set both functions or neither. Both receive context.
typedef struct tnAllocator
{
	/// Alignment is a power of two, at most 64. May return NULL: the call then fails cleanly.
	void* (*allocFcn)(size_t size, size_t alignment, void* context);
	/// Receives the size that was asked for.
	void (*freeFcn)(void* memory, size_t size, void* context);
	void* context;
} tnAllocator;

/// A piece of work handed to the host's job system.
typedef void tnTaskFcn(void* taskContext);

/// The host's job system. Leave the functions NULL to use threads made by tarn. Both receive context.
typedef struct tnTaskSystem
{
	/// Start a task. May run it in place and return NULL, which means already finished.
	void* (*startFcn)(tnTaskFcn* task, void* taskContext, void* context);
	/// Block until a started task is finished.
	void (*waitFcn)(void* hostTask, void* context);
	void* context;
	/// Tasks in flight at once, the calling thread included, in [1, TN_MAX_WORKERS]. 1 means serial.
	int workerCount;
} tnTaskSystem;

/// Called with every failing result of a world, on the calling thread, before the call returns. A host that wants a
/// hard stop on misuse traps here.
typedef struct tnErrorHook
{
	void (*fcn)(const tnResult* result, void* context);
	void* context;
} tnErrorHook;

/// Which instructions the kernels use. All give the same bits.
typedef enum tnSimd
{
	/// The widest that was built in and that this processor has.
	tn_simdAuto = 0,
	tn_simdScalar,
	tn_simdSse2,
	tn_simdAvx2,
	tn_simdNeon,
	tn_simdWasm,
} tnSimd;

/// Is this instruction set built in and usable on this processor?
TN_API bool tnIsSimdAvailable(tnSimd simd);

/// Name of an instruction set, for instance "avx2". Static memory.
TN_API const char* tnGetSimdName(tnSimd simd);

/// Handler for broken promises inside tarn (a bug in tarn, never bad input). Return nonzero to trap.
typedef int tnAssertFcn(const char* condition, const char* file, int line);

/// Replace the assert handler of the process. NULL restores the default, which traps. Set it before creating worlds.
TN_API void tnSetAssertHandler(tnAssertFcn* handler);

/// TN_VERSION of the library that was linked: major * 10000 + minor * 100 + patch.
TN_API int tnGetVersion(void);
