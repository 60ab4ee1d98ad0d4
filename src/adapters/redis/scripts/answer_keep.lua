-- Keeps an answer, and forgets the oldest ones for which there is no room.
-- KEYS: answers by name, names in the order they were kept, '<bytes> <time>' by name with a sum of
-- the bytes and a count of all that were ever kept.
-- ARGV: the end of the node's lease, the name, the answer, its bytes, its time, how many answers and how
-- many bytes there may be. 0 where the lease has lapsed: what others have answered since stays.
local time = redis.call('TIME')
if time[1] * 1000 + math.floor(time[2] / 1000) > tonumber(ARGV[1]) then return 0 end
local function forget(name)
  local size = redis.call('HGET', KEYS[3], name)
  if size then redis.call('HINCRBY', KEYS[3], 'sum', -string.match(size, '^%d+')) end
  redis.call('HDEL', KEYS[3], name)
  redis.call('HDEL', KEYS[1], name)
  redis.call('ZREM', KEYS[2], name)
end
forget(ARGV[2])
redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
redis.call('HSET', KEYS[3], ARGV[2], ARGV[4] .. ' ' .. ARGV[5])
redis.call('ZADD', KEYS[2], redis.call('HINCRBY', KEYS[3], 'count', 1), ARGV[2])
redis.call('HINCRBY', KEYS[3], 'sum', ARGV[4])
while redis.call('ZCARD', KEYS[2]) > tonumber(ARGV[6])
  or tonumber(redis.call('HGET', KEYS[3], 'sum')) > tonumber(ARGV[7]) do
  forget(redis.call('ZRANGE', KEYS[2], 0, 0)[1])
end
return 1
