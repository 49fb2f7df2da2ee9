require 'json'
require 'puppet/provider/package'

# Packages that are entries of a file, of which another one knows the newest versions.
Puppet::Type.type(:package).provide(:crate, parent: Puppet::Provider::Package) do
  desc 'Packages in a crate.'
  defaultfor 'os.family' => :debian, 'os.name' => :debian, 'kernel' => :linux
  has_feature :versionable, :install_options

  def self.path(name) = File.expand_path("../f/#{name}", Puppet[:vardir])
  def self.read(name) = File.exist?(path(name)) ? JSON.parse(File.read(path(name))) : {}

  def self.change
    all = read('crate.json')
    yield all
    File.write(path('crate.json'), JSON.pretty_generate(all))
  end

  def self.instances
    read('crate.json').map { |name, version| new(name: name, ensure: version, provider: :crate) }
  end

  def query
    version = self.class.read('crate.json')[resource[:name]]
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
