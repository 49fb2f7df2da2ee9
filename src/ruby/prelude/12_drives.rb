# Drive letters of Windows. For this Ruby, `C:/x` is a relative path, which it appends to the working directory; the host takes
# the last drive letter of a path as its start. Ruby's own functions on names get the same view of drives here.
module Plumb
  module Drives
    DRIVE = %r{\A[A-Za-z]:(?=[/\\]|\z)}
    LAST_DRIVE = %r{\A/(?:.*/)?(?=[A-Za-z]:(?:/|\z))}

    # Replaced names of files, and `require` of a path with a drive.
    module Names
      def expand_path(path, base = nil)
        path = File.path(path).tr('\\', '/')
        return Drives.shorten(super(path)) if base.nil? || Drives.drive?(path)

        Drives.shorten(super(path, expand_path(base)))
      end

      def absolute_path(path, base = nil) = expand_path(path, base)
      def absolute_path?(path) = Drives.drive?(File.path(path)) || File.path(path).start_with?('//')
      def realpath(path, base = nil) = Drives.shorten(super(base ? expand_path(path, base) : path))
      def realdirpath(path, base = nil) = Drives.shorten(super(base ? expand_path(path, base) : path))
    end

    module Folders
      def pwd = Drives.shorten(super)
      def getwd = Drives.shorten(super)
    end

    module Requiring
      def require(path) = super(Drives.to_guest(path))
      def load(path, ...) = super(Drives.to_guest(path), ...)
    end

    class << self
      def drive?(path) = path.to_s.match?(DRIVE)
      def shorten(path) = path.sub(LAST_DRIVE, '')
      # The path that Ruby takes as absolute.
      def to_guest(path) = drive?(path) ? "/#{path.to_s.tr('\\', '/')}" : path
      def begun? = @begun ? true : false

      # Called at most once: the first path with a drive shows that this is Windows.
      def begin
        return if begun?

        @begun = true
        File.singleton_class.prepend(Names)
        Dir.singleton_class.prepend(Folders)
        [Object, Kernel.singleton_class].each { |owner| owner.prepend(Requiring) }
        Puppet::Util::Platform.define_singleton_method(:windows?) { true }
        Puppet::Util::Platform.define_singleton_method(:actually_windows?) { true }
        replace(File, ALT_SEPARATOR: '\\', PATH_SEPARATOR: ';', NULL: 'NUL')
        config = RbConfig::CONFIG.merge('host_os' => 'mingw32', 'target_os' => 'mingw32', 'arch' => 'x64-mingw-ucrt', 'EXEEXT' => '.exe')
        replace(RbConfig, CONFIG: config.freeze)
        replace(Object, RUBY_PLATFORM: 'x64-mingw-ucrt')
      end

      private

      def replace(owner, constants)
        constants.each do |name, value|
          owner.__send__(:remove_const, name) if owner.const_defined?(name, false)
          owner.const_set(name, value)
        end
      end
    end
  end
end
