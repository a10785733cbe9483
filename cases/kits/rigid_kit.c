// SPDX-License-Identifier: MIT

// A small physics engine, as the host of the body cases.

#include "kits/rigid_kit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

tnShapeDef tncMakeBox(double sizeX, double sizeY, double sizeZ)
{
	tnShapeDef shape = tnDefaultShapeDef();
	shape.kind = tn_boxShape;
	shape.halfExtents = (tnVec3){(float)(0.5 * sizeX), (float)(0.5 * sizeY), (float)(0.5 * sizeZ)};
	return shape;
}

tnShapeDef tncMakeSphere(double radius)
{
	tnShapeDef shape = tnDefaultShapeDef();
	shape.kind = tn_sphereShape;
	shape.radius = (float)radius;
	return shape;
}

tnShapeDef tncMakeCylinder(double radius, double length)
{
	tnShapeDef shape = tnDefaultShapeDef();
	shape.kind = tn_cylinderShape;
	shape.radius = (float)radius;
	shape.halfLength = (float)(0.5 * length);
	return shape;
}

static double tncGetShapeVolume(const tnShapeDef* shape)
{
	double r = (double)shape->radius;
	switch (shape->kind)
	{
		case tn_boxShape:
			return 8.0 * (double)shape->halfExtents.x * (double)shape->halfExtents.y * (double)shape->halfExtents.z;
		case tn_sphereShape:
			return 4.0 / 3.0 * TNC_PI * r * r * r;
		case tn_cylinderShape:
			return TNC_PI * r * r * 2.0 * (double)shape->halfLength;
		default:
			return NAN;
	}
}

static tncInertia tncGetShapeInertia(const tnShapeDef* shape, double mass)
{
	tncInertia inertia = {0};
	double r = (double)shape->radius;
	double l = (double)shape->halfLength;
	double x = (double)shape->halfExtents.x;
	double y = (double)shape->halfExtents.y;
	double z = (double)shape->halfExtents.z;
	switch (shape->kind)
	{
		case tn_boxShape:
			inertia.xx = mass * (y * y + z * z) / 3.0;
			inertia.yy = mass * (x * x + z * z) / 3.0;
			inertia.zz = mass * (x * x + y * y) / 3.0;
			break;
		case tn_sphereShape:
			inertia.xx = inertia.yy = inertia.zz = 0.4 * mass * r * r;
			break;
		default:
			inertia.yy = 0.5 * mass * r * r;
			inertia.xx = inertia.zz = mass * (0.25 * r * r + l * l / 3.0);
			break;
	}
	return inertia;
}

tncRigid tncMakeRigid(const tnShapeDef* shape, double density, double x, double y, double z)
{
	tncRigid rigid = {0};
	rigid.position = (tncVec3){x, y, z};
	rigid.rotation.w = 1.0;
	rigid.mass = density * TNC_DENSITY * tncGetShapeVolume(shape);
	rigid.inertia = tncGetShapeInertia(shape, rigid.mass);
	rigid.ground = -INFINITY;
	return rigid;
}

// ---------------------------------------------------------------------------------------------------------------------
// Turns

tncQuat tncMakeTurn(int axis, double angle)
{
	double s = sin(0.5 * angle);
	return (tncQuat){axis == 0 ? s : 0.0, axis == 1 ? s : 0.0, axis == 2 ? s : 0.0, cos(0.5 * angle)};
}

tncQuat tncMulQuat(tncQuat a, tncQuat b)
{
	return (tncQuat){
		a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
		a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
		a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
		a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
	};
}

static tncVec3 tncCross(tncVec3 a, tncVec3 b)
{
	return (tncVec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

tncVec3 tncTurnVec(tncQuat rotation, tncVec3 v)
{
	tncVec3 axis = {rotation.x, rotation.y, rotation.z};
	tncVec3 t = tncCross(axis, v);
	t = (tncVec3){2.0 * t.x, 2.0 * t.y, 2.0 * t.z};
	tncVec3 u = tncCross(axis, t);
	return (tncVec3){v.x + rotation.w * t.x + u.x, v.y + rotation.w * t.y + u.y, v.z + rotation.w * t.z + u.z};
}

static tncVec3 tncApplyInertia(const tncInertia* inertia, tncVec3 v)
{
	return (tncVec3){
		inertia->xx * v.x + inertia->xy * v.y + inertia->xz * v.z,
		inertia->xy * v.x + inertia->yy * v.y + inertia->yz * v.z,
		inertia->xz * v.x + inertia->yz * v.y + inertia->zz * v.z,
	};
}

// The tensor in the axes of the world, column by column.
static tncInertia tncGetWorldInertia(const tncRigid* rigid)
{
	tncQuat back = {-rigid->rotation.x, -rigid->rotation.y, -rigid->rotation.z, rigid->rotation.w};
	tncVec3 columns[3];
	for (int axis = 0; axis < 3; ++axis)
	{
		tncVec3 unit = {axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
		columns[axis] = tncTurnVec(rigid->rotation, tncApplyInertia(&rigid->inertia, tncTurnVec(back, unit)));
	}
	return (tncInertia){columns[0].x, columns[1].y, columns[2].z, columns[1].x, columns[2].x, columns[2].y};
}

// The angular acceleration under a torque; locked axes take no part.
static tncVec3 tncSolveInertia(const tncInertia* inertia, const bool* locks, tncVec3 torque)
{
	tncInertia m = *inertia;
	if (locks[0])
	{
		m.xx = 1.0, m.xy = 0.0, m.xz = 0.0, torque.x = 0.0;
	}
	if (locks[1])
	{
		m.yy = 1.0, m.xy = 0.0, m.yz = 0.0, torque.y = 0.0;
	}
	if (locks[2])
	{
		m.zz = 1.0, m.xz = 0.0, m.yz = 0.0, torque.z = 0.0;
	}
	// By cofactors.
	double a = m.yy * m.zz - m.yz * m.yz;
	double b = m.xz * m.yz - m.xy * m.zz;
	double c = m.xy * m.yz - m.xz * m.yy;
	double d = m.xx * m.zz - m.xz * m.xz;
	double e = m.xy * m.xz - m.xx * m.yz;
	double f = m.xx * m.yy - m.xy * m.xy;
	double scale = 1.0 / (m.xx * a + m.xy * b + m.xz * c);
	return (tncVec3){
		scale * (a * torque.x + b * torque.y + c * torque.z),
		scale * (b * torque.x + d * torque.y + e * torque.z),
		scale * (c * torque.x + e * torque.y + f * torque.z),
	};
}

void tncJudgeBody(
	tncContext* context, double cellCount, double value, double realistic, double ambitious, const char* format, ...)
{
	char measure[sizeof(((tncRow*)0)->measure)];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(measure, sizeof(measure), format, arguments);
	va_end(arguments);
	if (cellCount >= 6.0)
	{
		tncJudge(context, true, value, realistic, ambitious, "%s", measure);
	}
	else
	{
		tncJudge(context, true, value, realistic, realistic, "%s", measure);
		tncHope(context, value, -INFINITY, ambitious, "%.80s (A)", measure);
	}
}

double tncGetKineticEnergy(const tncRigid* rigid)
{
	tncInertia inertia = tncGetWorldInertia(rigid);
	tncVec3 v = rigid->velocity;
	tncVec3 w = rigid->spin;
	tncVec3 l = tncApplyInertia(&inertia, w);
	return 0.5 * rigid->mass * (v.x * v.x + v.y * v.y + v.z * v.z) + 0.5 * (w.x * l.x + w.y * l.y + w.z * l.z);
}

// ---------------------------------------------------------------------------------------------------------------------
// The engine

static void tncIntegrateMove(tncRigid* rigid, double timeStep)
{
	double s = timeStep / rigid->mass;
	double damp = 1.0 / (1.0 + timeStep * rigid->linearDamping);
	tncVec3* v = &rigid->velocity;
	v->x = (v->x + s * (rigid->force.x + rigid->push.x)) * damp;
	v->y = (v->y + s * (rigid->force.y + rigid->push.y) - TNC_GRAVITY * timeStep) * damp;
	v->z = (v->z + s * (rigid->force.z + rigid->push.z)) * damp;
	v->x = rigid->lockMove[0] ? 0.0 : v->x;
	v->y = rigid->lockMove[1] ? 0.0 : v->y;
	v->z = rigid->lockMove[2] ? 0.0 : v->z;
}

static void tncIntegrateTurn(tncRigid* rigid, double timeStep)
{
	tncInertia inertia = tncGetWorldInertia(rigid);
	tncVec3 gyro = tncCross(rigid->spin, tncApplyInertia(&inertia, rigid->spin));
	tncVec3 torque = {rigid->torque.x - gyro.x, rigid->torque.y - gyro.y, rigid->torque.z - gyro.z};
	tncVec3 turn = tncSolveInertia(&inertia, rigid->lockTurn, torque);
	double damp = 1.0 / (1.0 + timeStep * rigid->angularDamping);
	tncVec3* w = &rigid->spin;
	w->x = rigid->lockTurn[0] ? 0.0 : (w->x + timeStep * turn.x) * damp;
	w->y = rigid->lockTurn[1] ? 0.0 : (w->y + timeStep * turn.y) * damp;
	w->z = rigid->lockTurn[2] ? 0.0 : (w->z + timeStep * turn.z) * damp;
}

static void tncMove(tncRigid* rigid, double timeStep)
{
	rigid->position.x += timeStep * rigid->velocity.x;
	rigid->position.y += timeStep * rigid->velocity.y;
	rigid->position.z += timeStep * rigid->velocity.z;

	double h = 0.5 * timeStep;
	tncQuat spin = {h * rigid->spin.x, h * rigid->spin.y, h * rigid->spin.z, 0.0};
	tncQuat change = tncMulQuat(spin, rigid->rotation);
	tncQuat q = {rigid->rotation.x + change.x, rigid->rotation.y + change.y, rigid->rotation.z + change.z,
		rigid->rotation.w + change.w};
	double scale = 1.0 / sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
	rigid->rotation = (tncQuat){scale * q.x, scale * q.y, scale * q.z, scale * q.w};
}

// The ground stops what falls on it, and what it stops it holds by friction, before it moves. `reach` is how far the
// body reaches below its centre of mass.
static void tncTouchGround(tncRigid* rigid, double reach, double timeStep)
{
	double height = rigid->position.y - reach - rigid->ground;
	double fastest = -fmax(0.0, height) / timeStep;
	if (rigid->velocity.y < fastest)
	{
		double stopped = fastest - rigid->velocity.y;
		double speed = hypot(rigid->velocity.x, rigid->velocity.z);
		double scale = speed > 0.0 ? fmax(0.0, 1.0 - rigid->groundFriction * stopped / speed) : 0.0;
		rigid->velocity.x *= scale;
		rigid->velocity.z *= scale;
		rigid->velocity.y = fastest;
	}
}

void tncIntegrate(tncRigid* rigid, double reach, double timeStep)
{
	if (rigid->isDriven == false)
	{
		tncIntegrateMove(rigid, timeStep);
		tncIntegrateTurn(rigid, timeStep);
		if (rigid->ground > -INFINITY)
		{
			tncTouchGround(rigid, reach, timeStep);
		}
	}
	tncMove(rigid, timeStep);
}

static double tncGetReach(const tnWorld* world, const tncRigid* rigid)
{
	tnBodyMesh mesh = {0};
	double lowest = 0.0;
	if (tnWorld_GetBodyMesh(world, rigid->id, &mesh).status == tn_ok)
	{
		for (int i = 0; i < mesh.pointCount; ++i)
		{
			tncVec3 p = {(double)mesh.points[i].x, (double)mesh.points[i].y, (double)mesh.points[i].z};
			lowest = fmin(lowest, tncTurnVec(rigid->rotation, p).y);
		}
	}
	return -lowest;
}

static tnPose tncGetPose(const tncRigid* rigid)
{
	tncVec3 p = rigid->position;
	tncQuat q = rigid->rotation;
	return (tnPose){{(float)p.x, (float)p.y, (float)p.z}, {(float)q.x, (float)q.y, (float)q.z, (float)q.w}};
}

static tnVec3 tncToFloat(tncVec3 v)
{
	return (tnVec3){(float)v.x, (float)v.y, (float)v.z};
}

bool tncAddRigid(tncRun* run, tncRigid* rigid, const tnShapeDef* shape, tnBodyMode mode, double mass)
{
	tnBodyDef def = tnDefaultBodyDef();
	def.shapes = shape;
	def.shapeCount = 1;
	def.mass = (float)(mass > 0.0 ? mass : rigid->mass);
	def.mode = mode;
	// What damping there is, is the engine's, and in the case.
	def.damping = 0.0f;
	if (rigid->isSmooth)
	{
		def.pressureDrag = 0.0f;
		def.skinFriction = 0.0f;
	}
	def.pose = tncGetPose(rigid);
	def.velocity = tncToFloat(rigid->velocity);
	def.spin = tncToFloat(rigid->spin);
	tnResult result = tnWorld_CreateBody(run->world, &def, &rigid->id);
	if (result.status != tn_ok)
	{
		run->failed = true;
		tncRequire(run->context, NAN, 0.0, 0.0, "body refused");
	}
	return result.status == tn_ok;
}

void tncStepRigids(tncRun* run, tncRigid* rigids, int count, double timeStep)
{
	for (int i = 0; i < count && run->failed == false; ++i)
	{
		tnPose pose = tncGetPose(rigids + i);
		tnResult result = tnWorld_MoveBody(
			run->world, rigids[i].id, &pose, tncToFloat(rigids[i].velocity), tncToFloat(rigids[i].spin));
		if (result.status != tn_ok)
		{
			run->failed = true;
			tncRequire(run->context, NAN, 0.0, 0.0, "pose refused");
		}
	}
	tncSteps(run, 1, timeStep);
	for (int i = 0; i < count && run->failed == false; ++i)
	{
		tncRigid* rigid = rigids + i;
		tnWrench wrench = {0};
		tnResult result = tnWorld_GetBodyWrench(run->world, rigid->id, &wrench);
		run->failed = result.status != tn_ok;
		rigid->force = (tncVec3){(double)wrench.force.x, (double)wrench.force.y, (double)wrench.force.z};
		rigid->torque = (tncVec3){(double)wrench.torque.x, (double)wrench.torque.y, (double)wrench.torque.z};
		double reach = rigid->ground > -INFINITY ? tncGetReach(run->world, rigid) : 0.0;
		tncIntegrate(rigid, reach, timeStep);
	}
}

// ---------------------------------------------------------------------------------------------------------------------
// Water around bodies

double tncGetSurface(const tnWorld* world, int column, int row)
{
	tnFieldView bed = tnWorld_GetBed(world);
	tnFieldView depth = tnWorld_GetDepth(world);
	tnFieldView lift = tnWorld_GetLift(world);
	double height = (double)bed.data[row * bed.stride + column] + (double)depth.data[row * depth.stride + column];
	return lift.data != NULL ? height + (double)lift.data[row * lift.stride + column] : height;
}

tncLevel tncMeasureLevel(const tnWorld* world, const tncDisc* discs, int count, double level)
{
	tnWorldDef def = tnWorld_GetDef(world);
	double cellSize = (double)def.cellSize;
	double sum = 0.0;
	double worst = 0.0;
	int64_t cells = 0;
	for (int row = 0; row < def.rowCount; ++row)
	{
		for (int column = 0; column < def.columnCount; ++column)
		{
			bool isFar = true;
			for (int i = 0; i < count && isFar; ++i)
			{
				double x = (column + 0.5) * cellSize - discs[i].x;
				double z = (row + 0.5) * cellSize - discs[i].z;
				isFar = x * x + z * z > discs[i].radius * discs[i].radius;
			}
			if (isFar)
			{
				double surface = tncGetSurface(world, column, row);
				// Written so that a NaN is kept.
				worst = fabs(surface - level) <= worst ? worst : fabs(surface - level);
				sum += surface;
				cells += 1;
			}
		}
	}
	return (tncLevel){cells > 0 ? sum / (double)cells : NAN, worst};
}

double tncGetCover(const tncBlock* block, double cellSize, int column, int row)
{
	double x = fmin(block->upper.x, (column + 1) * cellSize) - fmax(block->lower.x, column * cellSize);
	double z = fmin(block->upper.z, (row + 1) * cellSize) - fmax(block->lower.z, row * cellSize);
	return fmax(0.0, x) * fmax(0.0, z) / (cellSize * cellSize);
}

void tncCarve(tncScene* scene, const tncBlock* block, double level)
{
	double draft = fmin(level, block->upper.y) - fmax(0.0, block->lower.y);
	for (int row = 0; row < scene->def.rowCount && scene->depth != NULL; ++row)
	{
		for (int column = 0; column < scene->def.columnCount; ++column)
		{
			double cover = tncGetCover(block, (double)scene->def.cellSize, column, row);
			float* depth = scene->depth + row * scene->def.columnCount + column;
			*depth = cover > 0.0 && draft > 0.0 ? (float)fmax(0.0, (double)*depth - cover * draft) : *depth;
		}
	}
}

void tncFill(tncScene* scene, double level)
{
	for (int i = 0; i < scene->def.columnCount * scene->def.rowCount && scene->depth != NULL; ++i)
	{
		scene->depth[i] = (float)level;
	}
}

// Velocities at centres are means of those on faces, so this is the sum over faces of their velocity times the mean
// depth on both sides.
static double tncSumVelocities(tncRun* run)
{
	if (tnWorld_CopyVelocities(run->world, run->speedX, NULL).status != tn_ok)
	{
		return NAN;
	}
	tnFieldView depth = tnWorld_GetDepth(run->world);
	double sum = 0.0;
	for (int row = 0; row < run->rowCount; ++row)
	{
		for (int column = 0; column < run->columnCount; ++column)
		{
			double h = (double)depth.data[row * depth.stride + column];
			sum += h * (double)run->speedX[row * run->columnCount + column];
		}
	}
	return sum;
}

// The face after the last cell is the one before the first where the world wraps, and still otherwise.
static double tncSumDischarges(tncRun* run)
{
	int faceCount = run->columnCount + 1;
	float* discharge = calloc((size_t)faceCount * (size_t)run->rowCount, sizeof(float));
	double sum = NAN;
	if (discharge != NULL && tnWorld_CopyDischarge(run->world, discharge, NULL).status == tn_ok)
	{
		sum = 0.0;
		for (int i = 0; i < faceCount * run->rowCount; ++i)
		{
			sum += i % faceCount < run->columnCount ? (double)discharge[i] : 0.0;
		}
	}
	free(discharge);
	return sum;
}

double tncGetWaterMomentum(tncRun* run)
{
	// Pipes store discharge, the other methods velocity.
	bool isPipe = run->context->method->model <= tnc_fixedPipeModel;
	double sum = isPipe ? tncSumDischarges(run) : tncSumVelocities(run);
	return TNC_DENSITY * sum * run->cellSize * run->cellSize;
}
