--[[ spend-code: takes a sign-in code, which is gone then, as it is after too many wrong ones
KEYS[1] sign-in:<browser>  string, expiring
ARGV[1] digest of the code that was typed
Returns: 1 when it was right, else 0; then whose code it is: empty where nobody was sent it, or where there is none
Errors: none
Replay: the second run of a right code finds it spent: another has to be asked for; of a wrong one, it counts one try more
]]
local sign_in, typed = KEYS[1], ARGV[1]

local digest, tries, person = string.match(redis.call('GET', sign_in) or '', '^(%x+) (%d+) (.*)$')
if not digest then return { 0, '' } end
tries = tonumber(tries) - 1
if digest == typed or tries <= 0 then
  redis.call('DEL', sign_in)
else
  redis.call('SET', sign_in, digest .. ' ' .. tries .. ' ' .. person, 'KEEPTTL')
end
return { digest == typed and 1 or 0, person }
