// SPDX-License-Identifier: MIT

#pragma once

#include "gl/gl.h"

// Houses on top of ground that stands up like houses: walls and roofs as meshes of their own.

// A rectangle of even ground with steep sides, in cells: columns [low, high).
typedef struct tnrHouse
{
	int lowColumn, lowRow, highColumn, highRow;
	// The highest of its cells; of the ground around it, the mean and the lowest, m.
	float top, street, foot;
	// Differs from house to house, 0 to 1.
	float name;
} tnrHouse;

typedef struct tnrHouses
{
	tnrHouse* items;
	int count, capacity;
	GLuint vertexArray, vertexBuffer;
	int vertexCount;
	// The list has changed since the mesh was made.
	bool isStale;
} tnrHouses;

// Of the roof over a place, above the eaves; 0 beside a house. m
float tnrGetRoofRise(const tnrHouse* house, float cellSize, float x, float z);

// Keep a house in mind. Those that are too low, too large or too narrow for a roof are left as they are. @return whether it was taken
bool tnrAddHouse(tnrHouses* houses, const tnrHouse* house, float cellSize);
// Forget those for which a cell is no longer that of a house. @param built four bytes a cell, as in tnrGround. @return whether there were any
bool tnrDropHouses(tnrHouses* houses, const uint8_t* built, int columnCount);
// With the program that is in use. Makes the mesh anew if the list has changed. @return triangles
int tnrDrawHouses(tnrHouses* houses, float cellSize);
void tnrDestroyHouses(tnrHouses* houses);
void tnrForgetHouses(tnrHouses* houses);
