# Files have no owner and no mode here; code that sets them for a file that exists goes on.
class File
  class << self
    def chown(_owner, _group, *paths) = paths.each { |path| stat(path) }.size
    def chmod(_mode, *paths) = paths.each { |path| stat(path) }.size
  end

  def chown(_owner, _group) = 0
  def chmod(_mode) = 0
end
