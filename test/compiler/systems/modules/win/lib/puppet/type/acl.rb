Puppet::Type.newtype(:acl) do
  @doc = 'The access control list of a path.'

  newparam(:name) { desc 'A name.' }
  newparam(:target, namevar: true) { desc 'The path.' }
  newparam(:target_type) { newvalues(:file) }
  newparam(:purge) { newvalues(:true, :false, :listed_permissions) }
  newproperty(:permissions, array_matching: :all) { desc 'Hashes of identity and rights.' }
  newproperty(:owner) { desc 'An account.' }
  newproperty(:group) { desc 'An account.' }
  newproperty(:inherit_parent_permissions, boolean: true) { newvalues(:true, :false) }

  def self.title_patterns
    [[/\A(.*)\z/m, [[:target]]]]
  end
end
