# Loaded before an agent of real Puppet on Linux (RUBYOPT=-r): paths with a drive letter are absolute, as on Windows.
# Such a path is then a file below the current directory.
require 'puppet'
require 'puppet/util'

module Puppet::Util
  def absolute_path?(path, _platform = nil)
    path.match?(%r{\A(?:/|[A-Za-z]:[/\\])})
  end
  module_function :absolute_path?
end
