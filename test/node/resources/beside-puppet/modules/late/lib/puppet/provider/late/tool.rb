# Keeps its resources with the program `late-tool`.
Puppet::Type.type(:late).provide(:tool) do
  commands tool: 'late-tool'

  def exists?
    tool('exists', resource[:name]).strip == 'yes'
  end

  def create
    tool('create', resource[:name])
  end

  def destroy
    tool('destroy', resource[:name])
  end
end
