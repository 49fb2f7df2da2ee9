Puppet::Type.newtype(:mcx) do
  @doc = 'Managed preferences of macOS.'

  ensurable

  newparam(:name, namevar: true) { desc 'Type and name of the record, as /Groups/staff.' }
  newparam(:ds_type) { newvalues(:user, :group, :computer, :computerlist) }
  newparam(:ds_name) { desc 'The name.' }
  newproperty(:content, array_matching: :all) { desc 'The property list.' }
end
