-- Forgets answers that are too old.
-- KEYS: answers by name, names in the order they were kept, '<bytes> <time>' by name with a sum.
-- ARGV: the time of the youngest answer that is too old.
while true do
  local name = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
  if not name then
    redis.call('DEL', KEYS[3])
    return 0
  end
  local bytes, at = string.match(redis.call('HGET', KEYS[3], name), '^(%d+) (%d+)$')
  if tonumber(at) > tonumber(ARGV[1]) then return 0 end
  redis.call('HINCRBY', KEYS[3], 'sum', -bytes)
  redis.call('HDEL', KEYS[3], name)
  redis.call('HDEL', KEYS[1], name)
  redis.call('ZREM', KEYS[2], name)
end
