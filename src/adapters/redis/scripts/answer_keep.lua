-- Keeps an answer, and forgets the oldest ones for which there is no room.
-- KEYS: answers by name, names in the order they were kept, '<bytes> <time>' by name with a sum of
-- the bytes and a count of all that were ever kept.
-- ARGV: the name, the answer, its bytes, its time, how many answers and how many bytes there may be.
local function forget(name)
  local size = redis.call('HGET', KEYS[3], name)
  if size then redis.call('HINCRBY', KEYS[3], 'sum', -string.match(size, '^%d+')) end
  redis.call('HDEL', KEYS[3], name)
  redis.call('HDEL', KEYS[1], name)
  redis.call('ZREM', KEYS[2], name)
end
forget(ARGV[1])
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('HSET', KEYS[3], ARGV[1], ARGV[3] .. ' ' .. ARGV[4])
redis.call('ZADD', KEYS[2], redis.call('HINCRBY', KEYS[3], 'count', 1), ARGV[1])
redis.call('HINCRBY', KEYS[3], 'sum', ARGV[3])
while redis.call('ZCARD', KEYS[2]) > tonumber(ARGV[5])
  or tonumber(redis.call('HGET', KEYS[3], 'sum')) > tonumber(ARGV[6]) do
  forget(redis.call('ZRANGE', KEYS[2], 0, 0)[1])
end
return 1
