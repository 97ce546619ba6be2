--[[ breaker-tell: notes what an endpoint has answered; opens, closes or ends its breaker
KEYS[1] breaker:{<channel>:<endpoint>}  hash
ARGV[1] answer: ok, failed; left-alone, who asks to be asked again later and has not failed
ARGV[2] what it said, in short
ARGV[3] left-alone: for how long, ms; else 0
ARGV[4] 1 when this was the probe, else 0
ARGV[5] failures in a row that open it
ARGV[6] tries in a minute of which half must have failed to open it
ARGV[7] how long it is left alone for the first time, ms; each failed probe doubles that
ARGV[8] how long at most, ms
ARGV[9] nothing but failures for so long switches it off, ms
ARGV[10] how long it is kept since it was last called, ms
ARGV[11] how long one that fails is, ms
ARGV[12] where it is, for whoever looks at all that are open; empty where nobody does
Returns: a word and a time: closed, open, off, or off-now for the one that switches it off; since when it is open, Unix ms (closed: empty)
Errors: none
Replay: a failure counts twice, which is the safe side; off-now is said once

What failed while the breaker was open already, and was no probe, opens it no further: it was on its way before.
]]
--#include clock
--#include breaker-clock
local breaker, answer, said = KEYS[1], ARGV[1], ARGV[2]
local pause_ms, is_probe = tonumber(ARGV[3]), ARGV[4] == '1'
local max_in_a_row, min_tries = tonumber(ARGV[5]), tonumber(ARGV[6])
local first_ms, longest_ms, off_after_ms = tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
local kept_ms, kept_failing_ms, host = ARGV[10], ARGV[11], ARGV[12]
local now = now_ms()
local function text(ms) return string.format('%.0f', ms) end
local function keep(is_failing) redis.call('PEXPIRE', breaker, is_failing and kept_failing_ms or kept_ms) end

heed_breaker_clock(breaker, now)
local known = redis.call('HMGET', breaker, 'off', 'until', 'step', 'row', 'minute', 'tries', 'failures', 'since', 'opened')
local until_ms, step, row = tonumber(known[2]) or 0, tonumber(known[3]), tonumber(known[4]) or 0
local minute = text(math.floor(now / 60000))
local is_same = known[5] == minute
local tries, failures = is_same and tonumber(known[6]) or 0, is_same and tonumber(known[7]) or 0
redis.call('HSET', breaker, 'said', said, 'at', text(now))
if host ~= '' then redis.call('HSET', breaker, 'host', host) end
local opened = (known[1] or step or until_ms > now) and known[9] or text(now)
local function open(word)
  redis.call('HSET', breaker, 'opened', opened)
  return { word, opened }
end
if known[1] then return open('off') end

if answer == 'ok' then
  redis.call('HDEL', breaker, 'until', 'step', 'probe', 'row', 'since', 'opened')
  redis.call('HSET', breaker, 'minute', minute, 'tries', tries + 1, 'failures', failures)
  keep(false)
  return { 'closed', '' }
end
if answer == 'left-alone' then
  redis.call('HSET', breaker, 'until', text(math.max(until_ms, now + pause_ms)))
  redis.call('HDEL', breaker, 'probe')
  keep(known[8])
  return open('open')
end

local since = tonumber(known[8]) or now
row, tries, failures = row + 1, tries + 1, failures + 1
redis.call('HSET', breaker, 'since', text(since), 'row', row, 'minute', minute, 'tries', tries, 'failures', failures)
keep(true)
if now - since >= off_after_ms then
  redis.call('HSET', breaker, 'off', text(now))
  redis.call('PERSIST', breaker)
  return open('off-now')
end
if step and not is_probe then return open('open') end
local opens = step or row >= max_in_a_row or (tries >= min_tries and failures * 2 >= tries)
if not opens then return { 'closed', '' } end
step = step and math.min(step * 2, longest_ms) or first_ms
redis.call('HSET', breaker, 'step', text(step), 'until', text(math.max(until_ms, now + step)))
redis.call('HDEL', breaker, 'probe')
return open('open')
