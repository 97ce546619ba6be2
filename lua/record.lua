--[[ record: writes what is known of recipients, by the owner of the claims; also the mark before sending
KEYS[1] work:{tag}:<channel>:<class>  stream
ARGV[1] channel, the group
ARGV[2] consumer
ARGV[3] tag of the shard
ARGV[4..] one of each claim, as read_claim() below has it
Computed: history:{tag}:<m> hash; receipts, reasons:{tag}:<m>:<leg> string; evidence, tried:{tag}:<m>:<leg> hash; secret, steps, confirmed, in-time:{tag}:<m> string; delivery, pieces:{tag}:<m>:<wave> string; retention, expiry, due:{tag} zset; waiting:{tag}, stats:{tag}:<hour> hash; watched, dirty:{tag} zset
Returns: for each claim the bytes as they are now, v where an attempt with an older text was asked for, or a refusal goes by one; nil where it has gone to another or its message was purged and nothing was written
Errors: none
Replay: a state follows itself as nothing; of a finished claim the second run says nil and has changed nothing

Of the state bytes = leaves one, a asks to attempt it, ? whether it is still wanted, NUL gives it back; an attempt was
granted where a (or b) is returned. On a cancelled or expired message it is not: it becomes x or e, or u where an earlier attempt
is unresolved, or f where its endpoint has not taken it in any try. So does whoever ? asks for; while the message is wanted ? changes nothing. Who has the message by a leg that the
claim's condition names, or has confirmed it, is not attempted either: x. Nor is whose attempt would exceed the ceiling of the message: p. Nor is who was erased: n, or u after an earlier attempt. Of whoever is sent to again, w, an attempt is granted as b; NUL gives back w, and
what would end it otherwise than by s, d, r or c leaves it unknown. Reason and evidence are kept where the state was taken, evidence also where a
report was faster than the answer. An attempt with an older text than the message has by now is not granted, nor is anybody refused for what an older one said, and nothing is written of either.
Who is given back has nothing to be corrected; who is said to have nothing and was sent the older text by now is p: they are listed. A message that carries others is marked with
them or not at all: where one of them is not to be sent any more, or the text is that of other messages, the answer is v, and from then on each goes by itself. Who has several contacts on the channel is marked with
evidence that says which; who certainly did not get it by that one and has another is pending again, and answered so. What an entry says of somebody whose try by it is over, or at whom
another entry is, is not taken, and a mark is answered x. Reasons are the bytes of packages/api-types/src/reasons.ts.
]]
--#include clock
--#include keys
--#include dirty
--#include change
--#include generation
--#include lease
--#include waiting
--#include stats
--#include receipts
--#include times
--#include told
--#include corrections
--#include settle
--#include expiry
--#include due
--#include waves
--#include again
--#include padded
--#include in-time
--#include wave-for
--#include steps
--#include begin-steps
--#include spare
--#include evidence
--#include stopped
--#include release-carried
--#include carried
--#include next-contact
local stream, channel, consumer, tag = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
local now = now_ms()
-- once: Redis turns every number it is given into text as if it were a fraction
local now_text = string.format('%.0f', now)
local young_ms = 100
local no_answer = 'A'
local going_on, finished, settled, over, moved = {}, {}, {}, {}, {}

-- What only this one needs has no name outside: a script has room for two hundred.
local follow
do
  local over_ceiling = 'b'

  -- The end of the run of equal bytes that begins at `from`. Neighbours mostly fare alike: what holds for one is decided once.
  local function run_end(bytes, from)
    local byte = string.sub(bytes, from, from)
    return (string.find(bytes, byte == '\0' and '[^%z]' or '[^' .. byte .. ']', from + 1) or #bytes + 1) - 1
  end

  -- What becomes of whoever is not to be attempted any more, and why.
  local function refuse(old, state, reason)
    if old == 'a' then return 'u', no_answer end
    return state, reason
  end

  -- What becomes of whoever is sent to again, and why; an empty reason leaves what stands. Whatever this attempt leads to, nobody knows
  -- of the first: they are never said to have failed, to have expired or not to have been sent to.
  local again = { a = 'b', ['\0'] = 'w', f = 'u', n = 'u', p = 'u', x = 'u', e = 'u' }
  local function follow_again(old, new)
    local state = again[new] or new
    if state == 's' then return state, sent_again end
    if state == 'u' then return state, old == 'b' and still_unknown or '' end
    return state, nil
  end

  -- Counts a run that moves together, by the reasons it is given: `own`, or those of `reasons` at its places.
  local function count_run(moves, old, new, at, to, own, reasons)
    if own or reasons == '' then return count(moves, old, new, to - at + 1, own) end
    if at == to then return count(moves, old, new, 1, string.sub(reasons, at, at)) end
    while at <= to do -- bounded: a run has at least one byte
      local last = math.min(run_end(reasons, at), to)
      count(moves, old, new, last - at + 1, string.sub(reasons, at, at))
      at = last + 1
    end
  end

  -- What the receipts are to be; notes in `taken` (with its state, and a reason of its own if there is one) and `outrun` the first and
  -- last place of each run whose evidence is kept.
  function follow(before, wanted, reasons, stop, moves, taken, outrun)
    local after, at, old_end, new_end = {}, 1, 0, 0
    while at <= #wanted do -- bounded: a run has at least one byte
      if old_end < at then old_end = run_end(before, at) end
      if new_end < at then new_end = run_end(wanted, at) end
      local to = math.min(old_end, new_end)
      local old, new, reason = string.sub(before, at, at), string.sub(wanted, at, at), nil
      if stop and (new == 'a' or new == '?') then
        new, reason = refuse(old, stop.state, stop.reason)
      elseif new == 'z' then
        new, reason = refuse(old, 'x', reached_elsewhere)
      elseif new == 'o' then
        new, reason = 'p', over_ceiling
      end
      if old == 'w' or old == 'b' then new, reason = follow_again(old, new) end
      if new ~= '=' and new ~= '?' and new ~= old and may_follow(old, new) then
        count_run(moves, old, new, at, to, reason, reasons)
        taken[#taken + 1] = { at, to, new, reason }
        taken.has_reasons = taken.has_reasons or reason
        old = new
      elseif new == 's' and (old == 'd' or old == 'r' or old == 'c') then
        -- the report's state stands; the answer still brings the provider's id
        outrun[#outrun + 1] = { at, to }
      end
      after[#after + 1] = string.rep(old, to - at + 1)
      at = to + 1
    end
    return table.concat(after)
  end
end

local open_receipts
do
  -- Neighbours in one step: all came to their state now, whichever it is.
  local function keep_times(key, size, first, taken, time)
    local from, to = 1, 0
    local function keep()
      if to >= from then keep_time(key, size, first + from - 1, to - from + 1, time) end
    end
    for _, run in ipairs(taken) do
      if has_come(run[3]) then
        if run[1] ~= to + 1 then
          keep()
          from = run[1]
        end
        to = run[2]
      end
    end
    keep()
  end

  -- The receipts of a range, and what writes them with the times of those `taken`. Of a message for one person both are read and written whole.
  function open_receipts(key, size, first, people)
    if size == 1 then
      local state, since = string.match(redis.call('GET', key) or '\0\0\0\0\0', '^(.)(.*)$')
      return state, function(after, _, time) redis.call('SET', key, after .. (has_come(after) and time or since)) end
    end
    local before = redis.call('GETRANGE', key, first, first + people - 1)
    if #before < people then
      make_room(key, size)
      before = before .. string.rep('\0', people - #before)
    end
    return before, function(after, taken, time)
      redis.call('SETRANGE', key, first, after)
      keep_times(key, size, first, taken, time)
    end
  end
end

local function keep_reasons(key, first, reasons, taken)
  for _, run in ipairs(taken) do
    local text = run[4] and string.rep(run[4], run[2] - run[1] + 1) or string.sub(reasons, run[1], run[2])
    if string.find(text, '[^%z]') then redis.call('SETRANGE', key, first + run[1] - 1, text) end
  end
end

-- Of somebody who was erased nothing is kept but the bytes.
local function is_erased(erased, ordinal)
  return erased and string.find(erased, ',' .. ordinal .. ',', 1, true)
end

-- `wanted`, without whoever was erased since their claim began: nobody is attempted there.
local function leave_erased(wanted, before, first, erased)
  return (string.gsub(wanted, '()([a?])', function(place)
    if not is_erased(erased, first + place - 1) then return nil end
    return string.sub(before, place, place) == '\0' and 'n' or 'u'
  end))
end

-- `wanted`, without what is not said of the contact that a receipt is about, and the places of marks among that.
local function leave_to_others(wanted, key, entry, before, first)
  local ordinals, refused = {}, {}
  for place in string.gmatch(wanted, '()[^=]') do ordinals[#ordinals + 1] = first + place - 1 end
  local tries = read_tries(key, ordinals)
  wanted = string.gsub(wanted, '()([^=])', function(place, byte)
    local own = tries[first + place - 1]
    if not own or not is_of_another(own, stream, entry, string.sub(before, place, place)) then return nil end
    refused[place] = byte == 'a' or nil
    return '='
  end)
  return wanted, refused
end

-- Whoever was attempted and has failed, and has another contact: pending again. Says what the receipts are then, and whether anybody is.
local function begin_next_of(history, message, leg, first, before, after, taken)
  local begun = false
  for _, run in ipairs(taken) do
    for place = run[1], run[3] == 'f' and run[2] or 0 do
      if string.sub(before, place, place) == 'a' and begin_next(history, tag, message, leg, first + place - 1, now) then
        after = string.sub(after, 1, place - 1) .. '\0' .. string.sub(after, place + 1)
        begun = true
      end
    end
  end
  return after, begun
end

-- By which contact each was marked, of those who have several. Gives the lines that are left.
local function note_tries(history, message, leg, first, text, taken, entry)
  if string.sub(text, 1, 1) ~= '+' and not string.find(text, '\n+', 1, true) then return text end
  local lines = {}
  for line in string.gmatch(text .. '\n', '([^\n]*)\n') do lines[#lines + 1] = line end
  for _, run in ipairs(taken) do
    for place = run[1], string.find(run[3], '[ab]') and run[2] or 0 do
      if string.sub(lines[place], 1, 1) == '+' then note_try(history, tried_key(tag, message, leg), leg, first + place - 1, lines[place], entry) end
    end
  end
  for place, line in ipairs(lines) do lines[place] = string.sub(line, 1, 1) == '+' and '' or line end
  return table.concat(lines, '\n')
end

local function keep_lines(key, first, text, taken, outrun, erased)
  local lines = {}
  for line in string.gmatch(text .. '\n', '([^\n]*)\n') do lines[#lines + 1] = line end
  -- many fields a call: a call each would be most of this script's time for a batch of thousands
  local known, ordinals = {}, {}
  local function keep()
    if #known > 0 then redis.call('HSET', key, unpack(known)) end
    drop_ids(key, ordinals)
    known, ordinals = {}, {}
  end
  for _, run in ipairs(taken) do
    for place = run[1], run[2] do
      if (lines[place] or '') ~= '' and not is_erased(erased, first + place - 1) then
        ordinals[#ordinals + 1] = first + place - 1
        known[#known + 1] = first + place - 1
        known[#known + 1] = lines[place]
        if #known == 1000 then keep() end
      end
    end
  end
  keep()
  for _, run in ipairs(outrun) do
    for place = run[1], run[2] do
      local ordinal = first + place - 1
      if (lines[place] or '') ~= '' and not is_erased(erased, ordinal) and not evidence_of(key, ordinal) then put_evidence(key, ordinal, lines[place]) end
    end
  end
end

local keep_ids
do
  -- Of whoever was erased nothing.
  local function without_erased(ids, from, erased)
    if not erased then return ids end
    local left = {}
    for at = 0, #ids / id_bytes - 1 do
      left[#left + 1] = is_erased(erased, from + at) and no_id or string.sub(ids, at * id_bytes + 1, (at + 1) * id_bytes)
    end
    return table.concat(left)
  end

  function keep_ids(key, first, ids, size, taken, outrun, erased)
    local wanted, at = {}, 1
    for _, run in ipairs(taken) do
      wanted[#wanted + 1] = string.rep(no_id, run[1] - at)
      local own = string.sub(ids, (run[1] - 1) * id_bytes + 1, run[2] * id_bytes)
      wanted[#wanted + 1] = without_erased(own, first + run[1] - 1, erased)
      at = run[2] + 1
    end
    put_ids(key, first, table.concat(wanted), size)
    for _, run in ipairs(outrun) do
      for place = run[1], run[2] do
        local ordinal = first + place - 1
        local id = string.sub(ids, (place - 1) * id_bytes + 1, place * id_bytes)
        if not is_erased(erased, ordinal) and not evidence_of(key, ordinal) then put_ids(key, ordinal, id, size) end
      end
    end
  end
end

local function note_over(message)
  settled[#settled + 1] = now_text
  settled[#settled + 1] = message
  over[#over + 1] = message
end

-- A lease that has hardly begun is as good as a new one.
local function note_going_on(entry, idle_ms)
  if idle_ms > young_ms then going_on[#going_on + 1] = entry end
end

-- One piece less; the last piece settles the leg, and the last leg the history. Says whether any of that happened.
local function finish(history, message, leg, known)
  if redis.call('HINCRBY', history, leg .. ':open', '-1') > 0 then return false end
  if is_of_later_step(known.steps, leg) and told_people(history, leg) < known.size then return false end
  if settle_leg(history, tag, message, leg, now) then note_over(message) end
  return true
end

-- What is known of the message, and what is said of those who are not to be attempted any more, if that is so; nil when it is gone.
local function read_message(history, leg, wanted, expired_reason)
  local fields = redis.call('HMGET', history, 'state', 'cancelled', 'expires', 'due', 'started', 'size', 'type', 'erased', 'steps', 'confirm', 'version', 'deadline', 'recalled', 'ceiling', 'spent', leg .. ':carries', leg .. ':tried')
  if not fields[1] then return nil end
  local message = { started = fields[5], size = tonumber(fields[6]), type = type_of(fields[7]), erased = fields[8], steps = fields[9], asks = fields[10], version = tonumber(fields[11]) or 1, due = fields[4], deadline = fields[12], ceiling = tonumber(fields[14]), spent = tonumber(fields[15]) or 0, carries = fields[16], tried = fields[17] }
  if not string.find(wanted, '[a?]') then return message end
  local expires = tonumber(fields[3]) or (tonumber(fields[4]) or now) + 86400000
  if is_stopped(fields[2], fields[13], leg) then
    message.stop = { state = 'x' }
  elseif now >= expires then
    local not_taken = 'W'
    message.stop = { state = expired_reason == not_taken and 'f' or 'e', reason = expired_reason ~= '' and expired_reason or nil }
  end
  return message
end

local is_parted
do
  -- Whether a message that another carries may still be marked, and what is sent of it: its name and the number of its text.
  local function read_carried(other, leg)
    local fields = redis.call('HMGET', history_key(tag, other), 'state', 'cancelled', 'expires', 'due', 'erased', 'version')
    local is_over = fields[1] ~= 'running' or fields[2] or fields[5] or now >= (tonumber(fields[3]) or tonumber(fields[4]) + 86400000)
    return not is_over and byte_at(receipts_key(tag, other, leg), 0) == '\0', other .. '=' .. (fields[6] or 1)
  end

  -- Whether a mark has the text of other messages than are to go as one by now. Before the first mark, those who are not wanted any more part them all.
  function is_parted(history, leg, known, before, texts)
    if not known.carries then return texts ~= '' end
    local now_texts = {}
    for other in string.gmatch(known.carries, '%S+') do
      local is_wanted, text = read_carried(other, leg)
      if before == '\0' and not is_wanted then
        release_carried(history, tag, leg, stream, now)
        return true
      end
      now_texts[#now_texts + 1] = text
    end
    return table.concat(now_texts, ' ') ~= texts
  end
end

-- What the receipt of a message has come to, those it carries come to with it. One that ends unmarked carries nobody.
local function tell_carried(history, message, leg, known, old, taken, reasons, has_begun)
  local run = taken[1]
  if not run then return end
  local new, why = run[3], run[4] or reasons ~= '' and string.sub(reasons, run[1], run[1]) or '\0'
  -- one contact did not get it, and there is another: they are pending again, too, and each goes by itself
  if has_begun then new, why = '\0', '\0' end
  if old == '\0' and new ~= 'a' then return release_carried(history, tag, leg, stream, now) end
  for other in string.gmatch(known.carries, '%S+') do
    local theirs = byte_at(receipts_key(tag, other, leg), 0)
    if theirs ~= new and may_follow(theirs, new) then move_carried(tag, other, leg, theirs, new, why, now) end
    if has_begun then share_tries(tag, message, other, leg) end
  end
  if has_begun then release_carried(history, tag, leg, stream, now) end
end

-- `wanted`, with z for those to be attempted who have it by another leg, or have confirmed it by any.
local function apply_condition(wanted, message, first, unless, asks)
  local after = first + #wanted
  local function leave_out(theirs, states)
    wanted = string.gsub(wanted, '()([a?])', function(place, byte)
      return string.find(string.sub(theirs, place, place), states) and 'z' or byte
    end)
  end
  for leg, states in pairs(read_condition(unless)) do
    leave_out(read_padded(receipts_key(tag, message, leg), first, after), '[' .. states .. ']')
  end
  if asks then leave_out(read_padded(confirmed_key(tag, message), first, after), '[^%z]') end
  return wanted
end

-- `wanted`, with o for those whose attempt would cost more than is left of the ceiling. What an attempt costs is spent with its mark, in the
-- order of the ordinals, and given back with an answer that says that it certainly came to nothing: whoever knows less of that says no cost.
-- Of a message with steps it is kept by leg, too.
local function spend(wanted, history, leg, known, before, costs)
  if costs == '' or not (known.ceiling or known.steps) then return wanted end
  local own, more = {}, 0
  for cost in string.gmatch(costs .. ',', '(%d*),') do own[#own + 1] = tonumber(cost) or 0 end
  wanted = string.gsub(wanted, '()([a%zf])', function(place, byte)
    local old = string.sub(before, place, place)
    local is_marked = old == 'a' or old == 'b'
    if byte ~= 'a' then
      if is_marked then more = more - own[place] end
    elseif not known.stop and (old == '\0' or old == 'w') then
      if known.ceiling and known.spent + more + own[place] > known.ceiling then return 'o' end
      more = more + own[place]
    end
    return nil
  end)
  if more == 0 then return wanted end
  if known.ceiling then redis.call('HSET', history, 'spent', string.format('%.0f', known.spent + more)) end
  if known.steps then redis.call('HINCRBY', history, leg .. ':spent', string.format('%.0f', more)) end
  return wanted
end

-- What a message with steps does next: whoever was reached now is spared the later ones, and who is done with theirs comes to the next.
local function go_on(history, message, known, first, after, taken, done)
  local is_reached = false
  for _, run in ipairs(taken) do is_reached = is_reached or string.find('sdrc', run[3], 1, true) end
  if not is_reached and not done then return false end
  local steps = stepped(known.steps, history, due_key(tag), tag, message, now)
  if not steps then return false end
  local changed = is_reached and spare_reached(steps, first, after)
  return done and begin_steps(steps, first, after) or changed
end

-- Of what was taken, those whom a provider has taken.
local function note_told_of(deadline, leg, first, taken)
  if not deadline then return end
  for _, run in ipairs(taken) do
    if string.find('sdrc', run[3], 1, true) then note_told(deadline, leg, first + run[1] - 1, run[2] - run[1] + 1) end
  end
end

-- Of what was taken, those who were given back.
local function given_back(taken)
  local runs = {}
  for _, run in ipairs(taken) do
    if run[3] == '\0' then runs[#runs + 1] = run end
  end
  return runs
end

-- `wanted` of whoever has decided by an older text, with v for those to be attempted with it, and those refused for what it said or costs.
local function leave_outdated(wanted, reasons)
  -- duplicate, missing-field, over-day-budget, over-month-budget
  local by_text = '[dmSM]'
  return (string.gsub(wanted, '()([apf])', function(place, byte)
    return (byte == 'a' or string.find(string.sub(reasons, place, place), by_text)) and 'v' or nil
  end))
end

-- `after`, with v for whoever was to be attempted with an older text, or was refused for it.
local function tell_outdated(after, wanted)
  return (string.gsub(after, '()(.)', function(place, byte) return string.sub(wanted, place, place) == 'v' and 'v' or byte end))
end

-- The claim of a message is that of those it carries, too. Who of them is still unmarked gets an entry instead.
local function finish_carried(history, leg)
  for other in string.gmatch(redis.call('HGET', history, leg .. ':carries') or '', '%S+') do
    local theirs = byte_at(receipts_key(tag, other, leg), 0)
    if theirs == '\0' then return release_carried(history, tag, leg, stream, now) end
    if theirs == 'a' then move_carried(tag, other, leg, 'a', 'u', no_answer, now) end
    if finish(history_key(tag, other), other, leg, { size = 1, steps = false }) then announce(tag, other) end
  end
end

-- A claim as couriers give it, one argument, for each more is dear on its way: a line, between blanks, - for what is empty, and behind it
-- the states, reasons and ids, whose lengths the line says, and the evidence. Gives what record() takes.
-- entry           id
-- deliveries
-- message         <m>, <sender>:<id>
-- leg
-- first           ordinal
-- version         of the text that is sent to whoever is attempted
-- done            1 when the claim is finished, else 0
-- unless          condition
-- expired_reason  byte of why whoever has expired waited
-- costs           what each attempt is to cost, or gives back, between commas, empty for nothing: in the unit of the ceiling, else in parts of SMS
-- people          one state byte an ordinal
-- reasons         how many: one byte an ordinal, NUL for none; or 0
-- ids             how many bytes: provider's ids that are numbers, five bytes an ordinal as lib/evidence.lua has them; or 0
-- texts           of the other messages that go with it, each with the number of its text; blanks between them, or nothing
-- Evidence is one line an ordinal, or nothing.
local function read_claim(text)
  local entry, message, leg, first, version, done, unless, expired_reason, costs, people, reasons, ids, texts, from =
    string.match(text, '^(%S+) %d+ (%S+) (%S+) (%d+) (%d+) (%d) (%S+) (%S+) (%S+) (%d+) (%d+) (%d+) ([^\n]*)\n()')
  local behind_states = from + people
  local behind_reasons = behind_states + reasons
  local behind_ids = behind_reasons + ids
  local function given(field) return field ~= '-' and field or '' end
  return entry, message, leg, first, version, done == '1', given(unless), given(expired_reason), given(costs), texts,
    string.sub(text, from, behind_states - 1),
    string.sub(text, behind_states, behind_reasons - 1),
    string.sub(text, behind_reasons, behind_ids - 1),
    string.sub(text, behind_ids)
end

local function record(idle_ms, entry, message, leg, first, version, done, unless, expired_reason, costs, texts, wanted, reasons, ids, evidence)
  local history = history_key(tag, message)
  local known = read_message(history, leg, wanted, expired_reason)
  if not known then
    finished[#finished + 1] = entry
    return false
  end
  local stop, size = known.stop, known.size
  if unless ~= '' and not stop then wanted = apply_condition(wanted, message, first, unless, known.asks) end
  local receipts = receipts_key(tag, message, leg)
  local before, write_receipts = open_receipts(receipts, size, first, #wanted)
  local is_outdated = not stop and known.version > tonumber(version)
  if not stop and (known.carries or texts ~= '') and wanted == 'a' and is_parted(history, leg, known, before, texts) then
    -- what was marked is sent again as it was, or not at all
    if before == 'a' then stop = { state = 'u', reason = no_answer } else is_outdated = true end
  end
  if is_outdated then wanted = leave_outdated(wanted, reasons) end
  local is_correction = string.find(leg, '~', 1, true)
  if is_correction and reasons ~= '' then wanted, reasons = list_after_all(wanted, reasons, tag, message, leg, first) end
  if known.erased then wanted = leave_erased(wanted, before, first, known.erased) end
  local refused = {}
  if known.tried then wanted, refused = leave_to_others(wanted, tried_key(tag, message, leg), entry, before, tonumber(first)) end
  wanted = spend(wanted, history, leg, known, before, costs)
  local moves, taken, outrun = no_moves(), {}, {}
  local after = follow(before, wanted, reasons, stop, moves, taken, outrun)
  if after ~= before then write_receipts(after, taken, time_bytes(known.started, now)) end
  note_told_of(deadline_of(history, tag, message, known.type, known, now), leg, first, taken)
  if reasons ~= '' or taken.has_reasons then keep_reasons(reasons_key(tag, message, leg), first, reasons, taken) end
  if evidence ~= '' then evidence = note_tries(history, message, leg, tonumber(first), evidence, taken, entry) end
  if evidence ~= '' then keep_lines(evidence_key(tag, message, leg), first, evidence, taken, outrun, known.erased) end
  if ids ~= '' then keep_ids(evidence_key(tag, message, leg), first, ids, size, taken, outrun, known.erased) end
  local changed = move_counters(history, known.type, leg, moves)
  local has_begun = false
  if known.tried then after, has_begun = begin_next_of(history, message, leg, tonumber(first), before, after, taken) end
  if known.carries then tell_carried(history, message, leg, known, before, taken, reasons, has_begun) end
  if known.version > 1 and not is_correction then release_corrected(history, tag, message, leg, known.version, first, given_back(taken)) end
  if known.steps and not is_correction then changed = go_on(history, message, known, tonumber(first), first + #wanted, taken, done) or changed end
  if not done then
    note_going_on(entry, idle_ms)
  else
    finished[#finished + 1] = entry
    if known.carries then finish_carried(history, leg) end
    changed = finish(history, message, leg, known) or changed
  end
  if changed then moved[#moved + 1] = message end
  if next(refused) then after = string.gsub(after, '()(.)', function(place) return refused[place] and 'x' or nil end) end
  return is_outdated and tell_outdated(after, wanted) or after
end

-- A message for one person of which nothing is known that another part of the script would have to look at: nearly all of a burst. What is said of such is
-- written with as few commands as there are, the receipts of all by one; of anybody else, record() says it.
local read_alone, record_alone
do
  -- what is asked of the history of each, made once; the first seven say whether it is of one person, and has nothing that such a message has not
  local asked = {
    mark = { 'size', 'erased', 'steps', 'version', 'ceiling', channel .. ':carries', channel .. ':tried', 'due', 'expires', 'cancelled' },
    answer = { 'size', 'erased', 'steps', 'version', 'ceiling', channel .. ':carries', channel .. ':tried', 'started', 'type', 'deadline', channel .. ':open', channel .. ':settled', 'expected', 'secret' },
  }
  local times = {}

  -- Of a claim as read_claim() has it, what it says where it is of one person: a mark, an answer, or the end; of any other, entry and deliveries.
  function read_alone(text)
    local entry, deliveries, message, leg, done, reasons, ids, wanted, from =
      string.match(text, '^(%S+) (%d+) (%S+) (%S+) 0 1 ([01]) %- %S+ %S+ 1 ([01]) ([05]) \n(.)()')
    local is_alone, line = leg == channel and wanted ~= '\0', nil
    if is_alone then
      local behind_reasons = reasons == '1' and from + 1 or from
      local behind_ids = ids == '5' and behind_reasons + 5 or behind_reasons
      line = string.sub(text, behind_ids)
      if wanted == 'a' or wanted == '=' then is_alone = #text < from and (done == '0') == (wanted == 'a') end
      reasons, ids = string.sub(text, from, behind_reasons - 1), string.sub(text, behind_reasons, behind_ids - 1)
    end
    if not is_alone or string.sub(line, 1, 1) == '+' then
      entry, deliveries = string.match(text, '^(%S+) (%d+)')
      return { entry = entry, deliveries = tonumber(deliveries), is_own = false, idle_ms = false }
    end
    -- with room for what is known of it later
    return { entry = entry, deliveries = tonumber(deliveries), is_own = false, idle_ms = false, message = message, wanted = wanted, done = done == '1', line = line, reason = reasons, ids = ids }
  end

  local function read_history(history, names)
    local fields = redis.call('HMGET', history, unpack(names))
    if fields[1] ~= '1' or fields[2] or fields[3] or fields[4] or fields[5] or fields[6] or fields[7] then return nil end
    return fields
  end

  -- What the receipt comes to, = for nothing, and the end of a claim that is done. Counters are written, not added to: one person is counted once, as their
  -- receipt says. Gives when they came to it; nil where more than this is open, and nothing is written. Only what was corrected has more legs than its channels.
  local function settle(claim, history, old, moves_of)
    local message, new, changes, is_over = claim.message, claim.wanted, {}, false
    local fields = read_history(history, asked.answer)
    if not fields or fields[11] ~= '1' then return nil end
    if claim.done then
      changes, is_over = settling(history, tag, message, channel, now_text, fields[12], fields[13], fields[14], nil)
      changes[#changes + 1] = channel .. ':open'
      changes[#changes + 1] = '0'
    end
    if new ~= '=' then
      local type_id = type_of(fields[9])
      if claim.reason ~= '' and claim.reason ~= '\0' then redis.call('SETRANGE', reasons_key(tag, message, channel), '0', claim.reason) end
      if claim.line ~= '' then put_evidence(evidence_key(tag, message, channel), '0', claim.line) end
      if claim.ids ~= '' and claim.ids ~= no_id then redis.call('HSET', evidence_key(tag, message, channel), ids_field(0), claim.ids) end
      if fields[10] and string.find('sdrc', new, 1, true) then
        local due = redis.call('HGET', history, 'due')
        note_told(deadline_of(history, tag, message, type_id, { due = due, deadline = fields[10] }, now), channel, 0, 1)
      end
      local moves = moves_of[type_id]
      if not moves then
        moves = no_moves()
        moves_of[type_id] = moves
      end
      count(moves, old, new, 1, claim.reason)
      changes[#changes + 1] = channel .. ':' .. new
      changes[#changes + 1] = '1'
    end
    redis.call('HSET', history, unpack(changes))
    if is_over then note_over(message) end
    moved[#moved + 1] = message
    -- those who were woken together have started together
    times[fields[8]] = times[fields[8]] or time_bytes(fields[8], now)
    return times[fields[8]]
  end

  -- Gives the byte as it is now, and the receipt to write where it is another; nil where this is for record() to say.
  local function record_one(claim, receipt, moves_of)
    local old, new = string.sub(receipt, 1, 1), claim.wanted
    local is_open = old == '\0' or old == 'a'
    if new ~= '=' and not (is_open and (new == old or may_follow(old, new))) then return nil end
    local history = history_key(tag, claim.message)
    local time
    if new == 'a' then
      local fields = read_history(history, asked.mark)
      if not fields or fields[10] or now >= (tonumber(fields[9]) or fields[8] + 86400000) then return nil end
    else
      time = settle(claim, history, old, moves_of)
      if not time then return nil end
    end
    if claim.done then finished[#finished + 1] = claim.entry else note_going_on(claim.entry, claim.idle_ms) end
    if new == '=' or new == old then return old, nil end
    return new, new .. (time or string.sub(receipt, 2))
  end

  -- Notes which claims are the process's own, and gives what is said of those alone, by their places. A receipt of which two speak is for record().
  function record_alone(claims, pending)
    local places, keys, spoken, results, written, moves_of = {}, {}, {}, {}, {}, {}
    for place, claim in ipairs(claims) do
      local own = pending[claim.entry]
      claim.is_own, claim.idle_ms = own ~= nil and own[4] == claim.deliveries, own and own[3]
      if claim.message and claim.is_own then
        local key = receipts_key(tag, claim.message, channel)
        places[#places + 1], keys[#keys + 1], spoken[key] = place, key, (spoken[key] or 0) + 1
      end
    end
    for at, receipt in ipairs(#keys > 0 and redis.call('MGET', unpack(keys)) or {}) do
      local after
      if spoken[keys[at]] == 1 then results[places[at]], after = record_one(claims[places[at]], receipt or '\0\0\0\0\0', moves_of) end
      if after then
        written[#written + 1] = keys[at]
        written[#written + 1] = after
      end
    end
    if #written > 0 then redis.call('MSET', unpack(written)) end
    for type_id, moves in pairs(moves_of) do tell_moves(type_id, channel, moves) end
    return results
  end
end

local claims, entries = {}, {}
for i = 4, #ARGV do
  claims[#claims + 1] = read_alone(ARGV[i])
  entries[#entries + 1] = claims[#claims].entry
end
local results = record_alone(claims, pending_of(stream, channel, consumer, entries))
for place, claim in ipairs(claims) do
  results[place] = results[place] or claim.is_own and record(claim.idle_ms, read_claim(ARGV[3 + place]))
end
if #going_on > 0 then renew(stream, channel, consumer, going_on) end
if #finished > 0 then
  redis.call('XACK', stream, channel, unpack(finished))
  redis.call('XDEL', stream, unpack(finished))
end
write_waiting(tag)
write_stats(tag, now)
announce_head(due_key(tag), tag)
announce_all(tag, moved)
if #settled > 0 then
  redis.call('ZADD', retention_key(tag), unpack(settled))
  redis.call('ZREM', expiry_key(tag), unpack(over))
end
return results
