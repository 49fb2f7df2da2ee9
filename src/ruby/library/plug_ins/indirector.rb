# Indirections and the kinds of termini that classes of an owner's begin from: Puppet's indirector/*.rb.
module Puppet
  module Indirector
    BadNameRegexp = Regexp.union(/^\.\./, %r{[\\/]}, "\0", /(?i)^[a-z]:/)

    class ValidationError < Puppet::Error; end

    # What a model says of where it is found.
    def indirects(name, options = {})
      raise ArgumentError, "Already handling indirection for #{@indirection.name}; cannot also handle #{name}" if @indirection

      include Envelope
      include Network::FormatSupport
      @indirection = Indirection.new(self, name, options)
    end

    attr_reader :indirection

    # `DnsTxt` as `dns_txt`.
    def self.file_name(constant) = constant.sub(/\A[A-Z]/, &:downcase).gsub(/[A-Z]/) { |letter| "_#{letter.downcase}" }

    # A model can expire in a cache.
    module Envelope
      attr_accessor :expiration

      def expired? = !expiration.nil? && expiration < Time.now
    end

    # Selects termini as the section of an application in routes.yaml says.
    def self.configure_routes(routes)
      routes.each do |name, termini|
        indirection = Indirection.instance(name) or raise "Indirection #{name} does not exist"
        indirection.terminus_class = termini['terminus'] if termini['terminus']
        indirection.cache_class = termini['cache'] if termini['cache']
      end
    end

    class Indirection
      TABLE = {}
      attr_accessor :doc, :terminus_setting
      attr_reader :name, :model, :termini, :cache_class
      attr_writer :ttl

      def self.instance(name) = TABLE[name.to_sym]
      def self.instances = TABLE.keys
      def self.model(name) = instance(name)&.model

      def initialize(model, name, options = {})
        @model = model
        @name = name.to_sym
        @doc, @terminus_class, @terminus_setting, @cache_class = options.values_at(:doc, :terminus_class, :terminus_setting, :cache_class)
        @termini = {}
        raise ArgumentError, "Indirection #{@name} is already defined" if TABLE.key?(@name)

        extend(options[:extend]) if options[:extend]
        TABLE[@name] = self
        [@terminus_class, @cache_class].compact.each { |each| validate_terminus_class(each) }
      end

      def delete = TABLE.delete(@name)
      def ttl = @ttl ||= Puppet[:runinterval].to_i
      def expiration = Time.now + ttl
      def request(...) = Request.new(@name, ...)
      def reset_terminus_class = @terminus_class = nil
      def cache? = !@cache_class.nil?
      def cache = terminus(@cache_class || raise(DevError, 'Tried to cache when no cache class was set'))
      def allow_remote_requests? = terminus.allow_remote_requests?

      def terminus_class
        @terminus_class ||= begin
          raise DevError, "No terminus class nor terminus setting was provided for indirection #{@name}" unless @terminus_setting

          Puppet[@terminus_setting]&.to_sym
        end
      end

      def terminus_class=(given)
        validate_terminus_class(given)
        @terminus_class = given.to_sym
      end

      def cache_class=(given)
        validate_terminus_class(given) if given
        @cache_class = given&.to_sym
      end

      def validate_terminus_class(given)
        raise ArgumentError, "Invalid terminus name #{given.inspect}" if given.nil? || given.to_s.empty?
        raise ArgumentError, "Could not find terminus #{given} for indirection #{@name}" unless Terminus.terminus_class(@name, given)
      end

      def terminus(given = nil)
        chosen = (given || terminus_class || raise(DevError, "No terminus specified for #{@name}; cannot redirect")).to_sym
        @termini[chosen] ||= begin
          made = Terminus.terminus_class(@name, chosen)
          raise ArgumentError, "Could not find terminus #{chosen} for indirection #{@name}" unless made

          made.new
        end
      end

      def find(key, options = {})
        asked = request(:find, key, nil, options)
        chosen = prepare(asked)
        cached = find_in_cache(asked)
        return cached if !cached.nil? || asked.ignore_terminus?

        found = chosen.find(asked)
        return nil if found.nil?

        found.expiration ||= expiration if found.respond_to?(:expiration)
        save_in_cache(asked, found, options) if cache? && !asked.ignore_cache_save?
        chosen.respond_to?(:filter) ? chosen.filter(found) : found
      end

      def head(key, options = {})
        asked = request(:head, key, nil, options)
        chosen = prepare(asked)
        !!(find_in_cache(asked) || chosen.head(asked))
      end

      def search(key, options = {})
        asked = request(:search, key, nil, options)
        chosen = prepare(asked)
        found = chosen.search(asked) or return nil
        raise DevError, "Search results from terminus #{chosen.name} are not an array" unless found.is_a?(Array)

        found.each { |each| each.expiration ||= expiration if each.respond_to?(:expiration) }
      end

      def save(instance, key = nil, options = {})
        asked = request(:save, key, instance, options)
        chosen = prepare(asked)
        result = chosen.save(asked) unless asked.ignore_terminus?
        cache.save(asked) if cache? && !asked.ignore_cache_save?
        result
      end

      def destroy(key, options = {})
        asked = request(:destroy, key, nil, options)
        result = prepare(asked).destroy(asked)
        cache.destroy(asked) if cache? && cache.find(request(:find, key, nil, options))
        result
      end

      def expire(key, options = {})
        asked = request(:expire, key, nil, options)
        return nil unless cache? && !asked.ignore_cache_save?

        instance = cache.find(request(:find, key, nil, options)) or return nil
        Puppet.info("Expiring the #{@name} cache of #{instance.name}")
        instance.expiration = Time.now - 60
        cache.save(request(:save, nil, instance, options))
      end

      private

      def prepare(asked) = terminus.tap { |chosen| chosen.validate(asked) }

      def find_in_cache(asked)
        cached = cache.find(asked) if cache? && !asked.ignore_cache?
        return nil unless cached

        if cached.expired?
          Puppet.info("Not using expired #{@name} for #{asked.key} from cache; expired at #{cached.expiration}")
          return nil
        end
        Puppet.debug("Using cached #{@name} for #{asked.key}")
        cached
      rescue StandardError => error
        Puppet.log_exception(error, "Cached #{@name} for #{asked.key} failed: #{error.message}")
        nil
      end

      def save_in_cache(asked, found, options)
        Puppet.info("Caching #{@name} for #{asked.key}")
        cache.save(request(:save, asked.key, found, options))
      rescue StandardError => error
        Puppet.log_exception(error)
        raise
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
          return if self == Terminus

          subclass.terminus_type = name
          subclass.indirection_name = Indirector.file_name(owner).to_sym
          TABLE[[subclass.indirection_name, subclass.name]] = subclass
        end

        def abstract_terminus? = @indirection_name.nil?
        def indirection = Indirection.instance(@indirection_name)
        def model = indirection.model

        # The class of a terminus, loaded if necessary.
        def terminus_class(indirection, name)
          return nil if name.nil? || name.to_s.match?(BadNameRegexp)

          TABLE[[indirection.to_sym, name.to_sym]] || begin
            load_terminus("puppet/indirector/#{indirection}/#{name}")
            TABLE[[indirection.to_sym, name.to_sym]]
          end
        end

        # The names of an indirection's termini, of this program and of modules.
        def terminus_classes(indirection)
          files = Plumb.module_folders.flat_map { |path| Dir.glob("#{path}/puppet/indirector/#{indirection}/*.rb") }
          known = TABLE.keys.filter_map { |owner, name| name if owner == indirection.to_sym }
          (known + files.map { |file| File.basename(file, '.rb').to_sym }).uniq
        end

        def load_terminus(path)
          require path
        rescue LoadError => error
          raise unless error.path == path
        end
        def name2const(name) = name.to_s.capitalize.gsub(/_(.)/) { Regexp.last_match(1).upcase }
      end

      def name = self.class.name
      def terminus_type = self.class.terminus_type
      def indirection = self.class.indirection
      def model = self.class.model
      def require_environment? = true
      def allow_remote_requests? = true

      def validate(request)
        return unless request.instance

        validate_model(request)
        validate_key(request)
      end

      def validate_key(request)
        return if request.key == request.instance.name

        raise ValidationError, "Instance name #{request.instance.name.inspect} does not match requested key #{request.key.inspect}"
      end

      def validate_model(request)
        return if model === request.instance

        raise ValidationError, "Invalid instance type #{request.instance.class.inspect}, expected #{model.inspect}"
      end
    end
  end
end
