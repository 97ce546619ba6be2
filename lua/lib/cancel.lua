-- Takes a message back before it starts, or stops it after the batches in flight; again, it answers the same. Says `cancelled`, or
-- `stopping` while it runs; `settled` or `unknown` where there is nothing to stop. Needs write_stats() and announce_head() at the end.
local function cancel_message(history, due, tag, message, left, by, now)
  local fields = redis.call('HMGET', history, 'state', 'cancelled', 'type', 'size')
  local state = fields[1]
  if not state then return 'unknown' end
  if state == 'cancelled' then return state end
  if state == 'settled' then return fields[2] and 'stopping' or state end
  if redis.call('HSETNX', history, 'cancelled', now) == 1 then redis.call('HSET', history, 'cancelled-by', by) end
  redis.call('UNLINK', secret_key(tag, message))
  announce(tag, message)
  if state == 'running' then
    -- whoever waits for a courier that does not come is settled by expire
    redis.call('ZADD', expiry_key(tag), 'XX', now, message)
    -- what waits for a later wave is called forward, so that it is marked cancelled now and not then
    call_forward(history, due, tag, message, now)
    return 'stopping'
  end
  redis.call('ZREM', due, message .. ':0')
  redis.call('ZREM', held_key(tag), message)
  redis.call('UNLINK', delivery_key(tag, message, 0))
  take_off_merge(history, tag, message)
  redis.call('HSET', history, 'state', 'cancelled')
  -- an issued key lapses by itself
  if state == 'scheduled' then
    redis.call('ZADD', retention_key(tag), now, message)
    add_messages(type_of(fields[3]), 'cancelled', fields[4])
    -- empty where it was put only after the caller had looked: then it goes with its retention
    if left ~= '' then
      redis.call('SET', record_key(tag, message), left)
      redis.call('UNLINK', audience_key(tag, message))
    end
  end
  return 'cancelled'
end
