-- Forgets handshakes that have expired; gives the sessions that may have.
-- KEYS: handshakes by their end, their texts, sessions by the time they are looked at next.
-- ARGV: now, how many sessions at most.
for _, over in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1])) do
  redis.call('ZREM', KEYS[1], over)
  redis.call('HDEL', KEYS[2], over)
end
return redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])
