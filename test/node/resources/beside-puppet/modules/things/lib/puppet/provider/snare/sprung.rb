Puppet::Type.type(:snare).provide(:sprung) do
  def self.prefetch(resources)
    resources.each_value { |each| each.provider = new(value: 'prefetched') if each[:code] == 'prefetched' }
  end

  def exists? = true
  def value = @property_hash[:value] || 'old'

  def value=(_value)
    eval(resource[:code])
  end
end
