-- Counts that a blueprint was shown again. KEYS: the blueprint. ARGV: now.
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HINCRBY', KEYS[1], 'hits', 1)
redis.call('HSET', KEYS[1], 'used', ARGV[1])
return 1
