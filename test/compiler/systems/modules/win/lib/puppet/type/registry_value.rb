Puppet::Type.newtype(:registry_value) do
  @doc = 'A value of a registry.'

  ensurable

  def self.title_patterns
    [[/\A(.*)\z/m, [[:path]]]]
  end

  newparam(:path, namevar: true) { desc 'The path of the key and the name of the value.' }
  newproperty(:type) do
    desc 'The type of the data.'
    newvalues(:string, :array, :dword, :qword, :binary, :expand)
  end
  newproperty(:data, array_matching: :all) { desc 'The data.' }
end
