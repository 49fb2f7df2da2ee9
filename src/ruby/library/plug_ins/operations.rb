# What the host may call of plug-ins. Each call names the file, so that a machine that is new loads it again.
module Puppet
  module Indirector
    class REST
      def self.inherited(_)
        super
        raise Puppet::Error, 'a terminus cannot inherit from Puppet::Indirector::REST here; use Puppet.runtime[:http] for requests to other servers'
      end
    end
  end
end

module Plumb
  # A plug-in has the facts that came with its request; all else is the server's to find.
  module OwnRequest
    def find(key, **)
      given = PlugIns.current_facts
      return given if @name == :facts && given && given.name == key
      return nil if @name == :facts && PlugIns.current_key == key

      refuse
    end

    %i[search save destroy expire head].each { |operation| define_method(operation) { |*, **| refuse } }

    private

    def refuse
      raise Puppet::DevError, "A plug-in can request #{@name} only for its own request"
    end
  end
  Puppet::Indirector::Indirection.prepend(OwnRequest)

  module PlugIns
    LOADED = {}
    TERMINI = {}
    OPERATIONS = %w[find search save destroy].freeze

    class << self
      def load(path)
        LOADED[path] ||= Kernel.load(path)
      end

      def report(path, name)
        load(path)
        Puppet::Reports.report(name) || raise(Puppet::Error, "it does not register the report #{name}")
      end

      def terminus(path, indirection, name)
        TERMINI[path] ||= begin
          load(path)
          made = Puppet::Indirector::Terminus.terminus_class(indirection, name)
          raise(Puppet::Error, "it does not define the terminus #{name} of #{indirection}") unless made
          raise(Puppet::Error, "no model indirects #{indirection}") unless made.indirection

          made.new
        end
      end

      # What code sees of the request that it works for.
      def within(key, environment, facts)
        @current_key = key
        @current_environment = environment
        @current_facts = facts
        yield
      ensure
        @current_key = @current_environment = @current_facts = nil
        $stdout.flush
        $stderr.flush
      end
    end
  end

  module Operations
    module_function

    # Loads a report processor; what it says of itself.
    def plug_in_report(path, name) = { 'doc' => PlugIns.report(path, name).doc }

    def plug_in_process(path, name, text)
      report = Puppet::Transaction::Report.from_data_hash(JSON.parse(text, max_nesting: false))
      PlugIns.within(report.host, report.environment, nil) do
        report.extend(PlugIns.report(path, name))
        report.process
      end
      nil
    end

    # Loads a terminus; what it says of itself, and which operations it has.
    def plug_in_terminus(path, indirection, name)
      made = PlugIns.terminus(path, indirection, name)
      { 'doc' => made.class.doc, 'operations' => PlugIns::OPERATIONS.select { |each| made.respond_to?(each) } }
    end

    # What a terminus gives, as JSON. `request` is JSON, too; so are the facts that came along, and a model that is saved.
    def plug_in_ask(path, indirection, name, operation, request, facts, model)
      given = JSON.parse(request, max_nesting: false)
      known = facts && Puppet::Node::Facts.from_text(given['key'], facts)
      terminus = PlugIns.terminus(path, indirection, name)
      instance = model && terminus.model.from_data_hash(JSON.parse(model, max_nesting: false))
      asked = Puppet::Indirector::Request.new(
        indirection, operation, given['key'], instance,
        { node: given['node'], authenticated: !given['node'].nil?, environment: given['environment'], facts: known,
          transaction_uuid: given['transaction_uuid'], job_id: given['job_id'] }.compact
      )
      found = PlugIns.within(given['key'], given['environment'], known) { terminus.public_send(operation, asked) }
      JSON.generate(operation == 'search' ? [*found].map { |each| shown(each) } : operation == 'find' ? shown(found) : nil, max_nesting: 0)
    end

    # A model as the host reads it.
    def shown(model)
      return nil if model.nil?
      return model.classification if model.is_a?(Puppet::Node)

      model.respond_to?(:to_data_hash) ? model.to_data_hash : model
    end
  end
end
