# Ruby's own globs. Each line of input is JSON: [pattern, name] for File.fnmatch, or [pattern] for Dir.glob in the folder
# that is the argument; each line of output is JSON, too.
require 'json'

Encoding.default_external = Encoding::UTF_8
Dir.chdir(ARGV[0]) if ARGV[0]
STDIN.each_line do |line|
  pattern, name = JSON.parse(line)
  puts JSON.generate(name.nil? ? Dir.glob(pattern) : File.fnmatch?(pattern, name))
end
