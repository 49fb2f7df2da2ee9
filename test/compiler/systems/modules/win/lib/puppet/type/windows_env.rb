Puppet::Type.newtype(:windows_env) do
  @doc = 'A variable of the environment.'

  ensurable

  def self.title_patterns
    [
      [/\A([^=]+)=(.*)\z/m, [[:variable], [:value]]],
      [/\A([^=]+)\z/m, [[:variable]]],
    ]
  end

  newparam(:variable, namevar: true) { desc 'Its name.' }
  newparam(:value, namevar: true) { desc 'Its value.' }
  newparam(:user, namevar: true) do
    desc 'An account.'
    defaultto(:undef)
  end
  newparam(:mergemode) { newvalues(:clobber, :insert, :append, :prepend) }
end
