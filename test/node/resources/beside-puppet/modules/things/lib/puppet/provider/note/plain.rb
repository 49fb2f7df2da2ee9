Puppet::Type.type(:note).provide(:plain) do
  defaultfor kernel: 'Linux'
  commands cat: 'cat'
  optional_commands nothing: 'no-such-program'
  has_feature :whispering

  def exists?
    debug('looking')
    File.exist?(resource[:path])
  end

  def create
    notice("creating #{resource[:path]}")
    File.write(resource[:path], [resource[:text], *resource[:words]].compact.join(' '))
    self.state = resource[:state] if resource[:state]
  end

  def destroy
    File.unlink(resource[:path])
  end

  def text
    cat(resource[:path])
  end

  def text=(value)
    File.write(resource[:path], value)
  end

  def words
    File.read(resource[:path]).split
  end

  def words=(value)
    @words = value
  end

  def state
    File.stat(resource[:path]).mode.allbits?(0o200) ? :open : :closed
  end

  def state=(value)
    File.chmod(value == :open ? 0o644 : 0o444, resource[:path])
  end

  def whisper; end

  def touch
    resource.info('touched')
    warning('not so fast')
  end

  def flush
    File.write(resource[:path], @words.join(' ')) if @words
  end
end
