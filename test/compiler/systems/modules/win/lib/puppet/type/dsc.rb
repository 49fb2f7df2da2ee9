Puppet::Type.newtype(:dsc) do
  @doc = 'A resource of Desired State Configuration.'

  newparam(:name, namevar: true) { desc 'A name.' }
  newparam(:resource_name) { desc 'The resource.' }
  newparam(:module) { desc 'Its module, or a hash with its version.' }
  newproperty(:properties) { desc 'A hash of its properties.' }
  newproperty(:ensure) { newvalues(:present) }
end
