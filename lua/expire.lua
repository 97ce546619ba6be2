--[[ expire: of a message that was cancelled or has expired, settles those of one leg whom no process has marked, courier or none
KEYS[1] history:{tag}:<m>  hash
KEYS[2] due:{tag}          zset
ARGV[1] <m>, <sender>:<id>
ARGV[2] tag of the shard
ARGV[3] leg
ARGV[4] first ordinal
ARGV[5] ordinal after the last
Computed: receipts:{tag}:<m>:<leg> string; delivery, pieces:{tag}:<m>:<wave>, secret:{tag}:<m> string; work:{tag}:<channel>:<class> stream; waiting:{tag}, stats:{tag}:<hour> hash; retention, expiry:{tag} zset; watched, dirty:{tag} zset
Returns: 1 when nothing is left to do on this leg, else 0
Errors: none
Replay: whoever was settled stays so

Whoever is attempting is left to the process that marked them, or to its successor. With the last one the leg settles; its entries
are then taken off the streams by whoever reads them, or by purge. So whom the message carries goes by itself from now on.
]]
--#include clock
--#include keys
--#include dirty
--#include change
--#include waiting
--#include stats
--#include receipts
--#include times
--#include told
--#include pending
--#include waves
--#include settle
--#include stopped
--#include due
--#include wave-for
--#include release-carried
local history, due = KEYS[1], KEYS[2]
local message, tag, leg, first, after = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local now = now_ms()

local fields = redis.call('HMGET', history, 'state', 'cancelled', 'expires', 'due', 'started', 'size', 'type', leg .. ':settled', 'recalled', 'class', leg .. ':carries')
if fields[1] ~= 'running' or fields[8] then return 1 end
local expires = tonumber(fields[3]) or tonumber(fields[4]) + 86400000
local state = is_stopped(fields[2], fields[9], leg) and 'x' or now >= expires and 'e' or nil
if not state then return 1 end
local size, time = tonumber(fields[6]), time_bytes(fields[5], now)

local moves = no_moves()
local settled = settle_pending(receipts_key(tag, message, leg), size, first, after, state, time)
count(moves, '\0', state, settled)
if settled > 0 and fields[11] then release_carried(history, tag, leg, work_key(tag, leg, fields[10]), now) end
local changed = move_counters(history, type_of(fields[7]), leg, moves)
local is_over = told_people(history, leg) == size
if is_over then
  for _, number in ipairs(waiting_waves(history)) do
    if read_wave(redis.call('HGET', history, 'wave:' .. number)).leg == leg then
      redis.call('ZREM', due, message .. ':' .. number)
      redis.call('UNLINK', delivery_key(tag, message, number))
      forget_wave(history, tag, message, number)
    end
  end
  if settle_leg(history, tag, message, leg, now) then
    redis.call('ZADD', retention_key(tag), now, message)
    redis.call('ZREM', expiry_key(tag), message)
  end
end
write_waiting(tag)
write_stats(tag, now)
announce_head(due, tag)
if changed or is_over then announce(tag, message) end
return is_over and 1 or 0
