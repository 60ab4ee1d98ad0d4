-- Renews the lease of a node; gives the time here, the generation of the store and the live nodes.
-- KEYS: the nodes by the end of their leases, the generation. ARGV: the node, the length of its lease,
-- the generation of a store that has none yet.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('SET', KEYS[2], ARGV[3], 'NX')
local answer = {tostring(redis.call('GET', KEYS[2])), string.format('%.0f', now)}
for _, node in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do answer[#answer + 1] = node end
return answer
