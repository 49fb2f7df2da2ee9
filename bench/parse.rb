# Parses files with real Puppet, in one warm process: the milliseconds of each round, and those of the processor.
#   parse.rb ROUNDS < LIST
require 'puppet'
require 'puppet/pops'

def now
  [Process::CLOCK_MONOTONIC, Process::CLOCK_PROCESS_CPUTIME_ID].map { |clock| Process.clock_gettime(clock) * 1000 }
end

texts = $stdin.each_line.map(&:chomp).map { |file| [file, File.read(file, encoding: 'utf-8')] }
parser = Puppet::Pops::Parser::Parser.new
ARGV[0].to_i.times do
  start, cpu = now
  texts.each do |file, text|
    parser.parse_string(text, file)
  rescue Puppet::ParseError
    next
  end
  finish, spent = now
  puts "#{(finish - start).round(1)} #{(spent - cpu).round(1)}"
end
