-- Who of a leg is to be online before they are sent to, one byte an ordinal of presence:…; drawn in README.md.
--   NUL  not asked yet
--   w    waits in a wave with the cause online
--   k    was called while a claim had them, which goes on with them
--   c    was called out of that wave: an entry of their own has them, and the wave no more
-- Of those with w the field <leg>:online says how many there are.
local function write_presence(key, size, first, bytes)
  -- room for all at once: a string that grows is given twice what it needs
  if redis.call('EXISTS', key) == 0 then redis.call('SETRANGE', key, size - 1, '\0') end
  redis.call('SETRANGE', key, first, bytes)
end

-- An entry of their own for neighbours who were called: nothing holds them any more but what holds for everyone.
local function add_called(history, tag, message, leg, from, to)
  local class, channel = redis.call('HGET', history, 'class'), string.match(leg, '^[^~]+')
  local fields = { 'message', message, 'from', from, 'to', to }
  if leg ~= channel then
    fields[#fields + 1] = 'leg'
    fields[#fields + 1] = leg
  end
  redis.call('XADD', work_key(tag, channel, class), '*', unpack(fields))
  redis.call('HINCRBY', history, leg .. ':open', 1)
  redis.call('SPUBLISH', work_of_channel(tag, channel), class)
end

-- Of a range of a leg the pending ones, by follow[byte], what their byte becomes; whoever becomes c is given an entry. Says which bytes
-- there were, and how many wait on the leg from now on.
local function move_presence(history, tag, message, leg, size, first, after, follow)
  local key = presence_key(tag, message, leg)
  local before, receipts = read_padded(key, first, after), read_padded(receipts_key(tag, message, leg), first, after)
  local bytes, waiting, called_from = {}, 0, nil
  for place = 1, after - first do
    local old = string.sub(before, place, place)
    local new = string.sub(receipts, place, place) == '\0' and follow[old] or old
    if new ~= old then waiting = waiting + (new == 'w' and 1 or 0) - (old == 'w' and 1 or 0) end
    local is_called = new == 'c' and old ~= 'c'
    if is_called and not called_from then called_from = place end
    if not is_called and called_from then
      add_called(history, tag, message, leg, first + called_from - 1, first + place - 1)
      called_from = nil
    end
    bytes[place] = new
  end
  if called_from then add_called(history, tag, message, leg, first + called_from - 1, after) end
  local now_bytes = table.concat(bytes)
  if now_bytes ~= before then write_presence(key, size, first, now_bytes) end
  return before, redis.call('HINCRBY', history, leg .. ':online', waiting), now_bytes
end
