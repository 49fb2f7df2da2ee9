# Loads the prelude into an installed Ruby, and serves calls of the host: `ruby start.rb PUPPETVERSION PID [FOLDER]`, with the
# process ID of the host, and the folder of this file if the host wrote it for this process alone.
input = IO.for_fd(3, 'rb')
output = IO.for_fd(4, 'wb')
[input, output].each { |pipe| pipe.close_on_exec = true }
output.sync = true

OLDEST_RUBY = '3.1'
if (RUBY_VERSION.split('.').map(&:to_i) <=> OLDEST_RUBY.split('.').map(&:to_i)).negative?
  output.write("\"it is Ruby #{RUBY_VERSION}; #{OLDEST_RUBY} or later is required\"\n")
  exit
end

Encoding.default_external = Encoding::UTF_8
PUPPETVERSION = ARGV.shift
HOST_PROCESS = Integer(ARGV.shift)
HOST_PIPES = [input, output].freeze
if (folder = ARGV.shift)
  require 'fileutils'
  # Not at the end of a process that a module forks.
  own = Process.pid
  at_exit { FileUtils.remove_entry(folder, true) if Process.pid == own }
end
Dir["#{__dir__}/[0-9]*.rb"].sort_by { |file| [File.basename(file).to_i, file] }.each { |file| load file }
Plumb::Channel.serve
Plumb::HOST_WATCH.kill
