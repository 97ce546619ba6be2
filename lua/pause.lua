--[[ pause: calls a pause of an account for all its processes, or asks how long it still lasts
KEYS[1] pause:{<channel>:<account>}  string, expiring: for how long it was called, ms
ARGV[1] for how long, ms; 0 to ask
Returns: how long it still lasts, ms; 0 when there is none
Errors: none
Replay: the second run calls it anew for as long: later by what has passed in between
Flags: allow-oom

A shorter one cuts no longer one.
]]
--#include pauses
local pause, ms = KEYS[1], tonumber(ARGV[1])

local left = paused_for(pause)
if ms <= left then return left end
redis.call('SET', pause, ARGV[1], 'PX', ARGV[1])
return ms
