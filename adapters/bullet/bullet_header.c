// SPDX-License-Identifier: MIT

// The header is one of C: this file is compiled as C17.

#include "tarn_bullet.h"

tnResult TestNullFromC(void);

tnResult TestNullFromC(void)
{
	return tnbCoupling_Step(NULL, 1.0f / 60.0f);
}
