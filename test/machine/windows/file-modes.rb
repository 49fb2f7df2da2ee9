# Prints the access lists that Puppet writes for modes on Windows, and the modes that it reads from them, as JSON.
# The Windows functions are replaced; the mapping is the code of the installed Puppet.
require 'json'
require 'puppet'
root = $LOAD_PATH.map { |path| File.join(path, 'puppet') }.find { |path| File.exist?(File.join(path, 'util/windows/security.rb')) }
module Puppet::Util::Windows; module File; end; module SID; end; end
win = Puppet::Util::Windows
file_code = File.read(File.join(root, 'util/windows/file.rb'))
ffi = File.join(root, 'ffi/windows/constants.rb')
code = File.exist?(ffi) ? File.read(ffi) : file_code
values = code.scan(/^\s+((?:FILE|STANDARD|SPECIFIC|SYNCHRONIZE|DELETE|READ|WRITE|GENERIC)[A-Z_]*)\s*=\s*((?:[^\n]*\|\s*\n)*[^\n]*)/)
values.each { |name, value| win::File.module_eval("#{name} = #{value}") unless win::File.const_defined?(name) rescue nil }
File.read(File.join(root, 'util/windows/sid.rb')).scan(/^\s+([A-Z]\w+)\s+= ('S-1[-\d]+')/) { |name, sid| win::SID.module_eval("#{name} = #{sid}") }
module Puppet::Util::Windows::Security; end
%w[access_control_entry access_control_list].each { |name| eval(File.read(File.join(root, "util/windows/#{name}.rb")).gsub(/^.*require_relative.*$/, '')) }
class Puppet::Util::Windows::SecurityDescriptor
  include Puppet::Util::Windows::SID
end
eval(File.read(File.join(root, 'util/windows/security_descriptor.rb')).gsub(/^.*require_relative.*$/, ''))
text = File.read(File.join(root, 'util/windows/security.rb'))
mod = win::Security
constants = text[/^  # file modes\n.*?^  S_ISYSTEM_MISSING[^\n]*\n/m]
mod.module_eval(constants)
mod.module_eval("FILE = Puppet::Util::Windows::File\n" + text[/^  MASK_TO_MODE = \{.*?^  \}/m] + "\n" + text[/^  MODE_TO_MASK = \{.*?^  \}/m])
mod.module_eval(text[/^  def get_mode\(path\).*?^  end/m])
mod.module_eval(text[/^  def set_mode\(.*?^  end/m])
class Host
  include Puppet::Util::Windows::Security
  attr_accessor :sd
  def supports_acl?(_) = true
  def get_security_descriptor(_) = @sd
  def set_security_descriptor(_, sd) = @sd = sd
end
def win_file = Puppet::Util::Windows::File
def win_file.remove_attributes(*) = nil
$is_directory = false
File.singleton_class.prepend(Module.new { def directory?(path) = path == 'X' ? $is_directory : super })
owner, users, system = 'S-1-5-32-544', 'S-1-5-32-545', 'S-1-5-18'
out = []
def show(dacl) = dacl.map { |ace| [ace.sid, ace.mask, ace.flags] }
[[owner, users], [owner, owner], [system, users], [owner, system], [system, system]].each do |own, grp|
  [false, true].each do |dir|
    %w[0000 0400 0600 0640 0644 0660 0700 0750 0755 0775 0777 1777 0070 0007].each do |mode|
      [[false, false], [true, false], [true, true]].each do |managed|
        next if managed != [false, false] && ![own, grp].include?(system)
        $is_directory = dir
        host = Host.new
        host.sd = win::SecurityDescriptor.new(own, grp, win::AccessControlList.new)
        host.set_mode(mode.to_i(8), 'X', true, *managed)
        out << { owner: own, group: grp, directory: dir, mode: mode, managed: managed, entries: show(host.sd.dacl), read: host.get_mode('X').to_s(8) }
      end
    end
  end
end
# Changes of the owner and the group, with inherited entries.
reassigned = [[owner, users], [system, users], [owner, system]].flat_map do |own, grp|
  %w[owner group].map do |who|
    dacl = win::AccessControlList.new
    dacl.allow(own, 0x1f01ff, 0x10); dacl.allow(own, 0x120089, 0); dacl.allow(grp, 0x1200a9, 0x13); dacl.allow('S-1-1-0', 0x120089, 0)
    sd = win::SecurityDescriptor.new(own, grp, dacl)
    before = show(sd.dacl)
    sd.public_send("#{who}=", 'S-1-5-32-546')
    { owner: own, group: grp, who: who, before: before, after: show(sd.dacl) }
  end
end
puts JSON.generate({ modes: out, reassigned: reassigned })
