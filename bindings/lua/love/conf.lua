-- SPDX-License-Identifier: MIT

function love.conf(t)
	t.identity = "tarn"
	t.window.title = "tarn: dig, pour, float"
	t.window.width, t.window.height = 960, 640
	t.modules.audio, t.modules.sound, t.modules.physics, t.modules.joystick = false, false, false, false
end
