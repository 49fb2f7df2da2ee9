#!/usr/bin/env ruby
# Asks Ruby what regular expressions find. Reads a JSON list a line, [PATTERN, TEXT]; prints for each, as JSON: the offset
# in code points and the groups, null, or what is wrong with the pattern; false where Ruby itself fails or takes too long.
require 'json'
require 'timeout'

$VERBOSE = nil
$stdin.each_line do |line|
  pattern, text = JSON.parse(line)
  answer =
    begin
      found = Timeout.timeout(2) { Regexp.new(pattern).match(text) }
      found && [found.begin(0), *found.to_a]
    rescue RegexpError => e
      e.message
    rescue ArgumentError, Timeout::Error
      false
    end
  puts JSON.generate(answer)
end
