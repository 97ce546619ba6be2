--[[ prune: removes consumers of a group that have nothing pending, as ended processes leave them
KEYS[1] work:{tag}:<channel>:<class>  stream
ARGV[1] channel, the group
ARGV[2] the only consumer to remove; empty for any
ARGV[3] how long it must have been idle, ms
ARGV[4] max consumers to remove
Returns: how many were removed
Errors: none
Replay: what was removed is gone; the second run removes only what has become idle for long enough since
Flags: allow-oom

A process that was merely frozen loses nothing: what it has pending keeps it, and its next read makes the consumer again.
]]
local stream, group, only, idle_ms, max = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local removed = 0
for _, info in ipairs(redis.call('XINFO', 'CONSUMERS', stream, group)) do
  local name, pending, idle = info[2], info[4], info[6]
  if removed < max and pending == 0 and idle >= idle_ms and (only == '' or only == name) then
    redis.call('XGROUP', 'DELCONSUMER', stream, group, name)
    removed = removed + 1
  end
end
return removed
