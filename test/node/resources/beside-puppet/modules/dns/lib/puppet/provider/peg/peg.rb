require 'puppet/resource_api/simple_provider'

module Puppet::Provider::Peg; end
class Puppet::Provider::Peg::Peg < Puppet::ResourceApi::SimpleProvider
  def folder = File.expand_path('../f/pegs', Puppet[:vardir])
  def path(name) = File.join(folder, name)

  def get(_context)
    Dir.children(folder).sort.map { |name| { name: name, ensure: 'present', colour: File.read(path(name)) } }
  end

  def create(_context, name, should) = File.write(path(name), should[:colour].to_s)
  def update(context, name, should) = create(context, name, should)
  def delete(_context, name) = File.unlink(path(name))
end
