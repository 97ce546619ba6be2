-- Writes a final state over every pending one of a range of a leg, by the bytes alone, and when they came to it. Whoever was to be sent to
-- again is not any more; they are counted as unknown already. Says how many were pending.
local function settle_pending(receipts, size, first, after, state, time)
  local before = redis.call('GETRANGE', receipts, first, after - 1)
  if #before < after - first then
    make_room(receipts, size)
    before = before .. string.rep('\0', after - first - #before)
  end
  local settled = 0
  for from, to in string.gmatch(before, '()%z+()') do
    keep_time(receipts, size, first + from - 1, to - from, time)
    settled = settled + to - from
  end
  local bytes = string.gsub(string.gsub(before, '%z', state), 'w', 'u')
  if bytes ~= before then redis.call('SETRANGE', receipts, first, bytes) end
  return settled
end
