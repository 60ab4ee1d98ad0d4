-- Keeps a handshake unless its app has too many live ones.
-- KEYS: handshakes by their end, their texts. ARGV: the handshake, now, its end, how many there may
-- be, its text.
if redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1 then return {'ok'} end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[4]) then
  for _, over in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[2])) do
    redis.call('ZREM', KEYS[1], over)
    redis.call('HDEL', KEYS[2], over)
  end
end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[4]) then
  return {'full', redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]}
end
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[5])
return {'ok'}
