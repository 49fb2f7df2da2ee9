require 'json'
require 'puppet/resource_api/simple_provider'

module Puppet::Provider::Entry; end
class Puppet::Provider::Entry::Entry < Puppet::ResourceApi::SimpleProvider
  def canonicalize(_context, resources)
    resources.each { |each| each[:value] = each[:value].downcase if each[:value].is_a?(String) }
  end

  def get(_context, names = [])
    names.flat_map do |name|
      file, = name.split('#')
      all = File.exist?(file) ? JSON.parse(File.read(file)) : {}
      all.map { |key, entry| entry.transform_keys(&:to_sym).merge(name: "#{file}##{key}", ensure: 'present') }
    end
  end

  def create(context, name, should)
    context.notice("Creating '#{name}' with #{should.keys.join(', ')}")
    save(name, should)
  end

  def update(context, name, should)
    context.warning(name, 'is updated')
    save(name, should)
  end

  def delete(_context, name)
    save(name, nil)
  end

  def save(name, should)
    raise 'no bombs' if should && should[:value] == 'bomb'

    file, key = name.split('#')
    all = File.exist?(file) ? JSON.parse(File.read(file)) : {}
    all[key] = should && should.slice(:value, :count, :flag).compact
    File.write(file, JSON.generate(all.compact))
  end
end
