// SPDX-License-Identifier: MIT
//
// Water and ground of a world of tarn for three.js. Only tiles that have changed are uploaded; the shore is where the water meets the
// ground between two cells.
//
//   import { TerrainMesh, WaterMesh } from "tarn-water/three";
//   scene.add(new TerrainMesh(world), water = new WaterMesh(world));
//   water.update();       // after steps, before rendering

import * as THREE from "three";
import { Surface } from "tarn-water";

const vertexShader = /* glsl */`
	attribute vec4 water;   // height, depth, slopes
	attribute vec4 look;    // foam, is it shown, velocity
	uniform float cellSize;
	varying vec3 place;
	varying vec3 normalUp;
	varying vec4 shown;
	void main()
	{
		vec4 world = modelMatrix * vec4(position.x, water.x, position.z, 1.0);
		place = world.xyz;
		normalUp = vec3(-water.z, 1.0, -water.w);
		shown = vec4(water.y, look.xy, length(look.zw));
		gl_Position = projectionMatrix * viewMatrix * world;
	}`;

const fragmentShader = /* glsl */`
	uniform vec3 shallowColor, deepColor, skyColor, horizonColor, sunDirection, sunColor;
	uniform float clearness, time;
	varying vec3 place;
	varying vec3 normalUp;
	varying vec4 shown;
	void main()
	{
		if (shown.z < 0.01)
		{
			discard;
		}
		vec3 view = normalize(cameraPosition - place);
		// Small waves that cells cannot hold, faster where the water is.
		vec2 p = place.xz * 1.7;
		float t = time * (1.0 + 0.2 * shown.w);
		vec2 ripple = 0.03 * vec2(sin(p.x * 2.1 + p.y + 2.1 * t) + sin(p.y * 3.3 - 1.7 * t), cos(p.y * 1.9 - p.x + 1.9 * t) + sin(p.x * 3.1 + 2.3 * t));
		// Far away they are too small to be seen.
		ripple /= 1.0 + 0.03 * distance(cameraPosition, place);
		vec3 normal = normalize(normalUp + vec3(ripple.x, 0.0, ripple.y));
		vec3 mirrored = reflect(-view, normal);
		float fresnel = 0.02 + 0.98 * pow(1.0 - max(dot(normal, view), 0.0), 5.0);
		vec3 sky = mix(horizonColor, skyColor, clamp(mirrored.y * 1.6, 0.0, 1.0));
		float cover = 1.0 - exp(-max(shown.x, 0.0) / clearness);
		vec3 body = mix(shallowColor, deepColor, cover) * (0.6 + 0.4 * max(dot(normal, sunDirection), 0.0));
		vec3 color = mix(body, sky, fresnel) + sunColor * pow(max(dot(mirrored, sunDirection), 0.0), 240.0);
		float foam = clamp(shown.y, 0.0, 1.0);
		color = mix(color, vec3(0.95), foam);
		gl_FragColor = vec4(color, clamp(max(0.35 + 0.6 * cover, max(foam, fresnel)), 0.0, 1.0));
		#include <tonemapping_fragment>
		#include <colorspace_fragment>
	}`;

/** The water of a world, in the space of the world: meters, y up. */
export class WaterMesh extends THREE.Group
{
	constructor(world, options = {})
	{
		super();
		this.world = world;
		this.surface = new Surface(world, {
			layers: [
				{ format: "floats", channels: ["height", "depth", "slopeX", "slopeZ"], channelCount: 4 },
				{ format: "floats", channels: ["foam", "shown", "velocityX", "velocityZ"], channelCount: 4 },
			],
			layerCount: 2,
			halo: 1, // the first cells of the next tiles, so that there are no seams
		});
		const { cellSize, origin } = world.getDef();
		this.material = new THREE.ShaderMaterial({
			vertexShader, fragmentShader, transparent: true,
			uniforms: {
				cellSize: { value: cellSize },
				shallowColor: { value: new THREE.Color(options.shallowColor ?? 0x3a8f98) },
				deepColor: { value: new THREE.Color(options.deepColor ?? 0x0c3a5a) },
				skyColor: { value: new THREE.Color(options.skyColor ?? 0x6fa3d8) },
				horizonColor: { value: new THREE.Color(options.horizonColor ?? 0xd8e6f0) },
				sunColor: { value: new THREE.Color(options.sunColor ?? 0xfff2d8) },
				sunDirection: { value: new THREE.Vector3(...(options.sunDirection ?? [0.5, 0.7, 0.3])).normalize() },
				clearness: { value: options.clearness ?? 1.5 },
				time: { value: 0 },
			},
		});
		this.cellSize = cellSize;
		this.position.set(origin.x, 0, origin.z);
		this.tiles = [];
	}

	/** Show the world as it is, or between its last two states: alpha in [0, 1]. Returns how many tiles were uploaded. */
	update(alpha = 1)
	{
		this.surface.update(this.world, alpha);
		this.material.uniforms.time.value = this.world.time;
		const changes = this.surface.takeChanges().toArray();
		for (const { tile } of changes)
		{
			this.#upload(tile, this.surface.getTile(tile));
		}
		return changes.length;
	}

	#upload(index, tile)
	{
		let mesh = this.tiles[index];
		if (!mesh)
		{
			mesh = this.tiles[index] = new THREE.Mesh(this.#makeGeometry(tile), this.material);
			mesh.frustumCulled = true;
			this.add(mesh);
		}
		const { water, look } = mesh.geometry.attributes;
		water.array.set(tile.texels[0]);
		look.array.set(tile.texels[1]);
		water.needsUpdate = look.needsUpdate = true;
		const sphere = mesh.geometry.boundingSphere;
		sphere.center.y = (tile.lowest + tile.highest) / 2;
		sphere.radius = tile.size * this.cellSize * 0.71 + Math.abs(tile.highest - tile.lowest);
		mesh.visible = tile.maxDepth > 0;
	}

	// Texel (c, r) is the middle of the cell (column + c - halo, row + r - halo).
	#makeGeometry({ column, row, columns, rows, size, halo })
	{
		const geometry = new THREE.BufferGeometry();
		const positions = new Float32Array(3 * size * size);
		for (let r = 0, i = 0; r < size; ++r)
		{
			for (let c = 0; c < size; ++c, i += 3)
			{
				positions[i] = (column + c - halo + 0.5) * this.cellSize;
				positions[i + 2] = (row + r - halo + 0.5) * this.cellSize;
			}
		}
		const indices = [];
		for (let r = halo; r < rows + halo; ++r)
		{
			for (let c = halo; c < columns + halo; ++c)
			{
				const i = r * size + c;
				indices.push(i, i + size, i + 1, i + 1, i + size, i + size + 1);
			}
		}
		geometry.setIndex(indices);
		geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
		for (const name of ["water", "look"])
		{
			geometry.setAttribute(name, new THREE.BufferAttribute(new Float32Array(4 * size * size), 4).setUsage(THREE.DynamicDrawUsage));
		}
		geometry.boundingSphere = new THREE.Sphere(
			new THREE.Vector3((column + columns / 2) * this.cellSize, 0, (row + rows / 2) * this.cellSize), 0);
		return geometry;
	}

	dispose()
	{
		this.tiles.forEach((mesh) => mesh?.geometry.dispose());
		this.material.dispose();
		this.surface.destroy();
	}
}

/** The ground of a world, with its vertices where the water has them. */
export class TerrainMesh extends THREE.Mesh
{
	constructor(world, material = new THREE.MeshStandardMaterial({ color: 0x8a8468, roughness: 1 }))
	{
		const { columnCount, rowCount, cellSize, origin } = world.getDef();
		const width = (columnCount - 1) * cellSize, depth = (rowCount - 1) * cellSize;
		const geometry = new THREE.PlaneGeometry(width, depth, columnCount - 1, rowCount - 1).rotateX(-Math.PI / 2);
		geometry.translate(origin.x + width / 2 + cellSize / 2, 0, origin.z + depth / 2 + cellSize / 2);
		super(geometry, material);
		this.world = world;
		this.update();
	}

	/** After the ground was edited. */
	update()
	{
		const bed = this.world.bed.slice();
		const { position } = this.geometry.attributes;
		for (let i = 0; i < bed.length; ++i)
		{
			position.setY(i, bed[i]);
		}
		position.needsUpdate = true;
		this.geometry.computeVertexNormals();
		this.geometry.computeBoundingSphere();
	}
}
