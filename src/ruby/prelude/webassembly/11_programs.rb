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
