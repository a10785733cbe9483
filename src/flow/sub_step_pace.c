// SPDX-License-Identifier: MIT

// Into how many sub-steps a step is cut, and what happens when their length changes.
//
// A sub-step of length a kicks the flow by the surface and then moves the water by the flow. For a wave of frequency w, with
// x its height and p its flow in units of equal energy, both at the same time, and y = (w a / 2)^2,
//
//   E_a = p^2 + (1 - y) x^2
//
// stays exactly as it is: waves neither grow nor fade. But E_b of another length b is another quantity, and near the limit of
// stability, y = 0.9, quite another one. Sub-steps that change their length turn the one into the other at whatever phase a
// wave happens to have, and a sequence of changes can lift a wave each time: a swing is pumped in the same way (Hairer,
// Lubich & Wanner 2006, VIII.1). A pond whose depth lay where one sub-step is just not enough did that. So:
//
// - The kick at a change lasts (a + b) / 2, half of the sub-step before and half of the one after (Störmer-Verlet). With b
//   instead of that, energy would jump by (b - a) w p x, which is of first order in the time step. Not where the host keeps
//   its time step and water that has got faster needs more sub-steps: that water comes from a standstill, at which a whole kick
//   has put velocities half a sub-step ahead, and shorter sub-steps bring them back (fine: F10 0.18 with, 0.09 without). Such
//   changes are rare.
// - Sub-steps that become longer, b > a, have E_b < E_a: nothing to do.
// - Sub-steps that become shorter have E_b - E_a = (y_a - y_b) x^2 > 0. Before that the surface is softened, x' = (1 - s y_a) x,
//   with the least s for which (1 - s y)^2 (1 - y b^2/a^2) <= 1 - y up to the largest y there is. As a flux between cells
//   that is s a^2 / 4 * g A d(eta)/dx: it moves water downhill, keeps volume, and long waves hardly feel it (a wave of 40
//   cells has y < 0.01). The same where sections are capped and the cap changes: y goes with a^2 A.
//   This happens halfway through the kick: half of the old sub-step by the old surface, half of the new one by the softened
//   one. Where there are bodies it happens before all of it, which is not exact; near the limit of stability that is too
//   little for a host that alternates two time steps. So with bodies a host whose time step has changed gets sub-steps of
//   TN_WILD_COURANT of the limit for TN_WILD_STEPS steps.
// - Changes are rare: the number of sub-steps goes up as soon as it must, and down only where a margin of
//   TN_EASY_MARGIN is left for TN_EASY_STEPS steps.

#include "sub_step_pace.h"

#include <math.h>

// Sub-steps get fewer when the water could be this much faster than it is: a tenth, for depths a fifth, is more than
// waves move a limit to and fro.
#define TN_EASY_MARGIN 1.1

enum
{
	// A quarter of a second at 60 Hz: longer than a wave that is near the limit of stability takes, by far.
	TN_EASY_STEPS = 16,
	// Four seconds at 60 Hz: a host that varies its time step will have done so again by then.
	TN_WILD_STEPS = 256,
};

// Share of the stability limit sqrt(g h) dt/dx <= 1/sqrt(2) that a sub-step uses; with transport the limit is
// (|u| + |w| + sqrt(2 g h)) dt/dx <= 1. And the same where time steps vary beside bodies.
#define TN_COURANT 0.95
#define TN_WILD_COURANT 0.67

// Of the difference between the longest sub-step and the present one that is forgotten in a step: slowly, so that waves adapt
// to a section that grows.
#define TN_FORGETTING (1.0 / 256.0)

// A hair's breadth of slack, so that a host may step with the stable time step itself.
#define TN_SLACK (1.0 - 1.0e-6)

static int tnCount(double ratio)
{
	const double count = ceil(ratio * TN_SLACK);
	return count > 1.0e6 ? 1000000 : (count > 1.0 ? (int)count : 1);
}

void tnPace_Begin(tnPace* pace, double seconds, bool bodies)
{
	if (pace->step > 0.0 && seconds != pace->step)
	{
		pace->wildSteps = TN_WILD_STEPS;
	}
	else if (pace->wildSteps > 0)
	{
		pace->wildSteps -= 1;
	}
	pace->careful = bodies && pace->wildSteps > 0;
}

double tnPace_GetCourant(const tnPace* pace)
{
	return pace->careful ? TN_WILD_COURANT : TN_COURANT;
}

int tnPace_Choose(tnPace* pace, double seconds, double stable, int most)
{
	const int needed = tnCount(seconds / stable);
	const int easy = tnCount(seconds / stable * TN_EASY_MARGIN);
	// As many as keep sub-steps from becoming longer.
	const int same = pace->subStep > 0.0 ? tnCount(seconds / pace->subStep) : 1;
	const int kept = same < most ? same : most;
	pace->easySteps = easy < kept ? pace->easySteps + 1 : 0;
	if (needed >= kept)
	{
		return needed;
	}
	const bool waits = seconds == pace->step && pace->easySteps < TN_EASY_STEPS;
	return waits || easy > kept ? kept : easy;
}

void tnPace_Settle(tnPace* pace, double seconds, int subSteps, double stable)
{
	const double subStep = seconds / subSteps;
	pace->before = pace->subStep > 0.0 ? pace->subStep : subStep;
	pace->step = seconds;
	pace->subStep = subStep;
	// Twice as long at most: a host that has stumbled once does not pay for it for long.
	const double recent = pace->longest < 2.0 * subStep ? pace->longest : 2.0 * subStep;
	const double faded = recent - TN_FORGETTING * (recent - subStep);
	const bool tooLong = subStep * TN_SLACK > stable;
	pace->longest = pace->cappedSteps > 0 && faded > subStep ? faded : subStep;
	pace->cappedSteps = tooLong ? TN_WILD_STEPS : (pace->cappedSteps > 0 ? pace->cappedSteps - 1 : 0);
	pace->cappedBefore = pace->capped;
	pace->capped = pace->longest * TN_SLACK > stable;
	// Where water has become deeper, what was stable is not: that water has not been there for so long.
	const double most = stable > pace->longest ? stable : pace->longest;
	pace->kick = pace->wildSteps > 0 ? 0.5 * (subStep + (pace->before < most ? pace->before : most)) : subStep;
	pace->turned += seconds;
	pace->turnedSubSteps += subSteps;
}

double tnPace_GetSoftening(double y, double ratio)
{
	if (!(ratio < 1.0) || !(y > 0.0))
	{
		return 0.0;
	}
	const double square = (1.0 - y) / (1.0 - y * ratio);
	return (1.0 - sqrt(square > 0.0 ? square : 0.0)) / y;
}
