--[[ report: updates receipts of one leg of a message by what its provider reports later; needs no claim
KEYS[1] history:{tag}:<m>         hash
KEYS[2] receipts:{tag}:<m>:<leg>  string
KEYS[3] reasons:{tag}:<m>:<leg>   string
KEYS[4] evidence:{tag}:<m>:<leg>  hash
ARGV[1] leg
ARGV[2] <m>, <sender>:<id>
ARGV[3] tag of the shard
ARGV[4..] of each: ordinal, and where they have several contacts a blank and the digest of the one that it is about; state byte; reason byte, NUL for none; evidence, empty leaves what is there but for the reason of what it replaces
Computed: tried:{tag}:<m>:<leg>, waiting:{tag}, stats:{tag}:<hour> hash; confirmed, in-time:{tag}:<m>, delivery, pieces:{tag}:<m>:<wave>, secret:{tag}:<m> string; due, retention, expiry:{tag} zset; watched, dirty:{tag} zset
Returns: how many states were taken; not those where a stronger one stands, none when the history is gone
Errors: none
Replay: a state follows itself as nothing

A refusal is what one attempt was told; that the provider has accepted another is proof of more. So whoever failed by a refusal
may still turn out to have it. What a report said failed (reason U) stays so. What a person said failed (reason N) yields to d, r and c:
that the provider took it says nothing of its arrival. Of whoever was sent to again no failure is the last word: it may be of the
other attempt. Whoever is reached by it is not sent the message by later steps of it any more. What is told of a message is told of those it carries.
Who did not get it by one contact and has another on the channel is sent it there. What is told later of one that was tried before stands beside the receipt; that they have it by that
one is what the receipt says from then on.
]]
--#include clock
--#include keys
--#include expiry
--#include due
--#include dirty
--#include change
--#include waiting
--#include stats
--#include receipts
--#include times
--#include told
--#include settle
--#include waves
--#include again
--#include padded
--#include in-time
--#include steps
--#include spare
--#include corrections
--#include evidence
--#include carried
--#include next-contact
--#include part-carried
local history, receipts, reasons, evidence = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local leg, message, tag = ARGV[1], ARGV[2], ARGV[3]
local undelivered = 'U'

-- What a report makes of a receipt, and why it is so then; nil where what stands is stronger.
local function follow(old, old_why, new, why)
  local is_twice = old == 'b' or old_why == sent_again or old_why == still_unknown
  if is_twice and new == 'f' then
    if old == 's' then return 'u', still_unknown end
    return nil
  end
  if may_follow(old, new) then return new, is_twice and new == 's' and sent_again or why end
  if old ~= 'f' or old_why == undelivered or not string.find('sdrc', new, 1, true) then return nil end
  if old_why == told_failed and new == 's' then return nil end
  return new, why
end

-- A report about a contact before the one that the receipt is about. That somebody has it by that one makes it the one: the receipt follows, and what it said of the
-- other stands beside it. Says what the receipt becomes, false where it stays; nil where the report is about the receipt.
local function tell_earlier(key, evidence, ordinal, digest, old, old_why, new, why, detail, now)
  if digest == '' then return nil end
  local tries = tries_of(key, ordinal)
  for place, each in ipairs(tries) do
    if each.digest == digest and each.state then
      local is_reached = string.find('sdrc', new, 1, true) ~= nil
      local may_be = may_follow(each.state, new) or (each.state == 'f' and each.why ~= 'U' and is_reached)
      if not may_be then return false end
      if is_reached and (old == '\0' or old == 'f' or may_follow(old, new)) then
        local last = tries[#tries]
        if not last.state then end_try(last, evidence, ordinal, old == 'a' and 'u' or old, old_why, now) end
        if last.state == '\0' then tries[#tries] = nil end
        table.remove(tries, place)
        each.state, each.why, each.at, each.said = nil, nil, nil, nil
        tries[#tries + 1] = each
        drop_evidence(evidence, ordinal)
        redis.call('HSET', key, ordinal, cjson.encode(tries))
        return new
      end
      each.state, each.why, each.at = new, why, now
      if detail ~= '' then each.said = detail end
      redis.call('HSET', key, ordinal, cjson.encode(tries))
      return false
    end
  end
  return nil
end

local known = redis.call('HMGET', history, 'size', 'started', 'type', 'erased', 'steps', 'version', 'due', 'deadline', leg .. ':carries', leg .. ':tried')
if not known[1] then return 0 end
local now = now_ms()
local size, time = tonumber(known[1]), time_bytes(known[2], now)
local moves, taken, reached = no_moves(), 0, {}
local is_correction, version = string.find(leg, '~', 1, true), tonumber(known[6])
local function tell_carried(new, why)
  for other in string.gmatch(known[9] or '', '%S+') do
    local old, old_why = byte_at(receipts_key(tag, other, leg), 0), byte_at(reasons_key(tag, other, leg), 0)
    local theirs, their_why = follow(old, old_why, new, why)
    if theirs then move_carried(tag, other, leg, old, theirs, their_why, now) end
  end
end
local failed, has_earlier = {}, false
for i = 4, #ARGV, 4 do
  local ordinal, digest = string.match(ARGV[i], '^(%d+) ?(%S*)$')
  local detail = ARGV[i + 3]
  -- of somebody who was erased nothing is kept but the bytes
  if known[4] and string.find(known[4], ',' .. ordinal .. ',', 1, true) then detail = '' end
  local old, old_why = byte_at(receipts, ordinal), byte_at(reasons, ordinal)
  local new, why = follow(old, old_why, ARGV[i + 1], ARGV[i + 2])
  local earlier = tell_earlier(tried_key(tag, message, leg), evidence, ordinal, digest, old, old_why, ARGV[i + 1], ARGV[i + 2], detail, now)
  if earlier ~= nil then new, why, has_earlier = earlier, '\0', true end
  -- of a correction: how it came to this person stays known
  if is_correction and why == '\0' then why = old_why end
  if new then
    taken = taken + 1
    tell_carried(ARGV[i + 1], ARGV[i + 2])
    if string.find('sdrc', new, 1, true) then reached[#reached + 1] = tonumber(ordinal) end
    if new == 'f' and known[10] then failed[#failed + 1] = ordinal end
    count(moves, old, new, 1, why)
    redis.call('SETRANGE', receipts, ordinal, new)
    keep_time(receipts, size, ordinal, 1, time)
    if why ~= old_why then redis.call('SETRANGE', reasons, ordinal, why) end
    if (old == 'f' or old == '\0') and version and not is_correction then keep_uncorrected(history, tag, message, leg, version, ordinal) end
    if detail ~= '' then
      put_evidence(evidence, ordinal, detail)
    elseif string.find('uwbf', old, 1, true) then
      drop_evidence(evidence, ordinal)
    end
  end
end
local deadline = deadline_of(history, tag, message, type_of(known[3]), { due = known[7], deadline = known[8] }, now)
for _, ordinal in ipairs(reached) do note_told(deadline, leg, ordinal, 1) end
local has_moved = move_counters(history, type_of(known[3]), leg, moves)
local steps = #reached > 0 and stepped(known[5], history, due_key(tag), tag, message, now)
if steps then
  for _, ordinal in ipairs(reached) do has_moved = spare_reached(steps, ordinal, ordinal + 1) or has_moved end
end
for _, ordinal in ipairs(failed) do
  if who_goes_on(history, tag, message, leg, ordinal, now) then
    part_carried(history, tag, message, leg, now, function(theirs, other)
      if begin_next(theirs, tag, other, leg, 0, now) then redis.call('HDEL', theirs, leg .. ':carried-by') end
    end)
    begin_next(history, tag, message, leg, ordinal, now)
  end
end
announce_head(due_key(tag), tag)
if has_moved or has_earlier then announce(tag, message) end
write_waiting(tag)
write_stats(tag, now)
return taken
