# Parses files with real Puppet, in one warm process: the milliseconds of each round.
#   parse.rb ROUNDS < LIST
require 'puppet'
require 'puppet/pops'

texts = $stdin.each_line.map(&:chomp).map { |file| [file, File.read(file, encoding: 'utf-8')] }
parser = Puppet::Pops::Parser::Parser.new
ARGV[0].to_i.times do
  start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  texts.each do |file, text|
    parser.parse_string(text, file)
  rescue Puppet::ParseError
    next
  end
  puts ((Process.clock_gettime(Process::CLOCK_MONOTONIC) - start) * 1000).round(1)
end
