-- Adds rows to an activity list, and forgets the oldest ones for which there is no room. Positions
-- grow with the clock, so that a list which was emptied goes on behind what others have seen of it.
-- KEYS: rows by their positions. ARGV: how many there may be, the channel, the announcement, the rows.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')[2]
local at = math.max(now, (tonumber(last) or 0) + 1)
for number = 4, #ARGV do
  at = at + redis.call('ZADD', KEYS[1], 'NX', string.format('%.0f', at), ARGV[number])
end
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -(tonumber(ARGV[1]) + 1))
redis.call('PUBLISH', ARGV[2], ARGV[3])
return 1
