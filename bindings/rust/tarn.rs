// SPDX-License-Identifier: MIT

//! tarn for Rust: all of C in `sys`, made by bindgen, and a thin layer that owns worlds, turns failures into errors, and lets the borrow
//! checker know how long a field is what it was.
//!
//! ```ignore
//! let mut world = tarn::World::new(&tarn::WorldDef::default())?;
//! world.add_water(tarn::vec2(32.0, 64.0), 8.0, 500.0)?;
//! world.step(1.0 / 60.0)?;
//! let depth = world.depth().unwrap(); // borrowed: the world cannot be changed while it is used
//! println!("{} {}", depth.at(32, 64), world.sample(tarn::vec2(48.0, 64.0)).depth);
//! ```

#[allow(non_camel_case_types, non_snake_case, non_upper_case_globals, dead_code, clippy::all)]
pub mod sys {
    include!(concat!(env!("TARN_SYS"), "/sys.rs"));
}

use std::ffi::CStr;
use std::fmt;
use std::ptr::null_mut;

/// What the library refused: its text names the field and the value. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    pub status: sys::tnStatus,
    pub text: String,
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl std::error::Error for Error {}

pub type Result<T> = std::result::Result<T, Error>;

/// For functions of `sys` that return a result.
pub fn check(result: sys::tnResult) -> Result<()> {
    if result.status == sys::tn_ok {
        return Ok(());
    }
    let text = unsafe { CStr::from_ptr(result.text.as_ptr()) };
    Err(Error { status: result.status, text: text.to_string_lossy().into_owned() })
}

pub use sys::tnBodyId as BodyId;
pub use sys::tnPose as Pose;
pub use sys::tnSample as Sample;
pub use sys::tnSourceId as SourceId;
pub use sys::tnVec2 as Vec2;
pub use sys::tnVec3 as Vec3;
pub use sys::tnVoxel as Voxel;
pub use sys::tnVoxelBox as VoxelBox;
pub use sys::tnWrench as Wrench;

pub fn vec2(x: f32, z: f32) -> Vec2 {
    Vec2 { x, z }
}

pub fn vec3(x: f32, y: f32, z: f32) -> Vec3 {
    Vec3 { x, y, z }
}

/// A def with its defaults, to be changed through its fields.
macro_rules! def {
    ($name:ident, $c:ident, $make:ident) => {
        #[derive(Clone)]
        pub struct $name(pub sys::$c);

        impl Default for $name {
            fn default() -> Self {
                Self(unsafe { sys::$make() })
            }
        }

        impl std::ops::Deref for $name {
            type Target = sys::$c;
            fn deref(&self) -> &sys::$c {
                &self.0
            }
        }

        impl std::ops::DerefMut for $name {
            fn deref_mut(&mut self) -> &mut sys::$c {
                &mut self.0
            }
        }
    };
}

def!(WorldDef, tnWorldDef, tnDefaultWorldDef);
def!(SourceDef, tnSourceDef, tnDefaultSourceDef);
def!(ShapeDef, tnShapeDef, tnDefaultShapeDef);
def!(BodyDef, tnBodyDef, tnDefaultBodyDef);
def!(VoxelWorldDef, tnVoxelWorldDef, tnDefaultVoxelWorldDef);

/// A field inside a world, without a copy.
pub struct Field<'a> {
    pub data: &'a [f32],
    pub columns: usize,
    pub rows: usize,
    pub stride: usize,
}

impl Field<'_> {
    pub fn at(&self, column: usize, row: usize) -> f32 {
        assert!(column < self.columns && row < self.rows);
        self.data[row * self.stride + column]
    }
}

/// Terrain with water on it. It may go to another thread, and be asked by many at once.
pub struct World(*mut sys::tnWorld);

unsafe impl Send for World {}
unsafe impl Sync for World {}

impl Drop for World {
    fn drop(&mut self) {
        unsafe { sys::tnDestroyWorld(self.0) }
    }
}

impl World {
    pub fn new(def: &WorldDef) -> Result<World> {
        let mut world = null_mut();
        check(unsafe { sys::tnCreateWorld(&def.0, &mut world) })?;
        Ok(World(world))
    }

    /// A world of what `save` has made.
    pub fn from_bytes(bytes: &[u8]) -> Result<World> {
        let mut world = null_mut();
        check(unsafe { sys::tnCreateWorldFrom(bytes.as_ptr().cast(), bytes.len() as _, std::ptr::null(), &mut world) })?;
        Ok(World(world))
    }

    /// For all functions of `sys`.
    pub fn as_ptr(&self) -> *mut sys::tnWorld {
        self.0
    }

    pub fn step(&mut self, time_step: f32) -> Result<()> {
        check(unsafe { sys::tnWorld_Step(self.0, time_step) })
    }

    pub fn set_terrain(&mut self, heights: &[f32]) -> Result<()> {
        let def = unsafe { sys::tnWorld_GetDef(self.0) };
        let count = def.columnCount as usize * def.rowCount as usize;
        if heights.len() != count {
            let text = format!("heights must have {} values, got {}", count, heights.len());
            return Err(Error { status: sys::tn_invalidArgument, text });
        }
        check(unsafe { sys::tnWorld_SetTerrain(self.0, heights.as_ptr()) })
    }

    pub fn fill_to_level(&mut self, level: f32) -> Result<()> {
        check(unsafe { sys::tnWorld_FillToLevel(self.0, level) })
    }

    /// Returns the volume that was added, m^3; negative: taken.
    pub fn add_water(&mut self, center: Vec2, radius: f32, volume: f32) -> Result<f64> {
        let mut moved = 0.0;
        check(unsafe { sys::tnWorld_AddWater(self.0, center, radius, volume, &mut moved) })?;
        Ok(moved)
    }

    pub fn create_source(&mut self, def: &SourceDef) -> Result<SourceId> {
        let mut id = SourceId { index1: 0, generation: 0 };
        check(unsafe { sys::tnWorld_CreateSource(self.0, &def.0, &mut id) })?;
        Ok(id)
    }

    /// A body of shapes. Those that point to points of their own are for callers who keep these alive.
    pub fn create_body(&mut self, def: &BodyDef, shapes: &[ShapeDef]) -> Result<BodyId> {
        let plain: Vec<sys::tnShapeDef> = shapes.iter().map(|shape| shape.0).collect();
        let mut whole = def.0;
        whole.shapes = plain.as_ptr();
        whole.shapeCount = plain.len() as _;
        let mut id = BodyId { index1: 0, generation: 0 };
        check(unsafe { sys::tnWorld_CreateBody(self.0, &whole, &mut id) })?;
        Ok(id)
    }

    pub fn destroy_body(&mut self, id: BodyId) -> Result<()> {
        check(unsafe { sys::tnWorld_DestroyBody(self.0, id) })
    }

    pub fn move_body(&mut self, id: BodyId, pose: &Pose, velocity: Vec3, spin: Vec3) -> Result<()> {
        check(unsafe { sys::tnWorld_MoveBody(self.0, id, pose, velocity, spin) })
    }

    pub fn body_wrench(&self, id: BodyId) -> Result<Wrench> {
        let mut wrench = Wrench { force: vec3(0.0, 0.0, 0.0), torque: vec3(0.0, 0.0, 0.0) };
        check(unsafe { sys::tnWorld_GetBodyWrench(self.0, id, &mut wrench) })?;
        Ok(wrench)
    }

    pub fn sample(&self, position: Vec2) -> Sample {
        unsafe { sys::tnWorld_Sample(self.0, position) }
    }

    pub fn depth(&self) -> Option<Field<'_>> {
        self.field(unsafe { sys::tnWorld_GetDepth(self.0) })
    }

    pub fn bed(&self) -> Option<Field<'_>> {
        self.field(unsafe { sys::tnWorld_GetBed(self.0) })
    }

    pub fn foam(&self) -> Option<Field<'_>> {
        self.field(unsafe { sys::tnWorld_GetFoam(self.0) })
    }

    fn field(&self, view: sys::tnFieldView) -> Option<Field<'_>> {
        if view.data.is_null() {
            return None;
        }
        let (columns, rows, stride) = (view.columnCount as usize, view.rowCount as usize, view.stride as usize);
        let data = unsafe { std::slice::from_raw_parts(view.data, (rows - 1) * stride + columns) };
        Some(Field { data, columns, rows, stride })
    }

    pub fn save(&self) -> Result<Vec<u8>> {
        let mut size = 0;
        check(unsafe { sys::tnWorld_Save(self.0, null_mut(), 0, &mut size) })?;
        let mut bytes = vec![0u8; size as usize];
        check(unsafe { sys::tnWorld_Save(self.0, bytes.as_mut_ptr().cast(), size, &mut size) })?;
        Ok(bytes)
    }

    pub fn restore(&mut self, bytes: &[u8]) -> Result<()> {
        check(unsafe { sys::tnWorld_Restore(self.0, bytes.as_ptr().cast(), bytes.len() as _) })
    }

    pub fn volume(&mut self) -> f64 {
        unsafe { sys::tnWorld_GetLedger(self.0) }.volume
    }

    pub fn hash(&self) -> u64 {
        unsafe { sys::tnWorld_GetHash(self.0) }
    }
}

/// Water for worlds of blocks.
pub struct VoxelWorld(*mut sys::tnVoxelWorld);

unsafe impl Send for VoxelWorld {}

impl Drop for VoxelWorld {
    fn drop(&mut self) {
        unsafe { sys::tnDestroyVoxelWorld(self.0) }
    }
}

impl VoxelWorld {
    pub fn new(def: &VoxelWorldDef) -> Result<VoxelWorld> {
        let mut world = null_mut();
        check(unsafe { sys::tnCreateVoxelWorld(&def.0, &mut world) })?;
        Ok(VoxelWorld(world))
    }

    /// For all functions of `sys`.
    pub fn as_ptr(&self) -> *mut sys::tnVoxelWorld {
        self.0
    }

    pub fn step(&mut self) -> Result<()> {
        check(unsafe { sys::tnVoxelWorld_Step(self.0, 0) })
    }

    pub fn load_block(&mut self, block: Voxel) -> Result<()> {
        check(unsafe { sys::tnVoxelWorld_LoadBlock(self.0, block) })
    }

    pub fn fill_solid(&mut self, area: VoxelBox, solid: i32) -> Result<()> {
        check(unsafe { sys::tnVoxelWorld_FillSolid(self.0, area, solid) })
    }

    pub fn fill_solid_ball(&mut self, center: Vec3, radius: f32, solid: i32) -> Result<()> {
        check(unsafe { sys::tnVoxelWorld_FillSolidBall(self.0, center, radius, solid) })
    }

    /// Returns how many units found room.
    pub fn add_liquid(&mut self, area: VoxelBox, liquid: i32, amount: i32) -> Result<i64> {
        let mut added = 0;
        check(unsafe { sys::tnVoxelWorld_AddLiquid(self.0, area, liquid, amount, &mut added) })?;
        Ok(added)
    }

    pub fn hash(&self) -> u64 {
        unsafe { sys::tnVoxelWorld_GetHash(self.0) }
    }
}
