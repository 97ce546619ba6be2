--[[ breaker-ask: whether an endpoint may be called now, and who probes one that has been left alone
KEYS[1] breaker:{<channel>:<endpoint>}  hash
ARGV[1] how long whoever probes has for it, ms
Returns: a word and a time: go 0; probe 0; wait, ms; off, since when it is, Unix ms, since when it has done nothing but fail (empty: it was switched off by hand), and 1 when its owner was told, else 0
Errors: none
Replay: whoever asked for a probe and lost the reply waits as others do, until its time is over

An endpoint nobody has written of may be called.
]]
--#include clock
--#include breaker-clock
local breaker, probe_ms = KEYS[1], tonumber(ARGV[1])

local now = now_ms()
heed_breaker_clock(breaker, now)
local known = redis.call('HMGET', breaker, 'off', 'until', 'probe', 'step', 'since', 'told')
if known[1] then return { 'off', known[1], known[5] or '', known[6] or '0' } end
local until_ms, probe_until = tonumber(known[2]) or 0, tonumber(known[3]) or 0
if until_ms > now then return { 'wait', string.format('%.0f', until_ms - now) } end
if not known[4] then return { 'go', '0' } end
if probe_until > now then return { 'wait', string.format('%.0f', probe_until - now) } end
redis.call('HSET', breaker, 'probe', string.format('%.0f', now + probe_ms))
return { 'probe', '0' }
