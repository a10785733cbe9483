// SPDX-License-Identifier: MIT

//! Looks at owners, errors and saves, and prints what bindings/test/program.c prints.

#[path = "tarn.rs"]
#[allow(dead_code)]
mod tarn;

use tarn::{sys, vec2, vec3, Result, Voxel, VoxelBox};

fn area(low: [i32; 3], high: [i32; 3]) -> VoxelBox {
    let place = |p: [i32; 3]| Voxel { x: p[0], y: p[1], z: p[2] };
    VoxelBox { low: place(low), high: place(high) }
}

fn look() -> Result<()> {
    let mut def = tarn::WorldDef::default();
    def.columnCount = 37;
    def.rowCount = 23;
    let mut world = tarn::World::new(&def)?;
    world.fill_to_level(1.0)?;
    let depth = world.depth().unwrap();
    assert_eq!((depth.columns, depth.rows, depth.at(36, 22)), (37, 23, 1.0));
    assert!(world.foam().is_none());
    assert!((world.add_water(vec2(10.0, 10.0), 3.0, 20.0)? - 20.0).abs() < 0.001);
    world.step(1.0 / 60.0)?;
    let (bytes, hash) = (world.save()?, world.hash());
    world.step(1.0 / 60.0)?;
    assert_ne!(world.hash(), hash);
    world.restore(&bytes)?;
    assert_eq!(world.hash(), hash);
    let other = tarn::World::from_bytes(&bytes)?;
    assert_eq!(std::thread::spawn(move || other.hash()).join().unwrap(), hash);
    assert!(world.set_terrain(&[1.0]).unwrap_err().text.contains("851"));
    let stale = tarn::BodyId { index1: 3, generation: 3 };
    assert_eq!(world.destroy_body(stale).unwrap_err().status, sys::tn_staleId);
    assert!(world.restore(&bytes[1..]).is_err());
    Ok(())
}

fn run_world() -> Result<u64> {
    let mut def = tarn::WorldDef::default();
    def.columnCount = 96;
    def.rowCount = 64;
    def.cellSize = 0.5;
    def.method = sys::tn_shallowMethod;
    def.tracerCount = 1;
    def.edges[sys::tn_east as usize].kind = sys::tn_openEdge;
    def.waves.enable = true;
    def.waves.levelCount = 3;
    def.waves.tileCount = 64;
    def.spray.enable = true;
    def.foam.enable = true;
    let mut world = tarn::World::new(&def)?;
    let heights: Vec<f32> = (0..96 * 64)
        .map(|i| (i % 96, i / 96))
        .map(|(column, row)| ((column * 7 + row * 13) % 16) as f32 / 16.0 + column as f32 / 32.0)
        .collect();
    world.set_terrain(&heights)?;
    world.add_water(vec2(12.0, 16.0), 6.0, 200.0)?;
    let mut spring = tarn::SourceDef::default();
    spring.center = vec2(36.0, 8.0);
    spring.rate = 2.5;
    spring.tracers[0] = 0.5;
    world.create_source(&spring)?;
    let mut shape = tarn::ShapeDef::default();
    shape.halfExtents = vec3(1.0, 0.5, 1.5);
    let mut crate_def = tarn::BodyDef::default();
    crate_def.mass = 1500.0;
    crate_def.pose.position = vec3(14.0, 2.0, 16.0);
    let body = world.create_body(&crate_def, &[shape])?;
    for step in 0..90 {
        let mut pose = crate_def.pose;
        pose.position.x = 14.0 + step as f32 / 32.0;
        world.move_body(body, &pose, vec3(1.875, 0.0, 0.0), vec3(0.0, 0.0, 0.0))?;
        world.step(1.0 / 64.0)?;
    }
    assert!(world.body_wrench(body)?.force.y.is_finite());
    Ok(world.hash())
}

fn run_voxels() -> Result<u64> {
    let mut def = tarn::VoxelWorldDef::default();
    def.liquidCount = 2;
    def.liquids[1].viscosity = 4;
    def.liquids[1].density = 2500.0;
    let mut world = tarn::VoxelWorld::new(&def)?;
    world.load_block(Voxel { x: 0, y: 0, z: 0 })?;
    world.fill_solid(area([0, 0, 0], [64, 8, 64]), 255)?;
    world.fill_solid_ball(vec3(20.0, 8.0, 20.0), 7.5, 0)?;
    assert_eq!(world.add_liquid(area([14, 20, 14], [26, 30, 26]), 1, 1024)?, 12 * 10 * 12 * 1024);
    world.add_liquid(area([30, 12, 30], [34, 20, 34]), 2, 700)?;
    for _ in 0..120 {
        world.step()?;
    }
    Ok(world.hash())
}

fn main() -> Result<()> {
    look()?;
    println!("world {:016x}", run_world()?);
    println!("voxels {:016x}", run_voxels()?);
    let mut def = tarn::WorldDef::default();
    def.cellSize = -1.0;
    println!("{}", tarn::World::new(&def).err().unwrap());
    Ok(())
}
