# What the host may call of a node's machine.
module Plumb
  module Operations
    module_function

    # Before the first call.
    def begin_node(options)
      Windows.begin if options['windows']
      ENV.replace(options['env'])
      Puppet.debugging = options['debug']
      options['load_path'].reverse_each { |path| $LOAD_PATH.unshift(path) unless $LOAD_PATH.include?(path) }
      options['libraries'].each { |name| require "#{Plumb::LIBRARY}/#{name}" }
      Dir.chdir(options['cwd']) if File.directory?(options['cwd'])
      nil
    end
  end
end
