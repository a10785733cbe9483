// SPDX-License-Identifier: MIT

//! Must not compile: a field is looked at after the world has changed.

#[path = "tarn.rs"]
#[allow(dead_code)]
mod tarn;

fn main() -> tarn::Result<()> {
    let mut world = tarn::World::new(&tarn::WorldDef::default())?;
    let depth = world.depth().unwrap();
    world.step(1.0 / 60.0)?;
    println!("{}", depth.at(0, 0));
    Ok(())
}
