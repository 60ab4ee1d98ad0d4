-- Writes what a node knows of its agents at a session, and announces that one waits.
-- KEYS: the presence of the session. ARGV: the node, what it knows ('' for nothing any more), how long
-- that is kept, the channel, the announcement ('' for none).
if ARGV[2] == '' then return redis.call('HDEL', KEYS[1], ARGV[1]) end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
if ARGV[5] ~= '' then redis.call('PUBLISH', ARGV[4], ARGV[5]) end
return 1
