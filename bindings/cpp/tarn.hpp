// SPDX-License-Identifier: MIT

// tarn for C++17: owners that destroy what they own, results that throw, and values where C has pointers to fill.
//
//   tarn::World world;                                // 128 x 128 cells of 1 m; or World(def)
//   world.AddWater({32.0f, 64.0f}, 8.0f, 500.0f);
//   world.Step(1.0f / 60.0f);
//   float depth = world.Sample({48.0f, 64.0f}).depth;
//   tarn::Check(tnWorld_SetRain(world, 1.0e-6f, nullptr)); // all of C works with it
//
// This is all of it: no library to build. Owners can be moved and not copied; what was moved from is empty. Structs, enums and ids
// are those of C. With TARN_NO_EXCEPTIONS defined a failure calls tarn::onError, or std::abort.

#pragma once

#include <tarn/tarn.h>

#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#ifndef TARN_NO_EXCEPTIONS
#include <stdexcept>
#include <string>
#endif

namespace tarn
{

#ifdef TARN_NO_EXCEPTIONS
inline void (*onError)(const tnResult& result) = nullptr;
#else
/// What a call had to say that failed: what() is the text of the library, "cellSize must be in [0.001, 1000], got -1".
class Error : public std::runtime_error
{
public:
	explicit Error(const tnResult& result) : std::runtime_error(result.text), status(result.status)
	{
	}
	tnStatus status;
};
#endif

/// Throws if a call has failed.
inline void Check(const tnResult& result)
{
	if (result.status != tn_ok)
	{
#ifdef TARN_NO_EXCEPTIONS
		if (onError == nullptr)
		{
			std::abort();
		}
		onError(result);
#else
		throw Error(result);
#endif
	}
}

/// The one who destroys a handle of C. Goes where a pointer is asked for.
template <typename Handle, void (*Destroy)(Handle*)>
class Owner
{
public:
	Owner() = default;
	explicit Owner(Handle* handle) : m_handle(handle)
	{
	}
	Owner(Owner&& other) noexcept : m_handle(other.Release())
	{
	}
	Owner& operator=(Owner&& other) noexcept
	{
		Reset(other.Release());
		return *this;
	}
	Owner(const Owner&) = delete;
	Owner& operator=(const Owner&) = delete;
	~Owner()
	{
		Destroy(m_handle);
	}

	Handle* Get() const
	{
		return m_handle;
	}
	operator Handle*() const
	{
		return m_handle;
	}
	explicit operator bool() const
	{
		return m_handle != nullptr;
	}
	/// Hands the handle over to the caller, who has to destroy it.
	Handle* Release()
	{
		return std::exchange(m_handle, nullptr);
	}
	/// Destroys what it has, and owns another one.
	void Reset(Handle* handle = nullptr)
	{
		if (handle != m_handle)
		{
			Destroy(std::exchange(m_handle, handle));
		}
	}

private:
	Handle* m_handle = nullptr;
};

/// A view of a field, for loops. Stale after the next call that changes the world.
class Field
{
public:
	Field(const tnFieldView& view) : m_view(view)
	{
	}
	explicit operator bool() const
	{
		return m_view.data != nullptr;
	}
	int Columns() const
	{
		return m_view.columnCount;
	}
	int Rows() const
	{
		return m_view.rowCount;
	}
	float operator()(int column, int row) const
	{
		return m_view.data[static_cast<std::ptrdiff_t>(row) * m_view.stride + column];
	}
	const float* Row(int row) const
	{
		return m_view.data + static_cast<std::ptrdiff_t>(row) * m_view.stride;
	}

private:
	tnFieldView m_view;
};

using Bytes = std::vector<std::uint8_t>;

namespace detail
{
/// The two calls that every save takes: how much, and then into that.
template <typename Save>
Bytes Collect(Save save)
{
	std::size_t size = 0;
	Check(save(static_cast<void*>(nullptr), std::size_t(0), &size));
	Bytes bytes(size);
	Check(save(static_cast<void*>(bytes.data()), bytes.size(), &size));
	bytes.resize(size);
	return bytes;
}
} // namespace detail

/// Terrain with water on it: tarn/world.h, query.h, body.h, snapshot.h.
class World : public Owner<tnWorld, tnDestroyWorld>
{
public:
	World() : World(tnDefaultWorldDef())
	{
	}
	explicit World(const tnWorldDef& def)
	{
		tnWorld* world = nullptr;
		Check(tnCreateWorld(&def, &world));
		Reset(world);
	}
	/// A world of bytes that Save has made. Of hooks only those of a def count.
	static World From(const Bytes& bytes, const tnWorldDef* hooks = nullptr)
	{
		tnWorld* world = nullptr;
		Check(tnCreateWorldFrom(bytes.data(), bytes.size(), hooks, &world));
		return World(world);
	}

	void Step(float timeStep)
	{
		Check(tnWorld_Step(Get(), timeStep));
	}
	double GetTime() const
	{
		return tnWorld_GetTime(Get());
	}
	tnWorldDef GetDef() const
	{
		return tnWorld_GetDef(Get());
	}
	std::uint64_t GetHash() const
	{
		return tnWorld_GetHash(Get());
	}
	tnLedger GetLedger()
	{
		return tnWorld_GetLedger(Get());
	}
	tnStats GetStats() const
	{
		return tnWorld_GetStats(Get());
	}

	/// Heights of all cells, row by row.
	void SetTerrain(const std::vector<float>& heights)
	{
		CheckCount(heights.size());
		Check(tnWorld_SetTerrain(Get(), heights.data()));
	}
	/// Depths of all cells, row by row.
	void SetDepths(const std::vector<float>& depths)
	{
		CheckCount(depths.size());
		Check(tnWorld_SetDepths(Get(), depths.data()));
	}
	void FillToLevel(float level)
	{
		Check(tnWorld_FillToLevel(Get(), level));
	}
	void EditTerrain(const tnBrush& brush)
	{
		Check(tnWorld_EditTerrain(Get(), &brush));
	}
	/// Returns the volume that was added, m^3; negative: taken.
	double AddWater(tnVec2 center, float radius, float volume)
	{
		double moved = 0.0;
		Check(tnWorld_AddWater(Get(), center, radius, volume, &moved));
		return moved;
	}
	void AddImpulse(tnVec2 center, float radius, tnVec2 impulse)
	{
		Check(tnWorld_AddImpulse(Get(), center, radius, impulse));
	}
	void SetEdge(tnSide side, const tnEdgeDef& def)
	{
		Check(tnWorld_SetEdge(Get(), side, &def));
	}

	Field GetBed() const
	{
		return tnWorld_GetBed(Get());
	}
	Field GetDepth() const
	{
		return tnWorld_GetDepth(Get());
	}
	Field GetFoam() const
	{
		return tnWorld_GetFoam(Get());
	}
	Field GetTracer(int channel) const
	{
		return tnWorld_GetTracer(Get(), channel);
	}
	tnSample Sample(tnVec2 position) const
	{
		return tnWorld_Sample(Get(), position);
	}
	std::vector<tnSample> SampleMany(const std::vector<tnVec2>& positions) const
	{
		std::vector<tnSample> samples(positions.size());
		Check(tnWorld_SampleMany(Get(), positions.data(), static_cast<int>(positions.size()), samples.data()));
		return samples;
	}
	tnRayHit CastRay(tnVec3 origin, tnVec3 direction, float maxDistance) const
	{
		tnRayHit hit = {};
		Check(tnWorld_CastRay(Get(), origin, direction, maxDistance, &hit));
		return hit;
	}

	tnSourceId CreateSource(const tnSourceDef& def)
	{
		tnSourceId id = {};
		Check(tnWorld_CreateSource(Get(), &def, &id));
		return id;
	}
	void SetSource(tnSourceId id, const tnSourceDef& def)
	{
		Check(tnWorld_SetSource(Get(), id, &def));
	}
	void DestroySource(tnSourceId id)
	{
		Check(tnWorld_DestroySource(Get(), id));
	}

	tnBodyId CreateBody(const tnBodyDef& def)
	{
		tnBodyId id = {};
		Check(tnWorld_CreateBody(Get(), &def, &id));
		return id;
	}
	/// A body of one shape.
	tnBodyId CreateBody(tnBodyDef def, const tnShapeDef& shape)
	{
		def.shapes = &shape;
		def.shapeCount = 1;
		return CreateBody(def);
	}
	void DestroyBody(tnBodyId id)
	{
		Check(tnWorld_DestroyBody(Get(), id));
	}
	void MoveBody(tnBodyId id, const tnPose& pose, tnVec3 velocity, tnVec3 spin)
	{
		Check(tnWorld_MoveBody(Get(), id, &pose, velocity, spin));
	}
	tnWrench GetBodyWrench(tnBodyId id) const
	{
		tnWrench wrench = {};
		Check(tnWorld_GetBodyWrench(Get(), id, &wrench));
		return wrench;
	}
	tnBodyState GetBodyState(tnBodyId id) const
	{
		tnBodyState state = {};
		Check(tnWorld_GetBodyState(Get(), id, &state));
		return state;
	}

	Bytes Save() const
	{
		return detail::Collect([this](void* bytes, std::size_t capacity, std::size_t* size) {
			return tnWorld_Save(Get(), bytes, capacity, size);
		});
	}
	void Restore(const Bytes& bytes)
	{
		Check(tnWorld_Restore(Get(), bytes.data(), bytes.size()));
	}

private:
	explicit World(tnWorld* world) : Owner(world)
	{
	}
	void CheckCount(std::size_t count) const
	{
		const tnWorldDef def = GetDef();
		if (count != static_cast<std::size_t>(def.columnCount) * static_cast<std::size_t>(def.rowCount))
		{
			tnResult result = {tn_invalidArgument, "an array of all cells must have columnCount * rowCount values"};
			Check(result);
		}
	}
};

/// Water for worlds of blocks: tarn/voxels.h.
class VoxelWorld : public Owner<tnVoxelWorld, tnDestroyVoxelWorld>
{
public:
	VoxelWorld() : VoxelWorld(tnDefaultVoxelWorldDef())
	{
	}
	explicit VoxelWorld(const tnVoxelWorldDef& def)
	{
		tnVoxelWorld* world = nullptr;
		Check(tnCreateVoxelWorld(&def, &world));
		Reset(world);
	}

	void Step(std::int64_t workLimit = 0)
	{
		Check(tnVoxelWorld_Step(Get(), workLimit));
	}
	void LoadBlock(tnVoxel block)
	{
		Check(tnVoxelWorld_LoadBlock(Get(), block));
	}
	void UnloadBlock(tnVoxel block)
	{
		Check(tnVoxelWorld_UnloadBlock(Get(), block));
	}
	void FillSolid(tnVoxelBox box, int solid)
	{
		Check(tnVoxelWorld_FillSolid(Get(), box, solid));
	}
	void FillSolidBall(tnVec3 center, float radius, int solid)
	{
		Check(tnVoxelWorld_FillSolidBall(Get(), center, radius, solid));
	}
	/// Returns how many units found room.
	std::int64_t AddLiquid(tnVoxelBox box, int liquid, int amount)
	{
		std::int64_t added = 0;
		Check(tnVoxelWorld_AddLiquid(Get(), box, liquid, amount, &added));
		return added;
	}
	std::int64_t RemoveLiquid(tnVoxelBox box, int amount)
	{
		std::int64_t removed = 0;
		Check(tnVoxelWorld_RemoveLiquid(Get(), box, amount, &removed));
		return removed;
	}
	tnVoxelState GetVoxel(tnVoxel voxel) const
	{
		return tnVoxelWorld_GetVoxel(Get(), voxel);
	}
	tnVoxelLedger GetLedger(int liquid) const
	{
		return tnVoxelWorld_GetLedger(Get(), liquid);
	}
	bool IsAtRest() const
	{
		return tnVoxelWorld_IsAtRest(Get());
	}
	std::uint64_t GetHash() const
	{
		return tnVoxelWorld_GetHash(Get());
	}
	Bytes Save()
	{
		return detail::Collect([this](void* bytes, std::size_t capacity, std::size_t* size) {
			return tnVoxelWorld_Save(Get(), bytes, capacity, size);
		});
	}
	static VoxelWorld From(const Bytes& bytes, const tnVoxelWorldDef& def)
	{
		tnVoxelWorld* world = nullptr;
		Check(tnCreateVoxelWorldFrom(bytes.data(), bytes.size(), &def, &world));
		return VoxelWorld(world);
	}

private:
	explicit VoxelWorld(tnVoxelWorld* world) : Owner(world)
	{
	}
};

/// What a renderer needs of a world: tarn/surface.h. The world must outlive all use of it.
class Surface : public Owner<tnSurface, tnDestroySurface>
{
public:
	explicit Surface(const World& world, const tnSurfaceDef& def = tnDefaultSurfaceDef())
	{
		tnSurface* surface = nullptr;
		Check(tnCreateSurface(world, &def, &surface));
		Reset(surface);
	}
	void Update(const World& world, float alpha)
	{
		Check(tnSurface_Update(Get(), world, alpha));
	}
	tnSurfaceChanges TakeChanges()
	{
		return tnSurface_TakeChanges(Get());
	}
	tnSurfaceTile GetTile(int index) const
	{
		tnSurfaceTile tile = {};
		Check(tnSurface_GetTile(Get(), index, &tile));
		return tile;
	}
};

/// Images of a world to go back to: tarn/rollback.h. Destroy it before its world.
class Rollback : public Owner<tnRollback, tnDestroyRollback>
{
public:
	explicit Rollback(World& world, const tnRollbackDef& def = tnDefaultRollbackDef())
	{
		tnRollback* rollback = nullptr;
		Check(tnCreateRollback(world, &def, &rollback));
		Reset(rollback);
	}
	void Push()
	{
		Check(tnRollback_Push(Get()));
	}
	void Restore(int index)
	{
		Check(tnRollback_Restore(Get(), index));
	}
	int GetCount() const
	{
		return tnRollback_GetCount(Get());
	}
};

/// All else that has to be destroyed. Make it with the function of C, and hand it over: StreamView view(handle).
using Replay = Owner<tnReplay, tnDestroyReplay>;
using Stream = Owner<tnStream, tnDestroyStream>;
using StreamView = Owner<tnStreamView, tnDestroyStreamView>;
using VoxelMesher = Owner<tnVoxelMesher, tnDestroyVoxelMesher>;

} // namespace tarn
