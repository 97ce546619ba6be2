-- The receipt of a message that another carries comes to a state with it. Needs receipts, times, stats, waiting and in-time, and write_stats() and write_waiting() at the end.
local function move_carried(tag, other, leg, old, new, why, now)
  local history, receipts = history_key(tag, other), receipts_key(tag, other, leg)
  local known = redis.call('HMGET', history, 'started', 'type', 'due', 'deadline')
  if redis.call('EXISTS', receipts) == 0 then make_room(receipts, 1) end
  redis.call('SETRANGE', receipts, 0, new)
  if not string.find('a\0', new, 1, true) then keep_time(receipts, 1, 0, 1, time_bytes(known[1], now)) end
  if why ~= '\0' then redis.call('SETRANGE', reasons_key(tag, other, leg), 0, why) end
  local moves = no_moves()
  count(moves, old, new, 1, why)
  if string.find('sdrc', new, 1, true) then
    note_told(deadline_of(history, tag, other, type_of(known[2]), { due = known[3], deadline = known[4] }, now), leg, 0, 1)
  end
  if move_counters(history, type_of(known[2]), leg, moves) then announce(tag, other) end
end
