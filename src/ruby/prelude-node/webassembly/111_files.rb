# What WebAssembly does not know of files: modes and owners, and the masks, locks and rights that go with them.
module Plumb
  # The status of a file, as `stat` gives it.
  class Stat < File::Stat
    KINDS = {
      'file' => 'file', 'directory' => 'directory', 'link' => 'link', 'block' => 'blockSpecial',
      'character' => 'characterSpecial', 'fifo' => 'fifo', 'socket' => 'socket'
    }.freeze

    def self.of(path, follows)
      function = follows ? 'rb_file_s_stat' : 'rb_file_s_lstat'
      allocate.tap { |made| made.known = Node.ask_file(function, 'stat', path.to_s.dup.force_encoding('UTF-8'), follows) }
    end

    def self.new(path) = of(File.path(path), true)

    attr_writer :known

    %w[mode uid gid size ino dev nlink blksize blocks rdev].each { |name| define_method(name) { @known[name] } }
    %w[atime mtime ctime birthtime].each do |name|
      define_method(name) { Time.at(*@known[name].to_i.divmod(1_000_000_000), :nsec) }
    end

    def ftype = KINDS.fetch(@known['kind'])
    { file?: 'file', directory?: 'directory', symlink?: 'link', blockdev?: 'block', chardev?: 'character', pipe?: 'fifo',
      socket?: 'socket' }.each { |name, kind| define_method(name) { @known['kind'] == kind } }

    def zero? = size.zero?
    def size? = zero? ? nil : size
    def owned? = uid == Process.euid
    def grpowned? = Process.groups.include?(gid) || gid == Process.egid
    def setuid? = mode.anybits?(0o4000)
    def setgid? = mode.anybits?(0o2000)
    def sticky? = mode.anybits?(0o1000)
    def world_readable? = mode.anybits?(0o004) ? mode & 0o777 : nil
    def world_writable? = mode.anybits?(0o002) ? mode & 0o777 : nil
    def readable? = allowed?(4)
    def writable? = allowed?(2)
    def executable? = allowed?(1)
    %i[readable writable executable].each { |name| alias_method :"#{name}_real?", :"#{name}?" }
    def dev_major = (dev >> 8) & 0xfff
    def dev_minor = (dev & 0xff) | ((dev >> 12) & 0xfff00)
    def <=>(other) = mtime <=> other.mtime
    def inspect = "#<File::Stat mode=0#{mode.to_s(8)}, uid=#{uid}, gid=#{gid}, size=#{size}>"

    private

    def allowed?(bit)
      return bit != 1 || directory? || mode.anybits?(0o111) if Process.euid.zero?

      mode.anybits?(owned? ? bit << 6 : grpowned? ? bit << 3 : bit)
    end
  end

  # Files that are opened with a mode are made with it, so that nobody ever sees them with another.
  module FileWithMode
    def initialize(path, mode = 'r', perm = nil, **options)
      perm ||= options.delete(:perm)
      mode = options.delete(:mode) if options.key?(:mode)
      flags = options[:flags].to_i
      return super(path, mode, **options) if path.is_a?(Integer)

      exclusive = FileWithMode.make(File.path(path), mode, flags, perm)
      mode, options[:flags] = FileWithMode.without_exclusion(mode), flags & ~File::EXCL if exclusive
      options.delete(:flags) if options[:flags] == 0
      super(path, mode, **options)
    end

    # Makes a file that is not there; whether who opens it wanted it to be new.
    def self.make(path, mode, flags, perm)
      creates = mode.is_a?(Integer) ? mode.anybits?(File::CREAT) : mode.to_s.match?(/\A[wa]/)
      return false unless creates || flags.anybits?(File::CREAT)

      exclusive = flags.anybits?(File::EXCL) || (mode.is_a?(Integer) ? mode.anybits?(File::EXCL) : mode.to_s.include?('x'))
      Node.ask_file('rb_sysopen', 'create', path, exclusive, (perm || 0o666) & ~File.umask)
      exclusive
    end

    def self.without_exclusion(mode)
      mode.is_a?(Integer) ? mode & ~File::EXCL : mode.to_s.delete('x')
    end
  end
  File.prepend(FileWithMode)

  # What is asked of a file that is open.
  module OpenFile
    def stat = Stat.of(path, true)
    def lstat = Stat.of(path, false)
    def chmod(mode) = File.chmod(mode, path) && 0
    def chown(owner, group) = File.chown(owner, group, path) && 0
    # Others that lock are not waited for: see docs/agent.md.
    def flock(_operation) = 0
  end
  File.prepend(OpenFile)

  module FileQuestions
    def stat(path) = Stat.of(File.path(path), true)
    def lstat(path) = Stat.of(File.path(path), false)

    def umask(mask = nil)
      before = @plumb_umask ||= Node.ask('umask')
      @plumb_umask = mask if mask
      before
    end

    def chmod(mode, *paths) = paths.each { |path| Node.ask_file('apply2files', 'chmod', File.path(path), mode) }.size
    def lchmod(_mode, *_paths) = raise(NotImplementedError, 'lchmod() function is unimplemented on this machine')
    def chown(owner, group, *paths) = paths.each { |path| Node.ask_file('apply2files', 'chown', File.path(path), owner || -1, group || -1, true) }.size
    def lchown(owner, group, *paths) = paths.each { |path| Node.ask_file('apply2files', 'chown', File.path(path), owner || -1, group || -1, false) }.size
    def mkfifo(path, mode = 0o666) = Plumb::Programs.run(['mkfifo', '-m', mode.to_s(8), path]).status.to_i
    def ftype(path) = lstat(path).ftype

    %i[readable? readable_real? writable? writable_real? executable? executable_real? owned? grpowned? setuid? setgid?
       sticky? world_readable? world_writable?].each do |name|
      define_method(name) do |path|
        stat(path).public_send(name)
      rescue SystemCallError
        name.start_with?('world') ? nil : false
      end
    end

    # As `open` is called: Ruby's own way to these does not come by.
    def write(path, text, offset = nil, **options)
      return open(path, File::RDWR | File::CREAT) { |file| file.seek(offset) && file.write(text) } if offset

      mode = options.delete(:mode) || 'w'
      open(path, mode, **options) { |file| file.write(text) }
    end

    def binwrite(path, text, offset = nil, **options)
      write(path, text, offset, **{ mode: 'wb' }.merge(options))
    end
  end
  File.singleton_class.prepend(FileQuestions)
  IO.singleton_class.class_eval do
    def write(...) = File.write(...)
    def binwrite(...) = File.binwrite(...)
  end

  module DirectoriesWithMode
    def mkdir(path, mode = nil)
      super(path)
      File.chmod((mode || 0o777) & ~File.umask, path)
      0
    end

    def exist?(path) = File.directory?(path)
    alias exists? exist?
    def home(user = nil) = user ? Etc.getpwnam(user).dir : ENV['HOME'] || Etc.getpwuid.dir
    def tmpdir = ENV['TMPDIR'] || '/tmp'
  end
  Dir.singleton_class.prepend(DirectoriesWithMode)
end

module FileTest
  %i[readable? writable? executable? owned? grpowned? setuid? setgid? sticky? world_readable? world_writable?].each do |name|
    define_singleton_method(name) { |path| File.public_send(name, path) }
  end
end

class Pathname
  %i[stat lstat].each { |name| define_method(name) { File.public_send(name, to_s) } }
  def chmod(mode) = File.chmod(mode, to_s)
  def chown(owner, group) = File.chown(owner, group, to_s)
  def executable? = File.executable?(to_s)
  def readable? = File.readable?(to_s)
  def writable? = File.writable?(to_s)
  def write(...) = File.write(to_s, ...)
  def binwrite(...) = File.binwrite(to_s, ...)
  def mkdir(...) = Dir.mkdir(to_s, ...)
end
