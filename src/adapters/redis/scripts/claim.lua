-- Claims a live handshake for a session: from then on the session is there.
-- KEYS: handshakes by their end, their texts, sessions by the time they are looked at next.
-- ARGV: the end of the node's lease, now, the handshake, the session, when that is looked at, how
-- many sessions there may be.
local time = redis.call('TIME')
if time[1] * 1000 + math.floor(time[2] / 1000) > tonumber(ARGV[1]) then return 'fenced' end
if redis.call('ZSCORE', KEYS[3], ARGV[4]) then return 'ok' end
if redis.call('ZCARD', KEYS[3]) >= tonumber(ARGV[6]) then return 'full' end
local expires = redis.call('ZSCORE', KEYS[1], ARGV[3])
if not expires or tonumber(expires) <= tonumber(ARGV[2]) then return 'missing' end
redis.call('ZREM', KEYS[1], ARGV[3])
redis.call('HDEL', KEYS[2], ARGV[3])
redis.call('ZADD', KEYS[3], ARGV[5], ARGV[4])
return 'ok'
