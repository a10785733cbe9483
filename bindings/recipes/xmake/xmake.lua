-- SPDX-License-Identifier: MIT
--
-- A package for xmake. Not tested.

package("tarn")
	set_description("Real-time, interactive water for games")
	set_license("MIT")
	add_urls("TARN_URL")
	add_versions("0.1.0", "TARN_SHA")
	add_deps("cmake")
	if is_plat("linux", "bsd") then
		add_syslinks("m", "pthread")
	end
	on_install(function (package)
		local configs = {"-DTARN_INSTALL=ON"}
		for _, option in ipairs {"TESTS", "APP", "SCENE", "RENDER", "SAMPLES", "ODE", "WERROR"} do
			table.insert(configs, "-DTARN_" .. option .. "=OFF")
		end
		table.insert(configs, "-DCMAKE_BUILD_TYPE=" .. (package:is_debug() and "Debug" or "Release"))
		import("package.tools.cmake").install(package, configs)
	end)
	on_test(function (package)
		assert(package:has_cfuncs("tnGetVersion", {includes = "tarn/tarn.h"}))
	end)
package_end()
