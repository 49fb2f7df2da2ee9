# Indirections and the kinds of termini that classes of an owner's begin from: Puppet's indirector/*.rb.
module Puppet
  module Indirector
    BadNameRegexp = Regexp.union(/^\.\./, %r{[\\/]}, "\0", /(?i)^[a-z]:/)

    class ValidationError < Puppet::Error; end

    # What a model says of where it is found.
    def indirects(name, options = {})
      @indirection = Indirection.new(self, name, options)
    end

    attr_reader :indirection

    # `DnsTxt` as `dns_txt`.
    def self.file_name(constant) = constant.sub(/\A[A-Z]/, &:downcase).gsub(/[A-Z]/) { |letter| "_#{letter.downcase}" }

    class Indirection
      TABLE = {}
      attr_accessor :doc, :terminus_setting
      attr_reader :name, :model
      attr_writer :terminus_class

      def self.instance(name) = TABLE[name.to_sym]
      def self.instances = TABLE.keys
      def self.model(name) = instance(name)&.model

      def initialize(model, name, options = {})
        @model = model
        @name = name.to_sym
        @doc, @terminus_class, @terminus_setting = options.values_at(:doc, :terminus_class, :terminus_setting)
        TABLE[@name] = self
      end

      def terminus_class = @terminus_class || (@terminus_setting && Puppet[@terminus_setting]&.to_sym)

      # Facts of the node whose request this is came with it; all else is the server's to find.
      def find(key, **)
        given = Plumb::PlugIns.current_facts
        return given if @name == :facts && given && given.name == key
        return nil if @name == :facts && Plumb::PlugIns.current_key == key

        refuse
      end

      %i[search save destroy expire].each { |operation| define_method(operation) { |*, **| refuse } }

      private

      def refuse
        raise DevError, "A plug-in can request #{@name} only for its own request"
      end
    end

    class Request
      attr_accessor :key, :method, :options, :instance, :node, :ip, :authenticated, :ignore_cache, :ignore_cache_save, :ignore_terminus,
                    :server, :port, :uri, :protocol, :indirection_name
      attr_writer :environment

      def initialize(indirection_name, method, key, instance, options = {})
        @indirection_name = indirection_name.to_sym
        @method = method.to_sym
        @instance = instance
        @key = key || instance&.name
        @options = options.dup
        %i[node ip authenticated ignore_cache ignore_cache_save ignore_terminus environment].each do |name|
          public_send("#{name}=", @options.delete(name)) if @options.key?(name)
        end
      end

      def environment
        @environment = Node::Environment.named(@environment) unless @environment.is_a?(Node::Environment)
        @environment
      end

      %i[authenticated ignore_cache ignore_cache_save ignore_terminus].each do |name|
        define_method("#{name}?") { public_send(name) ? true : false }
      end

      def indirection = Indirection.instance(@indirection_name)
      def model = indirection.model
      def plural? = @method == :search
      def remote? = !@node.nil?
      def description = "/#{@indirection_name}/#{@key}"
      def to_s = description
    end

    class Terminus
      TABLE = {}
      extend Util::Docs

      class << self
        attr_accessor :name, :terminus_type, :indirection_name

        # What its class is called says which indirection it is of: `Puppet::Node::DnsTxt`.
        def inherited(subclass)
          super
          path = ::Module.instance_method(:name).bind_call(subclass) or raise(DevError, 'Terminus subclasses must have associated constants')
          *, owner, last = path.split('::')
          subclass.name = Indirector.file_name(last).to_sym
          return if [owner, self] == ['Indirector', Terminus] || self == Terminus

          subclass.terminus_type = name
          subclass.indirection_name = Indirector.file_name(owner).to_sym
          TABLE[[subclass.indirection_name, subclass.name]] = subclass
        end

        def abstract_terminus? = @indirection_name.nil?
        def indirection = Indirection.instance(@indirection_name)
        def model = indirection.model
        def terminus_class(indirection, name) = TABLE[[indirection.to_sym, name.to_sym]]
        def name2const(name) = name.to_s.capitalize.gsub(/_(.)/) { Regexp.last_match(1).upcase }
      end

      def name = self.class.name
      def terminus_type = self.class.terminus_type
      def indirection = self.class.indirection
      def model = self.class.model
      def require_environment? = true
      def allow_remote_requests? = true
    end
  end
end
