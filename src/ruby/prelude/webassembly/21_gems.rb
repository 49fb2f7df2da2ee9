# RubyGems is not here, but for the versions that modules compare with it.
module Gem
  require 'rubygems/version'
  require 'rubygems/requirement'

  def self.win_platform? = false
  def self.loaded_specs = {}
end

module Kernel
  # No gem is here; which ones there are is not for a catalog to know.
  def gem(name, *)
    raise LoadError, "gem '#{name}' is not here: a catalog is compiled without gems"
  end
end
