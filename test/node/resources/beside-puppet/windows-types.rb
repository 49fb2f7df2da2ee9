# Types of modules for Windows in real Puppet: ruby windows-types.rb MODULES TYPE < QUESTIONS. Windows is imitated: accounts
# and one file, C:/x, with its security descriptor. Answers what Puppet logs and what the file has afterwards.
require 'json'
require 'tmpdir'
require 'puppet'

ACCOUNTS = {
  'S-1-1-0' => 'Everyone', 'S-1-5-18' => 'NT AUTHORITY\SYSTEM', 'S-1-5-32-544' => 'BUILTIN\Administrators',
  'S-1-5-32-545' => 'BUILTIN\Users', 'S-1-5-21-1-2-3-1001' => 'VM\bob', 'S-1-5-21-1-2-3-1002' => 'VM\ann'
}.freeze

module Puppet::Util::Windows
  module SID
    LocalSystem = 'S-1-5-18'

    def valid_sid?(text) = text.match?(/\AS-1-[-0-9]+\z/)
    def sid_to_name(sid) = ACCOUNTS[sid]

    def name_to_sid(name)
      plain = name.to_s.strip
      return plain if ACCOUNTS.key?(plain)

      ACCOUNTS.key(ACCOUNTS.values.find { |each| [each, each.split('\\').last].map(&:downcase).include?(plain.downcase) })
    end
    module_function :valid_sid?, :sid_to_name, :name_to_sid
  end

  module File
    STANDARD_RIGHTS_ALL = 0x1f0000
    SPECIFIC_RIGHTS_ALL = 0xffff

    def self.symlink?(path) = ::File.symlink?(path)
  end

  # The descriptor of the file. Like Windows, it copies inherited entries when it is protected, and else inherits them.
  module Security
    class << self
      attr_reader :descriptor

      def begin(given)
        entries = given['entries'].map { |line| entry(line) }
        @inherited = entries.select(&:inherited?)
        @descriptor = SecurityDescriptor.new(given['owner'], given['group'], AccessControlList.new(entries), given['protected'])
      end

      def get_security_descriptor(path)
        unless ::File.exist?(path)
          raise Puppet::Error, "Failed to open handle to '#{path}':  The system cannot find the file specified."
        end

        SecurityDescriptor.new(@descriptor.owner, @descriptor.group, AccessControlList.new(@descriptor.dacl), @descriptor.protect)
      end

      def set_security_descriptor(_path, given)
        entries = given.dacl.map(&:dup)
        entries = if given.protect
                    entries.map { |each| AccessControlEntry.new(each.sid, each.mask, each.flags & ~0x10, each.type) }
                  else
                    entries.reject(&:inherited?) + @inherited
                  end
        @descriptor = SecurityDescriptor.new(given.owner, given.group, AccessControlList.new(entries), given.protect)
      end

      def entry(line)
        type, flags, mask, sid = line.split(',')
        AccessControlEntry.new(sid, mask.to_i, flags.to_i, type.to_i)
      end

      def answer
        entries = @descriptor.dacl.map { |each| [each.type, each.flags, each.mask, each.sid].join(',') }
        { owner: @descriptor.owner, group: @descriptor.group, protected: @descriptor.protect, entries: entries }
      end
    end
  end
end

library = $LOAD_PATH.find { |folder| File.exist?("#{folder}/puppet/util/windows/security.rb") }
$LOADED_FEATURES << File.realpath("#{library}/puppet/util/windows/security.rb")
%w[access_control_entry access_control_list security_descriptor].each { |name| require "puppet/util/windows/#{name}" }

modules, type_name = ARGV
scratch = Dir.mktmpdir
at_exit { FileUtils.rm_rf(scratch) }
Dir.chdir(scratch)
FileUtils.mkdir_p('C:')
Puppet.initialize_settings(['--modulepath', modules, '--confdir', scratch, '--vardir', scratch])
Puppet.settings.use(:main)
SAID = []
Puppet::Util::Log.newdesttype(:said) do
  match 'said'
  def initialize(*) = nil

  def handle(message)
    return unless %i[notice warning err].include?(message.level)

    source = message.source == 'Puppet' ? '' : "#{message.source.delete_prefix('/')}: "
    SAID << "#{source}#{message.message.sub(/\n   \(location: .*\)\z/, '')}"
  end
end
Puppet::Util::Log.newdestination('said')

def apply(type, question)
  SAID.clear
  attributes = question['attributes'].transform_keys(&:to_sym)
  resource = type.new(Puppet::Resource.new(type.name.to_s, question['title'] || 'C:/x', parameters: attributes))
  catalog = Puppet::Resource::Catalog.new('vm', Puppet.lookup(:current_environment))
  catalog.add_resource(resource)
  catalog.apply
  SAID.dup
rescue StandardError => e
  SAID + [e.message.lines.first.chomp == e.message ? e.message : e.message.sub(/\n\n.*/m, '')]
end

environment = Puppet::Node::Environment.create(:production, [modules])
Puppet.override(environments: Puppet::Environments::Static.new(environment), current_environment: environment) do
  type = Puppet::Type.type(type_name)
  type.providers.each { |name| type.provider(name).define_singleton_method(:suitable?) { |*| true } }
  answers = JSON.parse($stdin.read).transform_values do |question|
    FileUtils.rm_rf('C:/x')
    question['folder'] == false ? File.write('C:/x', '') : FileUtils.mkdir('C:/x')
    Puppet::Util::Windows::Security.begin(question['before']) if question['before']
    says = apply(type, question)
    next { says: says } unless question['before']

    after = Puppet::Util::Windows::Security.answer
    { says: says, after: after, again: apply(type, question) }
  end
  puts JSON.generate(answers)
end
