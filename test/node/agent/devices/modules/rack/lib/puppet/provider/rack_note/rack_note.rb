module Puppet::Provider::RackNote; end

# A provider for whatever device there is.
class Puppet::Provider::RackNote::RackNote
  def get(context) = [{ name: 'one', text: File.exist?(file(context)) ? File.read(file(context)) : '' }]
  def set(context, changes)
    changes.each_value { |change| File.write(file(context), change[:should][:text]) }
  end

  private

  def file(context) = "#{context.device.path}.note"
end
