Puppet::Type.newtype(:registry_key) do
  @doc = 'A key of a registry; the title may name the view.'

  ensurable

  def self.title_patterns
    [[/\A((?:(?:32|64):)?.+?)\\*\z/m, [[:path]]]]
  end

  newparam(:path, namevar: true) do
    desc 'The path with its root key.'
    munge { |value| value.downcase.chomp('\\') }
  end

  newparam(:purge_values, boolean: true) { desc 'Removes values that no resource manages.' }

  autorequire(:registry_key) { self[:path].rpartition('\\').first }
end
