# Users and groups of the machine.
module Etc
  Passwd = Struct.new(:name, :passwd, :uid, :gid, :gecos, :dir, :shell)
  Group = Struct.new(:name, :passwd, :gid, :mem)

  class << self
    def getpwnam(name) = found('passwd', name.to_s, 'user')
    def getpwuid(uid = Process.uid) = found('passwd', Integer(uid), 'user')
    def getgrnam(name) = found('group', name.to_s, 'group')
    def getgrgid(gid = Process.gid) = found('group', Integer(gid), 'group')
    def getlogin = ENV['LOGNAME'] || ENV['USER']
    def systmpdir = '/tmp'
    def sysconfdir = '/etc'
    def nprocessors = Plumb::Node.ask('identity')['processors']
    def uname = Plumb::Node.ask('uname').transform_keys(&:to_sym)

    def passwd(&block) = each_of('passwd', &block)
    def group(&block) = each_of('group', &block)

    # One after the other, as long as nobody asks to begin anew.
    def getpwent = (@passwd ||= all('passwd')).shift
    def getgrent = (@group ||= all('group')).shift
    def setpwent = @passwd = nil
    def setgrent = @group = nil
    alias endpwent setpwent
    alias endgrent setgrent

    private

    def each_of(database)
      list = all(database)
      return list.first unless block_given?

      list.each { |each| yield each }
      nil
    end

    def all(database) = Plumb::Node.ask('accounts', database, nil).map { |fields| made(database, fields) }

    def found(database, key, what)
      fields = Plumb::Node.ask('accounts', database, key).first
      raise ArgumentError, "can't find #{what} for #{key}" unless fields

      made(database, fields)
    end

    def made(database, fields)
      if database == 'passwd'
        Passwd.new(fields[0], fields[1], fields[2].to_i, fields[3].to_i, fields[4], fields[5], fields[6])
      else
        Group.new(fields[0], fields[1], fields[2].to_i, fields[3].to_s.split(','))
      end
    end
  end

  # As enumerations.
  Passwd.define_singleton_method(:each) { |&block| Etc.passwd(&block) }
  Group.define_singleton_method(:each) { |&block| Etc.group(&block) }
end

class Dir
  module ForUsers
    def expand_path(path, base = nil)
      path = File.path(path)
      return super unless path.start_with?('~')

      name, rest = path[1..].split('/', 2)
      super([name.to_s.empty? ? Dir.home : Dir.home(name), rest].compact.join('/'), base)
    end
  end
  File.singleton_class.prepend(ForUsers)
end
