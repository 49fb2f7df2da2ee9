# What modules ask of the machine that Ruby was built for.
module RbConfig
  CONFIG = { 'host_os' => 'linux-gnu', 'target_os' => 'linux', 'ruby_version' => "#{RUBY_VERSION[/\A\d+\.\d+/]}.0" }.freeze
end

# What modules of Puppet require, loaded once for all of them; and stand-ins for what WebAssembly cannot have. In `/ruby/plumb`
# are libraries of the network, which modules may require: Ruby's own, but for how they reach the world.
$LOAD_PATH.replace(['/ruby/plumb', "/ruby/#{RbConfig::CONFIG['ruby_version']}", *Dir['/ruby/gems/*/gems/*/lib'].sort])
$LOADED_FEATURES.push(*%w[socket io/wait etc rbconfig rubygems].flat_map { |name| ["#{name}.rb", "#{name}.so"] })

# Users and groups are the node's, and not known here.
module Etc
  %i[getpwnam getgrnam].each do |name|
    define_singleton_method(name) { |given| raise ArgumentError, "can't find #{name[3..] == 'pwnam' ? 'user' : 'group'} for #{given}" }
  end
  %i[getpwuid getgrgid].each do |name|
    define_singleton_method(name) { |given = 0| raise ArgumentError, "can't find #{name[3..] == 'pwuid' ? 'user' : 'group'} for #{given}" }
  end
end

%w[
  json erb set time date digest digest/md5 digest/sha1 digest/sha2 ipaddr stringio strscan uri pathname forwardable
  delegate securerandom shellwords yaml base64 singleton ostruct tempfile fileutils cgi openssl monitor timeout open3
].each { |library| require library }

$stdout.sync = true

# There are no threads: the time limit is on the whole call, outside.
module Timeout
  def self.timeout(seconds = nil, _error = nil, _message = nil)
    yield seconds
  end
end

# There are no programs either. WebAssembly's own answers would be wrong ones: `system` says that it went well.
module Kernel
  def system(*command, **)
    raise Errno::EPERM, "programs cannot be run while a catalog is compiled: #{command.join(' ')}"
  end

  alias spawn system
  alias exec system
  alias ` system

  def fork
    raise NotImplementedError, 'fork() cannot be used while a catalog is compiled'
  end

  module_function :system, :spawn, :exec, :`, :fork
end

class IO
  def self.popen(*command, **)
    Kernel.system(*command)
  end
end

# What begins with a pipe is a program.
module Kernel
  alias plumb_open open

  def open(path, ...)
    return system(path.delete_prefix('|')) if path.is_a?(String) && path.start_with?('|')

    plumb_open(path, ...)
  end
  module_function :open
end

module Process
  def self.spawn(*command, **)
    Kernel.system(*command)
  end
end
