require 'json'
require 'puppet/provider/package'

# Packages that are entries of a file, of which another one knows the newest versions.
Puppet::Type.type(:package).provide(:shelf, parent: Puppet::Provider::Package) do
  desc 'Packages on a shelf.'
  has_feature :versionable, :install_options

  def self.path(name) = File.expand_path("../f/#{name}", Puppet[:vardir])
  def self.read(name) = File.exist?(path(name)) ? JSON.parse(File.read(path(name))) : {}

  def self.change
    all = read('shelf.json')
    yield all
    File.write(path('shelf.json'), JSON.pretty_generate(all))
  end

  def self.instances
    read('shelf.json').map { |name, version| new(name: name, ensure: version, provider: :shelf) }
  end

  def query
    version = self.class.read('shelf.json')[resource[:name]]
    version && { name: resource[:name], ensure: version }
  end

  def latest
    self.class.read('newest.json')[resource[:name]] or raise Puppet::Error, "Nobody knows #{resource[:name]}"
  end

  def install
    wanted = resource.should(:ensure)
    version = wanted.is_a?(Symbol) ? latest : wanted
    notice("with #{join_options(resource[:install_options]).join(' ')}") if resource[:install_options]
    self.class.change { |all| all[resource[:name]] = version }
  end

  def update = install

  def uninstall
    self.class.change { |all| all.delete(resource[:name]) }
  end

  def purge
    uninstall
    File.write(self.class.path('purged'), resource[:name])
  end
end
