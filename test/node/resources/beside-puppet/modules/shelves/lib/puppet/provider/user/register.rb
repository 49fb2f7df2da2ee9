require 'puppet/provider/nameservice/objectadd'

# Users by programs that come with the test.
Puppet::Type.type(:user).provide(:register, parent: Puppet::Provider::NameService::ObjectAdd) do
  commands add: 'enlist', delete: 'dismiss', modify: 'reassign'
  has_features :manages_homedir, :manages_shell
  options :home, flag: '-d', method: :dir
  options :comment, method: :gecos
  verify(:uid, 'UIDs are numbers') { |value| value.is_a?(Integer) }

  def modifycmd(name, value) = [command(:modify), flag(name), value.to_s, @resource[:name]]

  def addcmd
    [command(:add), *%i[comment home shell uid].flat_map { |name| (value = @resource.should(name)) ? [flag(name), value.to_s] : [] }, @resource[:name]]
  end
end
