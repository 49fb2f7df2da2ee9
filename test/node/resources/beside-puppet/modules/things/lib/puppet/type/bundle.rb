# Brings other resources along: some before anything is applied, some when it has its turn.
Puppet::Type.newtype(:bundle) do
  newparam(:path, namevar: true)
  newparam(:leaves)
  newparam(:late)
  newproperty(:ensure) do
    newvalue(:present)
    defaultto :present
    def retrieve = File.directory?(@resource[:path]) ? :present : :absent
    def sync
      Dir.mkdir(@resource[:path])
      nil
    end
  end

  def generate
    Array(self[:leaves]).map do |name|
      Puppet::Type.type(:file).new(path: "#{self[:path]}/#{name}", content: name, ensure: :file)
    end
  end

  def eval_generate
    Array(self[:late]).map do |name|
      Puppet::Type.type(:note).new(path: "#{self[:path]}/#{name}", text: name)
    end
  end
end
