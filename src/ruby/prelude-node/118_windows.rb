# Windows as Ruby and Puppet show it: the environment, programs, features, and errors for all that calls functions of Windows.
module Plumb
  module Windows
    # Signs of a command line that only the shell understands, and commands of the shell. Ruby: win32/win32.c
    SHELL_SIGNS = /[<>|&%^\n]/
    BUILTINS = %w[assoc break call cd chcp chdir cls color copy ctty date del dir echo endlocal erase exit for ftype goto if mkdir md
                  mklink move path pause popd prompt pushd rd rem ren rename rmdir set setlocal shift start time title type ver verify
                  vol].freeze
    MISSING = 'calls functions of Windows, which the built-in Ruby cannot call'.freeze

    # Names of variables have no case.
    module Variables
      def [](name) = super(known(name))
      def fetch(name, ...) = super(known(name), ...)
      def []=(name, value)
        super(known(name), value)
      end
      alias store []=
      def delete(name, &) = super(known(name), &)
      def key?(name) = super(known(name))
      %i[include? has_key? member?].each { |each| alias_method each, :key? }

      private

      def known(name)
        name = name.to_str
        names = keys
        names.include?(name) ? name : names.find { |each| each.casecmp?(name) } || name
      end
    end

    # A module of Puppet or Ruby that is made of calls of Windows: each use is an error that names it.
    module Unavailable
      def self.fail(name) = raise(LoadError, "#{name} #{MISSING}")
      def const_missing(name) = Unavailable.fail("#{self.name}::#{name}")
      def method_missing(name, ...) = Unavailable.fail("#{self.name}.#{name}")
      def respond_to_missing?(*) = false
    end

    # Libraries that would be loaded from files.
    module Requiring
      LIBRARIES = %w[ffi win32ole fiddle win32/registry Win32API win32/resolv win32/service win32/taskscheduler win32/security
                     win32/process win32/dir win32/eventlog puppet/util/windows].freeze

      def require(path)
        name = path.to_s.delete_suffix('.rb')
        return false if ['win32/registry', 'puppet/util/windows'].include?(name) || name.start_with?('puppet/util/windows/')

        Unavailable.fail(name) if LIBRARIES.include?(name)
        super
      end
    end

    class << self
      def begun? = @begun ? true : false

      def begin
        return if begun?

        @begun = true
        Drives.begin
        ENV.singleton_class.prepend(Variables)
        File.singleton_class.prepend(Rights)
        Object.prepend(Requiring)
        show_features
        show_modules
      end

      # What reads a command line: `shell`, or `program`, which receives it unchanged. Nothing for words, and on other systems.
      def reader_of(command)
        return unless begun? && command.is_a?(String)

        shell = command.match?(SHELL_SIGNS) || BUILTINS.include?(command.strip[/\A\w+/].to_s.downcase)
        shell ? 'shell' : 'program'
      end

      # The folders of PATH; on Windows, those with a drive or a share.
      def search_folders
        folders = ENV['PATH'].to_s.split(File::PATH_SEPARATOR)
        begun? ? folders.select { |folder| Puppet::Util.absolute_path?(folder) } : folders
      end

      # The files that a name of a program can mean.
      def program_names(path)
        return [path] unless begun? && File.extname(path).empty?

        endings.map { |ending| "#{path}#{ending}" }
      end

      def endings = (ENV['PATHEXT'] || '.COM;.EXE;.BAT;.CMD').downcase.split(';')

      private

      def show_features
        Puppet::Features.define_singleton_method(:microsoft_windows?) { true }
        Puppet::Features.define_singleton_method(:posix?) { false }
      end

      def show_modules
        win32 = Object.const_defined?(:Win32) ? Win32 : Object.const_set(:Win32, Module.new)
        win32.const_set(:Registry, Class.new.extend(Unavailable))
        windows = Puppet::Util.const_defined?(:Windows, false) ? Puppet::Util::Windows : Puppet::Util.const_set(:Windows, Module.new)
        windows.extend(Unavailable)
      end
    end

    # Windows has no bits for execution: the ending of a name decides.
    module Rights
      def executable?(path) = file?(path) ? Windows.endings.include?(File.extname(File.path(path)).downcase) : directory?(path)
      def executable_real?(path) = executable?(path)
    end
  end
end
