// SPDX-License-Identifier: MIT

// Values and calls as C.

#include "core.h"

#include <inttypes.h>
#include <stdarg.h>

void ShowText(Driver* d, const char* text)
{
	if (d->out != NULL && !d->muted)
	{
		fprintf(d->out, "\t\t%s\n", text);
	}
}

void Show(Driver* d, const char* format, ...)
{
	if (d->out == NULL || d->muted)
	{
		return;
	}
	va_list arguments;
	va_start(arguments, format);
	fputs("\t\t", d->out);
	vfprintf(d->out, format, arguments);
	fputc('\n', d->out);
	va_end(arguments);
}

void ShowCall(Driver* d, const char* call)
{
	Show(d, "NOTE(%s);", call);
}

FloatText GetFloatText(float value)
{
	FloatText text;
	if (isnan(value))
	{
		snprintf(text.text, sizeof(text.text), "NAN");
	}
	else if (isinf(value))
	{
		snprintf(text.text, sizeof(text.text), value > 0.0f ? "INFINITY" : "-INFINITY");
	}
	else
	{
		// As short as it can be and still be the same.
		for (int digits = 1; digits <= 9; ++digits)
		{
			snprintf(text.text, sizeof(text.text) - 4, "%.*g", digits, (double)value);
			if (strtof(text.text, NULL) == value)
			{
				break;
			}
		}
		strcat(text.text, strpbrk(text.text, ".e") == NULL ? ".0f" : "f");
	}
	return text;
}

#define FIELD(type, fieldKind, member)             \
	{                                              \
#member, fieldKind, offsetof(type, member) \
	}
#define INFO(typeName, text, table)                             \
	{                                                           \
		.type = #typeName, .preset = (text), .fields = (table), \
		.fieldCount = (int)(sizeof(table) / sizeof((table)[0])) \
	}

#define EDGE_FIELDS(type, prefix)                                                                  \
	FIELD(type, intField, prefix kind), FIELD(type, floatField, prefix level),                     \
		FIELD(type, floatField, prefix tideAmplitude), FIELD(type, floatField, prefix tidePeriod), \
		FIELD(type, floatField, prefix tidePhase), FIELD(type, floatField, prefix inflow),         \
		FIELD(type, intField, prefix inflowBegin), FIELD(type, intField, prefix inflowEnd),        \
		FIELD(type, intField, prefix spongeWidth), FIELD(type, floatField, prefix tracers[0]),     \
		FIELD(type, floatField, prefix tracers[1]), FIELD(type, floatField, prefix tracers[2])

static const FieldInfo s_edgeFields[] = {EDGE_FIELDS(tnEdgeDef, )};
const StructInfo edgeDefInfo = INFO(tnEdgeDef, "tnDefaultEdgeDef()", s_edgeFields);

#define WORLD_FIELD(kind, member) FIELD(tnWorldDef, kind, member)
static const FieldInfo s_worldFields[] = {WORLD_FIELD(intField, columnCount), WORLD_FIELD(intField, rowCount),
	WORLD_FIELD(floatField, cellSize), WORLD_FIELD(floatField, origin.x), WORLD_FIELD(floatField, origin.z),
	WORLD_FIELD(floatField, gravity), WORLD_FIELD(intField, method), WORLD_FIELD(intField, section),
	WORLD_FIELD(floatField, fixedSection), WORLD_FIELD(floatField, liveliness), WORLD_FIELD(intField, advection),
	WORLD_FIELD(floatField, vorticityConfinement), WORLD_FIELD(floatField, friction), WORLD_FIELD(floatField, manning),
	WORLD_FIELD(floatField, froudeLimit), EDGE_FIELDS(tnWorldDef, edges[0].), EDGE_FIELDS(tnWorldDef, edges[1].),
	EDGE_FIELDS(tnWorldDef, edges[2].), EDGE_FIELDS(tnWorldDef, edges[3].), WORLD_FIELD(intField, maxSubSteps),
	WORLD_FIELD(boolField, enableSleep), WORLD_FIELD(floatField, sleepSpeed), WORLD_FIELD(floatField, sleepTime),
	WORLD_FIELD(intField, tracerCount), WORLD_FIELD(boolField, keepDischarge), WORLD_FIELD(boolField, keepPrevious),
	WORLD_FIELD(boolField, waves.enable), WORLD_FIELD(intField, waves.kernel), WORLD_FIELD(intField, waves.finerLevels),
	WORLD_FIELD(intField, waves.levelCount), WORLD_FIELD(intField, waves.tileCount),
	WORLD_FIELD(floatField, waves.damping), WORLD_FIELD(floatField, waves.viscosity),
	WORLD_FIELD(floatField, waves.breakingLimit), WORLD_FIELD(floatField, waves.restHeight),
	WORLD_FIELD(boolField, waves.enableDrift), WORLD_FIELD(boolField, waves.takeFromFlow),
	WORLD_FIELD(boolField, waves.enableDetail), WORLD_FIELD(floatField, waves.timeStep),
	WORLD_FIELD(intField, waves.keptSteps), WORLD_FIELD(boolField, waves.reserve),
	WORLD_FIELD(boolField, waves.enableWindWaves), WORLD_FIELD(boolField, spray.enable),
	WORLD_FIELD(intField, spray.capacity), WORLD_FIELD(floatField, spray.ledgeHeight),
	WORLD_FIELD(floatField, spray.breakingSlope), WORLD_FIELD(floatField, spray.drag),
	WORLD_FIELD(floatField, spray.slamSpeed), WORLD_FIELD(floatField, spray.wind.x),
	WORLD_FIELD(floatField, spray.wind.z), WORLD_FIELD(boolField, foam.enable), WORLD_FIELD(floatField, foam.lifetime),
	WORLD_FIELD(floatField, foam.strength), WORLD_FIELD(intField, tasks.workerCount),
	WORLD_FIELD(quadField, memoryLimit), WORLD_FIELD(intField, simd), WORLD_FIELD(intField, stamp)};
const StructInfo worldDefInfo = INFO(tnWorldDef, "tnDefaultWorldDef()", s_worldFields);

#define BRUSH_FIELD(kind, member) FIELD(tnBrush, kind, member)
static const FieldInfo s_brushFields[] = {BRUSH_FIELD(intField, kind), BRUSH_FIELD(intField, shape),
	BRUSH_FIELD(floatField, center.x), BRUSH_FIELD(floatField, center.z), BRUSH_FIELD(floatField, radius),
	BRUSH_FIELD(floatField, falloff), BRUSH_FIELD(floatField, amount), BRUSH_FIELD(floatField, height)};
const StructInfo brushInfo = INFO(tnBrush, "tnDefaultBrush()", s_brushFields);

#define SOURCE_FIELD(kind, member) FIELD(tnSourceDef, kind, member)
static const FieldInfo s_sourceFields[] = {SOURCE_FIELD(intField, kind), SOURCE_FIELD(floatField, center.x),
	SOURCE_FIELD(floatField, center.z), SOURCE_FIELD(floatField, radius), SOURCE_FIELD(floatField, rate),
	SOURCE_FIELD(floatField, level), SOURCE_FIELD(floatField, velocity.x), SOURCE_FIELD(floatField, velocity.z),
	SOURCE_FIELD(floatField, tracers[0]), SOURCE_FIELD(floatField, tracers[1]), SOURCE_FIELD(floatField, tracers[2]),
	SOURCE_FIELD(intField, stamp)};
const StructInfo sourceDefInfo = INFO(tnSourceDef, "tnDefaultSourceDef()", s_sourceFields);

#define REGION_FIELD(kind, member) FIELD(tnRegionDef, kind, member)
static const FieldInfo s_regionFields[] = {REGION_FIELD(intField, shape), REGION_FIELD(floatField, center.x),
	REGION_FIELD(floatField, center.z), REGION_FIELD(floatField, extent.x), REGION_FIELD(floatField, extent.z),
	REGION_FIELD(floatField, triggerDepth), REGION_FIELD(floatField, hysteresis), REGION_FIELD(quadField, userData),
	REGION_FIELD(intField, stamp)};
const StructInfo regionDefInfo = INFO(tnRegionDef, "tnDefaultRegionDef()", s_regionFields);

#define POSE_FIELDS(type, prefix)                                                               \
	FIELD(type, floatField, prefix position.x), FIELD(type, floatField, prefix position.y),     \
		FIELD(type, floatField, prefix position.z), FIELD(type, floatField, prefix rotation.x), \
		FIELD(type, floatField, prefix rotation.y), FIELD(type, floatField, prefix rotation.z), \
		FIELD(type, floatField, prefix rotation.w)
static const FieldInfo s_poseFields[] = {POSE_FIELDS(tnPose, )};
const StructInfo poseInfo = INFO(tnPose, "{{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f, 0.0f}}", s_poseFields);

#define SHAPE_FIELD(kind, member) FIELD(tnShapeDef, kind, member)
static const FieldInfo s_shapeFields[] = {SHAPE_FIELD(intField, kind), SHAPE_FIELD(floatField, halfExtents.x),
	SHAPE_FIELD(floatField, halfExtents.y), SHAPE_FIELD(floatField, halfExtents.z), SHAPE_FIELD(floatField, radius),
	SHAPE_FIELD(floatField, halfLength), SHAPE_FIELD(intField, pointCount), SHAPE_FIELD(intField, triangleCount),
	POSE_FIELDS(tnShapeDef, pose.), SHAPE_FIELD(intField, stamp)};
const StructInfo shapeDefInfo = INFO(tnShapeDef, "tnDefaultShapeDef()", s_shapeFields);

#define BODY_FIELD(kind, member) FIELD(tnBodyDef, kind, member)
static const FieldInfo s_bodyFields[] = {BODY_FIELD(intField, shapeCount), BODY_FIELD(floatField, mass),
	BODY_FIELD(intField, mode), POSE_FIELDS(tnBodyDef, pose.), BODY_FIELD(floatField, velocity.x),
	BODY_FIELD(floatField, velocity.y), BODY_FIELD(floatField, velocity.z), BODY_FIELD(floatField, spin.x),
	BODY_FIELD(floatField, spin.y), BODY_FIELD(floatField, spin.z), BODY_FIELD(floatField, pressureDrag),
	BODY_FIELD(floatField, suction), BODY_FIELD(floatField, creepSpeed), BODY_FIELD(floatField, skinFriction),
	BODY_FIELD(floatField, damping), BODY_FIELD(boolField, hollows), BODY_FIELD(quadField, userData),
	BODY_FIELD(intField, stamp)};
const StructInfo bodyDefInfo = INFO(tnBodyDef, "tnDefaultBodyDef()", s_bodyFields);

static const FieldInfo s_leakFields[] = {FIELD(tnLeakDef, floatField, position.x),
	FIELD(tnLeakDef, floatField, position.y), FIELD(tnLeakDef, floatField, position.z),
	FIELD(tnLeakDef, floatField, area), FIELD(tnLeakDef, floatField, discharge), FIELD(tnLeakDef, intField, from),
	FIELD(tnLeakDef, intField, to), FIELD(tnLeakDef, intField, stamp)};
const StructInfo leakDefInfo = INFO(tnLeakDef, "tnDefaultLeakDef()", s_leakFields);

static const FieldInfo s_pumpFields[] = {FIELD(tnPumpDef, floatField, rate), FIELD(tnPumpDef, intField, from),
	FIELD(tnPumpDef, intField, to), FIELD(tnPumpDef, floatField, position.x), FIELD(tnPumpDef, floatField, position.y),
	FIELD(tnPumpDef, floatField, position.z), FIELD(tnPumpDef, intField, stamp)};
const StructInfo pumpDefInfo = INFO(tnPumpDef, "tnDefaultPumpDef()", s_pumpFields);

#define JET_FIELD(kind, member) FIELD(tnJetDef, kind, member)
static const FieldInfo s_jetFields[] = {JET_FIELD(floatField, position.x), JET_FIELD(floatField, position.y),
	JET_FIELD(floatField, position.z), JET_FIELD(floatField, velocity.x), JET_FIELD(floatField, velocity.y),
	JET_FIELD(floatField, velocity.z), JET_FIELD(floatField, rate), JET_FIELD(floatField, radius),
	JET_FIELD(floatField, spread), JET_FIELD(intField, stamp)};
const StructInfo jetDefInfo = INFO(tnJetDef, "tnDefaultJetDef()", s_jetFields);

static const FieldInfo s_interestFields[] = {FIELD(tnInterestDef, floatField, position.x),
	FIELD(tnInterestDef, floatField, position.z), FIELD(tnInterestDef, floatField, reach),
	FIELD(tnInterestDef, intField, stamp)};
const StructInfo interestDefInfo = INFO(tnInterestDef, "tnDefaultInterestDef()", s_interestFields);

#define ELLIPSE_FIELD(member) FIELD(tnWaveEllipse, floatField, member)
static const FieldInfo s_ellipseFields[] = {ELLIPSE_FIELD(center.x), ELLIPSE_FIELD(center.z), ELLIPSE_FIELD(axis.x),
	ELLIPSE_FIELD(axis.z), ELLIPSE_FIELD(radii.x), ELLIPSE_FIELD(radii.z), ELLIPSE_FIELD(height)};
const StructInfo ellipseInfo = INFO(tnWaveEllipse, "{{0.0f, 0.0f}, {0.0f, 0.0f}, {0.0f, 0.0f}, 0.0f}", s_ellipseFields);

#define SWELL_FIELD(member) FIELD(tnSwell, floatField, member)
static const FieldInfo s_swellFields[] = {SWELL_FIELD(direction.x), SWELL_FIELD(direction.z), SWELL_FIELD(amplitude),
	SWELL_FIELD(period), SWELL_FIELD(phase)};
const StructInfo swellInfo = INFO(tnSwell, "{{0.0f, 0.0f}, 0.0f, 0.0f, 0.0f}", s_swellFields);

#define SPECTRUM_FIELD(kind, member) FIELD(tnSpectrumDef, kind, member)
static const FieldInfo s_spectrumFields[] = {SPECTRUM_FIELD(floatField, direction.x),
	SPECTRUM_FIELD(floatField, direction.z), SPECTRUM_FIELD(floatField, significantHeight),
	SPECTRUM_FIELD(floatField, peakPeriod), SPECTRUM_FIELD(floatField, peakedness), SPECTRUM_FIELD(floatField, spread),
	SPECTRUM_FIELD(intField, trainCount), SPECTRUM_FIELD(intField, seed), SPECTRUM_FIELD(intField, stamp)};
const StructInfo spectrumDefInfo = INFO(tnSpectrumDef, "tnDefaultSpectrumDef()", s_spectrumFields);

#define LIQUID_FIELDS(prefix)                                                                                   \
	FIELD(tnVoxelWorldDef, intField, prefix viscosity), FIELD(tnVoxelWorldDef, floatField, prefix density),     \
		FIELD(tnVoxelWorldDef, boolField, prefix levels), FIELD(tnVoxelWorldDef, intField, prefix evaporation), \
		FIELD(tnVoxelWorldDef, intField, prefix stamp)
#define VOXEL_FIELD(kind, member) FIELD(tnVoxelWorldDef, kind, member)
static const FieldInfo s_voxelFields[] = {VOXEL_FIELD(intField, cap), VOXEL_FIELD(intField, rules),
	VOXEL_FIELD(floatField, voxelSize), VOXEL_FIELD(floatField, stepRate), VOXEL_FIELD(floatField, gravity),
	VOXEL_FIELD(intField, liquidCount), LIQUID_FIELDS(liquids[0].), LIQUID_FIELDS(liquids[1].),
	LIQUID_FIELDS(liquids[2].), VOXEL_FIELD(intField, levelInterval), VOXEL_FIELD(intField, chunkLimit),
	VOXEL_FIELD(intField, chunkReserve), VOXEL_FIELD(quadField, memoryLimit), VOXEL_FIELD(intField, tasks.workerCount),
	VOXEL_FIELD(intField, simd), VOXEL_FIELD(intField, stamp)};
const StructInfo voxelWorldDefInfo = INFO(tnVoxelWorldDef, "tnDefaultVoxelWorldDef()", s_voxelFields);

static const FieldInfo s_reactionFields[] = {FIELD(tnReactionDef, intField, first),
	FIELD(tnReactionDef, intField, second), FIELD(tnReactionDef, intField, rate),
	FIELD(tnReactionDef, intField, ground), FIELD(tnReactionDef, intField, stamp)};
const StructInfo reactionDefInfo = INFO(tnReactionDef, "tnDefaultReactionDef()", s_reactionFields);

#define BOX_FIELDS(type, prefix)                                                                                   \
	FIELD(type, intField, prefix low.x), FIELD(type, intField, prefix low.y), FIELD(type, intField, prefix low.z), \
		FIELD(type, intField, prefix high.x), FIELD(type, intField, prefix high.y),                                \
		FIELD(type, intField, prefix high.z)
static const FieldInfo s_voxelSourceFields[] = {BOX_FIELDS(tnVoxelSourceDef, box.),
	FIELD(tnVoxelSourceDef, intField, liquid), FIELD(tnVoxelSourceDef, intField, rate),
	FIELD(tnVoxelSourceDef, intField, stamp)};
const StructInfo voxelSourceDefInfo = INFO(tnVoxelSourceDef, "tnDefaultVoxelSourceDef()", s_voxelSourceFields);

static const FieldInfo s_voxelOceanFields[] = {BOX_FIELDS(tnVoxelOceanDef, box.),
	FIELD(tnVoxelOceanDef, intField, liquid), FIELD(tnVoxelOceanDef, longField, level),
	FIELD(tnVoxelOceanDef, intField, stamp)};
const StructInfo voxelOceanDefInfo = INFO(tnVoxelOceanDef, "tnDefaultVoxelOceanDef()", s_voxelOceanFields);

static const FieldInfo s_voxelMeshFields[] = {FIELD(tnVoxelMeshDef, intField, style),
	FIELD(tnVoxelMeshDef, intField, liquid), FIELD(tnVoxelMeshDef, boolField, cutOut),
	BOX_FIELDS(tnVoxelMeshDef, clip.), FIELD(tnVoxelMeshDef, intField, stamp)};
const StructInfo voxelMeshDefInfo = INFO(tnVoxelMeshDef, "tnDefaultVoxelMeshDef()", s_voxelMeshFields);

static void ShowField(Driver* d, const FieldInfo* field, const char* name, const uint8_t* value, const uint8_t* preset)
{
	value += field->offset;
	preset += preset != NULL ? field->offset : 0;
	// Made by the preprocessor out of two parts.
	char member[64];
	size_t length = 0;
	for (const char* at = field->name; *at != 0 && length + 1 < sizeof(member); ++at)
	{
		member[length] = *at;
		length += *at != ' ' ? 1 : 0;
	}
	member[length] = 0;
	float real;
	int32_t whole;
	int64_t quad;
	bool truth;
	switch (field->kind)
	{
		case floatField:
			memcpy(&real, value, sizeof(real));
			if (preset == NULL || memcmp(value, preset, sizeof(real)) != 0)
			{
				Show(d, "%s.%s = %s;", name, member, GetFloatText(real).text);
			}
			break;
		case intField:
			memcpy(&whole, value, sizeof(whole));
			if (preset == NULL || memcmp(value, preset, sizeof(whole)) != 0)
			{
				Show(d, "%s.%s = %" PRId32 ";", name, member, whole);
			}
			break;
		case longField:
			memcpy(&quad, value, sizeof(quad));
			if (preset == NULL || memcmp(value, preset, sizeof(quad)) != 0)
			{
				Show(d, "%s.%s = %" PRId64 ";", name, member, quad);
			}
			break;
		case quadField:
		{
			size_t size;
			memcpy(&size, value, sizeof(size));
			if (preset == NULL || memcmp(value, preset, sizeof(size)) != 0)
			{
				Show(d, "%s.%s = %zuu;", name, member, size);
			}
			break;
		}
		default:
			memcpy(&truth, value, sizeof(truth));
			if (preset == NULL || memcmp(value, preset, sizeof(truth)) != 0)
			{
				Show(d, "%s.%s = %s;", name, member, truth ? "true" : "false");
			}
			break;
	}
}

void ShowFields(Driver* d, const StructInfo* info, const char* name, const void* value, const void* preset)
{
	if (d->out == NULL)
	{
		return;
	}
	for (int i = 0; i < info->fieldCount; ++i)
	{
		ShowField(d, info->fields + i, name, value, preset);
	}
}

void ShowStruct(Driver* d, const StructInfo* info, const char* name, const void* value, const void* preset)
{
	Show(d, "%s %s = %s;", info->type, name, info->preset);
	ShowFields(d, info, name, value, preset);
}
