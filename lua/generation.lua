--[[ generation: who the master of this key is, and how many replicas it has; may write, so that WAIT has something to wait for
KEYS[1] durable:{tag}  string
ARGV[1] how long what is written is kept, ms; 0: nothing is written
Returns: its generation, and how many replicas are connected to it
Errors: none
Replay: the same, of the master that runs it
Flags: allow-oom

WAIT waits for what was written on its own connection. What others wrote on this master before lies before that in the stream of its replicas.
]]
--#include generation
local key, kept_ms = KEYS[1], tonumber(ARGV[1])
if kept_ms > 0 then redis.call('SET', key, '', 'PX', kept_ms) end
local info = redis.call('INFO', 'replication')
return { generation_of(info), tonumber(string.match(info, 'connected_slaves:(%d+)')) }
