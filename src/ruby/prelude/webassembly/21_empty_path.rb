# In WebAssembly, an empty path means the current folder.
module PlumbEmptyPath
  %i[exist? exists? file? directory? readable? stat].each do |question|
    define_method(question) do |path|
      next super(path) unless path == ''
      raise Errno::ENOENT, 'rb_file_s_stat' if question == :stat

      false
    end
  end
end

File.singleton_class.prepend(PlumbEmptyPath)
