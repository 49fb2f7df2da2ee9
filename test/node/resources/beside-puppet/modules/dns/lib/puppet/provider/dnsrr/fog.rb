Puppet::Type.type(:dnsrr).provide(:fog) do
  confine true: begin
    require 'fog'
    true
  rescue LoadError
    false
  end
  mk_resource_methods

  def self.service = Puppet::Type.type(:dnszone).provider(:fog).service

  def self.instances
    service.zones.flat_map do |zone|
      zone.records.map do |record|
        new(name: record.name, ensure: :present, zone: zone.domain, type: record.type.to_sym, value: record.value, ttl: record.ttl)
      end
    end
  end

  def self.prefetch(resources)
    known = instances.to_h { |each| [each.name, each] }
    resources.each { |name, resource| resource.provider = known[name] if known[name] }
  end

  def exists? = @property_hash[:ensure] == :present

  def create
    @property_hash = resource.to_hash.slice(:name, :zone, :type, :value, :ttl).merge(ensure: :present)
  end

  def destroy
    @property_hash[:ensure] = :absent
  end

  def flush
    zone = self.class.service.zone(@property_hash[:zone]) or raise Puppet::Error, "There is no zone #{@property_hash[:zone]}"
    record = Fog::DNS::Record.new(zone, *@property_hash.values_at(:name, :type, :value, :ttl))
    exists? ? record.save : record.destroy
  end
end
