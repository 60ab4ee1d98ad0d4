-- The latest schema of events that are kept here. KEYS: where it stands. ARGV: that of this node.
local kept = tonumber(redis.call('GET', KEYS[1]) or '0')
if kept < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], ARGV[1]) end
return kept
