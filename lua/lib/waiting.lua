-- People who wait for a channel, over all messages of the shard. Of a leg that is a version of a message nobody is counted: a
-- person waits for a channel once.
local waiting = {}

local function change_waiting(leg, people)
  if not string.find(leg, '~', 1, true) then waiting[leg] = (waiting[leg] or 0) + people end
end

-- After the last of them, in the same run: one write a channel.
local function write_waiting(tag)
  for channel, people in pairs(waiting) do
    if people ~= 0 and redis.call('HINCRBY', waiting_key(tag), channel, people) == 0 then
      redis.call('HDEL', waiting_key(tag), channel)
    end
  end
end
