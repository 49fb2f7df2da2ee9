require 'json'

Puppet::Type.type(:record).provide(:store) do
  mk_resource_methods

  def self.prefetch(resources)
    Puppet.debug('prefetching')
    resources.each_value do |resource|
      known = read(resource[:file])[resource.name]
      resource.provider = new(known.transform_keys(&:to_sym).merge(name: resource.name, ensure: known['ensure'].to_sym)) if known
    end
  end

  def self.read(file)
    File.exist?(file) ? JSON.parse(File.read(file)) : {}
  end

  def exists? = @property_hash[:ensure] && @property_hash[:ensure] != :absent
  def ensure = @property_hash[:ensure] || :absent

  def create
    @property_hash = { ensure: :present }
    %i[value size members].each { |name| @property_hash[name] = resource.should(name) if resource.should(name) }
  end

  def lock
    @property_hash[:ensure] = :locked
  end

  def destroy
    @property_hash = { ensure: :absent }
  end

  def flush
    all = self.class.read(resource[:file])
    if @property_hash[:ensure] == :absent
      all.delete(resource.name)
    else
      all[resource.name] = @property_hash.reject { |name, _| name == :name }
    end
    File.write(resource[:file], JSON.generate(all))
  end
end
