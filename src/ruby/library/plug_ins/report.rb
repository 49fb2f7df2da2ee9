# A report and its parts, as processors see them: Puppet's transaction/report.rb, resource/status.rb, util/log.rb, util/metric.rb.
module Puppet
  class Util::Metric
    include Util::PsychSupport
    include Network::FormatSupport
    attr_accessor :type, :name, :value, :label
    attr_writer :values

    def self.labelize(name) = name.to_s.capitalize.tr('_', ' ')
    def self.from_data_hash(data) = allocate.tap { |made| made.initialize_from_hash(data) }

    def initialize(name, label = nil)
      @name = name.to_s
      @label = label || self.class.labelize(name)
      @values = []
    end

    def initialize_from_hash(data)
      @name = data['name']
      @label = data['label'] || self.class.labelize(@name)
      @values = data['values']
    end

    def to_data_hash = { 'name' => @name, 'label' => @label, 'values' => @values }
    def values = @values.sort_by { |each| each[1] }
    def [](name) = (@values.find { |each| each[0] == name } || [0])[-1]

    def newvalue(name, value, label = nil)
      raise ArgumentError, "metric name #{name.inspect} is not a string" unless name.is_a?(String)

      @values.push([name, label || self.class.labelize(name), value])
    end
  end

  Util.__send__(:remove_const, :Log)

  class Util::Log
    include Util::PsychSupport
    include Util::Tagging
    include Network::FormatSupport
    LEVELS = %i[debug info notice warning err alert emerg crit].freeze
    MORE = %w[file line pos issue_code environment node backtrace].freeze
    attr_accessor :time, :remote, :source, :message, *MORE
    attr_reader :level

    class << self
      def level = Puppet.debugging ? :debug : :notice
      def levels = LEVELS.dup
      def eachlevel(&) = LEVELS.each(&)
      def validlevel?(level) = LEVELS.include?(level)
      def sendlevel?(given) = LEVELS.index(given) >= LEVELS.index(level)
      def from_data_hash(data) = allocate.tap { |made| made.initialize_from_hash(data) }

      # A line of this machine's own log.
      def create(given)
        raise DevError, 'Logs require a level' unless given[:level]
        raise DevError, "Invalid log level #{given[:level]}" unless validlevel?(given[:level])

        source = given[:source]
        Plumb::Lines.add(given[:level], given[:message], source.respond_to?(:path) ? source.path : source&.to_s)
        new(given)
      end
    end

    def initialize(given)
      self.level = given[:level]
      @message = given[:message].to_s
      @source = (given[:source] || 'Puppet').to_s
      @time = Time.now
      tag(@level)
      tag(*given[:tags]) if given[:tags]
      MORE.each { |name| public_send("#{name}=", given[name.to_sym]) if given[name.to_sym] }
    end

    def initialize_from_hash(data)
      @level = data['level'].to_sym
      @message, @source = data.values_at('message', 'source')
      @tags = Util::TagSet.new(data['tags'] || [])
      @time = Plumb::WireTime.of(data['time'])
      MORE.each { |name| public_send("#{name}=", data[name]) if data[name] }
    end

    def level=(level)
      @level = level.to_sym
      raise ArgumentError, "Invalid log level #{level}" unless LEVELS.include?(@level)
    end

    def to_data_hash
      { 'level' => @level.to_s, 'message' => to_s, 'source' => @source, 'tags' => @tags.to_a, 'time' => @time.iso8601(9),
        'file' => @file, 'line' => @line }
    end
    alias to_hash to_data_hash

    def to_report = "#{time} #{source} (#{level}): #{self}"

    def to_s
      return message if issue_code.nil?

      text = environment.nil? ? message : "Could not parse for environment #{environment}: #{message}"
      text += Util::Errors.error_location_with_space(file, line, pos)
      node.nil? ? text : "#{text} on node #{node}"
    end
  end
  Log = Util::Log

  class Transaction
    class Event
      include Util::PsychSupport
      include Util::Tagging
      include Network::FormatSupport
      SHOWN = %w[audited property previous_value desired_value historical_value message name status time redacted corrective_change].freeze
      EVENT_STATUSES = %w[noop success failure audit].freeze
      attr_accessor(*SHOWN, :resource, :file, :line, :source_description, :invalidate_refreshes)
      attr_reader :default_log_level

      def self.from_data_hash(data) = allocate.tap { |made| made.initialize_from_hash(data) }

      def initialize(**given)
        given = { audited: false, corrective_change: false, redacted: false, time: Time.now, **given }
        given.each { |name, value| instance_variable_set(:"@#{name}", value) }
      end

      def initialize_from_hash(data)
        SHOWN.each { |name| instance_variable_set("@#{name}", data[name]) }
        @name = @name.to_sym if @name
        @time = Plumb::WireTime.of(@time)
        @redacted = data.fetch('redacted', false)
      end

      def to_data_hash = SHOWN.to_h { |name| [name, public_send(name)] }.merge('name' => @name&.to_s, 'time' => @time.iso8601(9))
      def to_s = message
      def eql?(other) = self.class == other.class && SHOWN.all? { |name| public_send(name).eql?(other.public_send(name)) }
      alias == eql?
      def inspect = "#<#{self.class.name} @name=\"#{@name.inspect}\" @message=\"#{@message.inspect}\">"
    end

    class Report
      include Util::PsychSupport
      include Network::FormatSupport
      TOTAL = 'total'
      STATES_FOR_EXCLUSION_FROM_REPORT = %i[failed failed_to_restart out_of_sync skipped].freeze
      PLAIN = %w[puppet_version report_format configuration_version transaction_uuid environment status transaction_completed noop
                 noop_pending host corrective_change].freeze
      OPTIONAL = %w[server_used catalog_uuid code_id job_id cached_catalog_status].freeze
      attr_accessor(*PLAIN, *OPTIONAL, :initial_environment, :resources_failed_to_generate)
      attr_reader :time, :logs, :metrics, :resource_statuses

      def self.from_data_hash(data) = allocate.tap { |made| made.initialize_from_hash(data) }

      # A report without resources, as before a run.
      def initialize(configuration_version = nil, environment = nil, transaction_uuid = nil, job_id = nil, start_time = Time.now, *)
        @configuration_version, @environment, @transaction_uuid, @job_id, @time = configuration_version, environment, transaction_uuid, job_id, start_time
        @metrics, @logs, @resource_statuses = {}, [], {}
        @host, @noop, @puppet_version = Puppet[:certname], Puppet[:noop], Puppet.version
        @report_format, @status, @corrective_change, @noop_pending, @transaction_completed = 12, 'failed', false, false, false
      end

      def initialize_from_hash(data)
        (PLAIN + OPTIONAL).each { |name| instance_variable_set("@#{name}", data[name]) }
        @server_used ||= data['master_used']
        @time = Plumb::WireTime.of(data['time'])
        @metrics = data['metrics'].transform_values { |each| Util::Metric.from_data_hash(each) }
        @logs = data['logs'].map { |each| Util::Log.from_data_hash(each) }
        @resource_statuses = data['resource_statuses'].transform_values { |each| each.empty? ? nil : Resource::Status.from_data_hash(each) }
      end

      def name = host
      # Of reports before Puppet 4: of a run, and not of an inspection.
      def kind = 'apply'

      def <<(line)
        @logs << line
        self
      end

      def add_metric(name, values)
        metric = Util::Metric.new(name)
        values.each { |key, value| metric.newvalue(key, value) }
        @metrics[metric.name] = metric
      end

      def add_resource_status(status) = @resource_statuses[status.resource] = status
      def resource_unchanged?(status) = STATES_FOR_EXCLUSION_FROM_REPORT.none? { |state| status.public_send(state) }

      def to_data_hash
        shown = {
          'host' => @host, 'time' => @time.iso8601(9), 'configuration_version' => @configuration_version,
          'transaction_uuid' => @transaction_uuid, 'report_format' => @report_format, 'puppet_version' => @puppet_version,
          'status' => @status, 'transaction_completed' => @transaction_completed, 'noop' => @noop, 'noop_pending' => @noop_pending,
          'environment' => @environment, 'logs' => @logs.map(&:to_data_hash), 'metrics' => @metrics.transform_values(&:to_data_hash),
          'resource_statuses' => @resource_statuses.transform_values { |each| each&.to_data_hash }, 'corrective_change' => @corrective_change
        }
        OPTIONAL.each { |name| public_send(name).then { |value| shown[name] = value unless value.nil? } }
        shown
      end

      def summary
        raw_summary.sort_by { |key, _| key.to_s }.map do |key, values|
          # What is equal stays in its order: so sorts the C library of Debian's Ruby.
          names = values.keys.each_with_index.sort_by { |name, at| [name == TOTAL ? 1 : 0, values[name].to_s, at] }.map(&:first)
          lines = names.reject { |name| values[name] == 0 }.map do |name|
            value = values[name]
            format("   %15s %s\n", "#{Util::Metric.labelize(name)}:", value.is_a?(Float) ? format('%0.2f', value) : value)
          end
          "#{Util::Metric.labelize(key)}:\n#{lines.join}"
        end.join
      end

      def raw_summary
        shown = {
          'version' => { 'config' => configuration_version, 'puppet' => Puppet.version },
          'application' => { 'run_mode' => Puppet.run_mode.name.to_s, 'initial_environment' => initial_environment,
                             'converged_environment' => environment }
        }
        @metrics.each_value do |metric|
          values = shown[metric.name.to_s] = metric.values.to_h { |name, _, value| [name.to_s, value] }
          values[TOTAL] = 0 unless metric.name.to_s == 'time' || values.key?(TOTAL)
        end
        (shown['time'] ||= {})['last_run'] = Time.now.to_i
        shown
      end

      def exit_status
        changes, resources = @metrics.values_at('changes', 'resources')
        return -1 unless changes && resources

        (changes[TOTAL] > 0 ? 2 : 0) | (resources['failed'] > 0 || resources['failed_to_restart'] > 0 ? 4 : 0)
      end
    end
  end

  class Resource
    class Status
      include Util::PsychSupport
      include Util::Tagging
      include Network::FormatSupport
      STATES = %i[skipped failed failed_to_restart restarted changed out_of_sync scheduled corrective_change].freeze
      PLAIN = %w[resource_type provider_used title resource containment_path file line evaluation_time change_count out_of_sync_count
                 out_of_sync changed skipped failed failed_to_restart corrective_change].freeze
      attr_accessor(*PLAIN, :restarted, :scheduled, :failed_dependencies, :source_description, :time)
      attr_reader :events

      STATES.each { |state| define_method("#{state}?") { public_send(state) ? true : false } }

      def self.from_data_hash(data) = allocate.tap { |made| made.initialize_from_hash(data) }

      def initialize_from_hash(data)
        PLAIN.each { |name| instance_variable_set("@#{name}", data[name]) }
        @tags = Util::TagSet.new(data['tags'] || [])
        @time = Plumb::WireTime.of(data['time'])
        @events = (data['events'] || []).map { |each| Transaction::Event.from_data_hash(each) }
      end

      def dependency_failed? = !failed_dependencies.nil? && !failed_dependencies.empty?

      def to_data_hash
        {
          'title' => @title, 'file' => @file, 'line' => @line, 'resource' => @resource, 'resource_type' => @resource_type,
          'provider_used' => @provider_used, 'containment_path' => @containment_path, 'evaluation_time' => @evaluation_time,
          'tags' => @tags.to_a, 'time' => @time&.iso8601(9), 'failed' => @failed, 'failed_to_restart' => failed_to_restart?,
          'changed' => @changed, 'out_of_sync' => @out_of_sync, 'skipped' => @skipped, 'change_count' => @change_count,
          'out_of_sync_count' => @out_of_sync_count, 'events' => @events.map(&:to_data_hash), 'corrective_change' => @corrective_change
        }
      end
    end
  end
end
