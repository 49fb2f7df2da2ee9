# Asks the type and provider of the module scheduled_task, without Windows: accounts and COM objects are stand-ins.
# Usage: ruby ask-module.rb MODULE < questions.json
require 'json'
require 'ostruct'
require 'puppet'

folder = "#{ARGV.first}/lib"
Puppet.initialize_settings([])
$LOAD_PATH.unshift(folder)
require 'puppet/type/scheduled_task'
require 'puppet/provider/scheduled_task/taskscheduler_api2'
require 'puppet/provider/scheduled_task/win32_taskscheduler'
TYPE = Puppet::Type.type(:scheduled_task)
API2 = TYPE.provider(:taskscheduler_api2)
TYPE.define_singleton_method(:defaultprovider) { API2 }
Puppet::Util::Platform.define_singleton_method(:windows?) { true }

# The value of a property, or the error of the resource.
def parse(attributes)
  given = { title: 'x', command: 'C:\\a.exe' }.merge(attributes.transform_keys(&:to_sym))
  resource = TYPE.new(given)
  # File.expand_path is that of Unix here, so that paths of commands are not compared.
  values = resource.properties.reject { |each| each.name == :command }
  { 'values' => values.to_h { |each| [each.name.to_s, each.should] } }
rescue StandardError => e
  { 'error' => e.message.lines.first.chomp }
end

class StandIn < OpenStruct
  def ole_respond_to?(_name) = true
end

def create(trigger)
  made = StandIn.new(Repetition: OpenStruct.new)
  triggers = Object.new
  triggers.define_singleton_method(:Create) { |type| made.tap { made.Type = type } }
  definition = OpenStruct.new(Settings: OpenStruct.new(Compatibility: 2), Triggers: triggers)
  PuppetX::PuppetLabs::ScheduledTask::Trigger::V2.append_trigger(definition, trigger)
  made.to_h.merge(Repetition: made.Repetition.to_h)
end

def describe_change(present, wanted)
  property = TYPE.new(title: 'x', command: 'C:\\a.exe', trigger: wanted).property(:trigger)
  property.change_to_s(present, property.should)
end

questions = JSON.parse($stdin.read)
puts JSON.generate(
  'parse' => questions['parse'].map { |each| parse(each) },
  'same' => questions['same'].map { |present, wanted| API2.new.triggers_same?(present, wanted) },
  'unstored' => questions['unstored'].map { |present, wanted| API2.new.triggers_same?(present, wanted) },
  'create' => questions['create'].map { |each| create(each) },
  'change' => questions['change'].map { |present, wanted| describe_change(present, wanted) },
)
