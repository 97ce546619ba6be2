-- The account of a correction, which is a leg: telegram~2; beside it telegram~2~told, of messages that tell of its edits. Needs receipts and stats, and write_stats() and write_waiting() at the end.
local nothing_to_correct = 'v'

-- Settles those of a leg's newest correction who turn out not to have been sent the old text: whoever is still open there. `runs` of first and
-- last place, counted from 1 at the ordinal `first`.
local function release_corrected(history, tag, message, leg, version, first, runs)
  local of = leg .. '~' .. version
  local receipts, reasons = receipts_key(tag, message, of), reasons_key(tag, message, of)
  if #runs == 0 or redis.call('EXISTS', receipts) == 0 then return end
  local moves = no_moves()
  for _, run in ipairs(runs) do
    for ordinal = first + run[1] - 1, first + run[2] - 1 do
      if byte_at(receipts, ordinal) == '\0' then
        redis.call('SETRANGE', receipts, ordinal, 'x')
        redis.call('SETRANGE', reasons, ordinal, nothing_to_correct)
        count(moves, '\0', 'x', 1, nothing_to_correct)
      end
    end
  end
  move_counters(history, 'general', of, moves)
end

-- The other way round: somebody of whom a refusal was known has been sent it after all, with an older text.
local function keep_uncorrected(history, tag, message, leg, version, ordinal)
  local of = leg .. '~' .. version
  local receipts, reasons = receipts_key(tag, message, of), reasons_key(tag, message, of)
  if byte_at(receipts, ordinal) ~= 'x' or byte_at(reasons, ordinal) ~= nothing_to_correct then return end
  redis.call('SETRANGE', receipts, ordinal, 'p')
  redis.call('SETRANGE', reasons, ordinal, '\0')
  local moves = no_moves()
  count(moves, 'x', 'p', 1)
  move_counters(history, 'general', of, moves)
end

-- `wanted` and `reasons`, with p for whoever is said to have nothing to correct and has been sent the old text by now: a report was faster. Of a leg that
-- tells of edits it says only that they were not edited.
local function list_after_all(wanted, reasons, tag, message, leg, first)
  if not string.find(leg, '~%d+$') or not string.find(wanted, 'x', 1, true) or not string.find(reasons, nothing_to_correct, 1, true) then return wanted, reasons end
  local whys = {}
  local bytes = redis.call('GETRANGE', receipts_key(tag, message, string.match(leg, '^[^~]+')), first, first + #wanted - 1)
  wanted = string.gsub(wanted, '()(.)', function(place, byte)
    local why = string.sub(reasons, place, place)
    local has_it = byte == 'x' and why == nothing_to_correct and string.find(string.sub(bytes, place, place), '[asdrcuwb]')
    whys[place] = has_it and '\0' or why
    return has_it and 'p' or nil
  end)
  return wanted, table.concat(whys)
end
