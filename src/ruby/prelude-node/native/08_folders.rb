# Folders of libraries of an installed Ruby.
require 'English'
require 'etc'
require 'rbconfig'
require 'socket'

module Plumb
  # Folder of our libraries, in `ruby/library/`.
  LIBRARY = File.expand_path('../library', __dir__)
  # Folders that contain no code of modules. Debian installs Puppet itself into the folder of vendors.
  OWN_FOLDERS = [File.expand_path('..', __dir__), *RbConfig::CONFIG.values_at('rubylibdir', 'rubyarchdir', 'sitedir', 'vendordir')]
                .uniq.map { |path| "#{path}/" }.freeze

  # An installed Ruby opens sockets itself.
  module Outside
    def self.sockets? = true
  end

  module Sockets
    # Limits in bytes: `body` of a response that Puppet's client keeps in memory.
    def self.limits = @limits ||= Node.ask('socket_limits')
  end
end

$LOAD_PATH.unshift(Plumb::LIBRARY)
