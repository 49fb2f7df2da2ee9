Puppet::Type.type(:dnszone).provide(:fog) do
  desc 'By the library fog.'
  confine feature: :fog
  mk_resource_methods

  def self.service
    require 'fog'
    Fog::DNS.new(path: File.expand_path('../f/dns.json', Puppet[:vardir]))
  end

  def self.instances
    service.zones.map { |zone| new(name: zone.domain, ensure: :present, email: zone.email) }
  end

  def self.prefetch(resources)
    instances.each { |found| resources[found.name].provider = found if resources.key?(found.name) }
  end

  def exists? = @property_hash[:ensure] == :present

  def create
    @property_hash = { name: resource[:name], ensure: :present, email: resource[:email] }
  end

  def destroy
    @property_hash[:ensure] = :absent
  end

  def flush
    zone = Fog::DNS::Zone.new(self.class.service, @property_hash[:name], @property_hash[:email])
    return zone.save if exists?

    Puppet.debug("destroying #{zone.domain}")
    zone.destroy
  end
end
