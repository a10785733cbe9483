// SPDX-License-Identifier: MIT

#pragma once

#include "tarn/base.h"
#include "tarn/body.h"
#include "tarn/foam_def.h"
#include "tarn/hollow.h"
#include "tarn/query.h"
#include "tarn/recording.h"
#include "tarn/snapshot.h"
#include "tarn/sound.h"
#include "tarn/spray.h"
#include "tarn/spray_def.h"
#include "tarn/surface.h"
#include "tarn/vector.h"
#include "tarn/voxel_body.h"
#include "tarn/voxel_flow.h"
#include "tarn/voxel_mesh.h"
#include "tarn/voxel_save.h"
#include "tarn/voxels.h"
#include "tarn/wave_def.h"
#include "tarn/waves.h"
#include "tarn/world.h"
