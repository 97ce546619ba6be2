--[[ reserve-budget: reserves of a budget what attempts are to cost, those of a list as far as it is enough
KEYS[1] budget:<budget>  hash
ARGV[1] what it may come to
ARGV[2] for how long it is kept, s
ARGV[3..] three of each attempt: its name; what it is to cost; the delivery count of its claim
Returns: 1 or 0 of each, whether it is reserved
Errors: none
Replay: finds its own reservations: the same yes

What a claim has reserved, whoever takes it over finds under the same names, as its own from then on; of whoever had the claim before, no
more is ended. `refused` is the limit at which somebody was refused last.
]]
local budget, limit, kept_s = KEYS[1], tonumber(ARGV[1]), ARGV[2]
local spent = tonumber(redis.call('HGET', budget, 'spent')) or 0
local before, is_enough, is_refused, answers = spent, true, false, {}

-- What stands under a name: what is reserved, and under which delivery count of the claim.
local function read_reservation(name)
  local cost, deliveries = string.match(redis.call('HGET', budget, name) or '', '^(%d+) (%d+)$')
  return tonumber(cost), tonumber(deliveries)
end

for i = 3, #ARGV, 3 do
  local name, cost, deliveries = ARGV[i], tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2])
  local reserved, by = read_reservation(name)
  local is_granted = reserved ~= nil
  if not reserved or by <= deliveries then
    is_granted = (is_enough or reserved ~= nil) and spent - (reserved or 0) + cost <= limit
    if is_granted then
      spent = spent - (reserved or 0) + cost
      redis.call('HSET', budget, name, ARGV[i + 1] .. ' ' .. ARGV[i + 2])
    else
      if reserved then
        spent = spent - reserved
        redis.call('HDEL', budget, name)
      end
      is_enough, is_refused = false, true
    end
  end
  answers[#answers + 1] = is_granted and 1 or 0
end
if spent ~= before then redis.call('HSET', budget, 'spent', string.format('%.0f', spent)) end
if is_refused then redis.call('HSET', budget, 'refused', ARGV[1]) end
redis.call('EXPIRE', budget, kept_s)
return answers
