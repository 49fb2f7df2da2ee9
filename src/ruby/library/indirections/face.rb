# Faces of indirections: find, search, save, destroy and info, with the terminus as an option. Puppet's indirector/face.rb.
module Puppet
  module Indirector
    class Face < Puppet::Interface
      option '--terminus _TERMINUS' do
        summary 'The indirector terminus to use.'
        before_action { |_action, _args, options| set_terminus(options[:terminus]) }
        after_action { |_action, _args, _options| indirection.reset_terminus_class }
      end

      option '--extra HASH' do
        summary 'Extra arguments to pass to the indirection request'
        default_to { {} }
      end

      {
        destroy: ['Delete an object.', '<key>'], save: ['API only: create or overwrite an object.', '<key>'],
        search: ['Search for an object or retrieve multiple objects.', '<query>']
      }.each do |name, (about, words)|
        action name do
          summary about
          arguments words
          when_invoked { |key, options| call_indirection_method(name, key, options[:extra]) }
        end
      end

      action :find do
        summary 'Retrieve an object by name.'
        arguments '[<key>]'
        when_invoked do |*args|
          options = args.pop
          call_indirection_method(:find, args.empty? ? Puppet[:certname] : args.first, options[:extra])
        end
      end

      action :info do
        summary 'Print the default terminus class for this face.'
        when_invoked do |_options|
          chosen = indirection.terminus_class
          mode = Puppet.run_mode.name
          chosen ? "Run mode '#{mode}': #{chosen}" : "No default terminus class for run mode '#{mode}'"
        end
      end

      attr_accessor :from

      def self.indirections = Indirection.instances.map(&:to_s).sort
      def self.terminus_classes(indirection) = Terminus.terminus_classes(indirection).map(&:to_s).sort

      def indirection_name = @indirection_name || name
      def set_indirection_name(given) = @indirection_name = given
      def indirection = @indirection ||= Indirection.instance(indirection_name) || raise("Could not find terminus for #{indirection_name}")

      def set_terminus(given)
        indirection.terminus_class = given
      rescue StandardError => error
        types = self.class.terminus_classes(indirection.name).join(', ')
        raise error, "Could not set '#{indirection.name}' terminus to '#{given}' (#{error}); valid terminus types are #{types}", error.backtrace
      end

      def call_indirection_method(method, key, options)
        method == :save ? indirection.save(key, nil, options) : indirection.public_send(method, key, options)
      rescue StandardError => error
        message = "Could not call '#{method}' on '#{indirection_name}': #{error}"
        Puppet.log_exception(error, message)
        raise message
      end
    end
  end

  class Application
    class IndirectionBase < FaceBase; end
  end
end
$LOADED_FEATURES.push('puppet/application/indirection_base.rb')
