# Ruby's OpenURI: pages stay in memory, and a redirect leads to no other host.
require "/ruby/#{RbConfig::CONFIG['ruby_version']}/open-uri.rb"
return if Plumb::Outside.sockets?

module OpenURI
  class Buffer
    remove_const :StringMax
    # There is no place for a file.
    StringMax = 1 << 30
  end

  # The port may be another one: the settings decide over each page.
  module SameHost
    def redirectable?(from, to) = super && from.host.casecmp?(to.host.to_s)
  end
  singleton_class.prepend(SameHost)
end
