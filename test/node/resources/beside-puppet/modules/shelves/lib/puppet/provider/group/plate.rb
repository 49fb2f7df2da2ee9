# Groups that are lines of a file.
Puppet::Type.type(:group).provide(:plate) do
  has_feature :manages_members

  def path = File.expand_path('../f/groups', Puppet[:vardir])
  def lines = File.exist?(path) ? File.readlines(path, chomp: true).map { |line| line.split(':') } : []
  def line = lines.find { |each| each[0] == resource[:name] }
  def exists? = !line.nil?
  def gid = line[1].to_i
  def members = line[2].to_s.split(',')
  def create = keep(resource[:name], resource.should(:gid), Array(resource.should(:members)).join(','))
  def delete = write(lines - [line])
  def gid=(value)
    keep(resource[:name], value, line[2])
  end

  def members=(value)
    keep(resource[:name], line[1], value.join(','))
  end

  def keep(*fields) = write(lines.reject { |each| each[0] == resource[:name] } + [fields])
  def write(all) = File.write(path, all.map { |each| "#{each.join(':')}\n" }.join)
end
